use dayfly_tools::{CancellationToken, Dispatch};

fn makes_up(dispatch: Dispatch) -> Dispatch {
    Dispatch { signal: Some(CancellationToken::new()), ..dispatch }
}

fn main() {}
