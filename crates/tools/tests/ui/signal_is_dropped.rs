use dayfly_tools::Dispatch;

fn drops(dispatch: Dispatch) -> Dispatch {
    dispatch.with_cancel(None)
}

fn main() {}
