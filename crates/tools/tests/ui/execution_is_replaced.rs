use dayfly_tools::{Dispatch, Execution};

fn rewrites(mut dispatch: Dispatch, other: Execution) {
    dispatch.execution = other;
}

fn main() {}
