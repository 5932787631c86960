use dayfly_tools::{Dispatch, Json};

fn rewrites(dispatch: Dispatch) {
    *dispatch.execution().arguments() = Json::null();
}

fn main() {}
