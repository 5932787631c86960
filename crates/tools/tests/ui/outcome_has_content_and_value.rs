use dayfly_tools::{Json, PostDecision, Replacement};

fn replaces_both() -> PostDecision {
    PostDecision::Accept {
        replace: Some(Replacement::Content(Vec::new()), Replacement::Value(Json::null())),
        contexts: Vec::new(),
    }
}

fn main() {}
