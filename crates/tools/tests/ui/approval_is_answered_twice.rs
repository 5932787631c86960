use dayfly_tools::ApprovalRequest;

fn answers(request: ApprovalRequest) {
    let _rejected = request.reject("no");
    let _allowed = request.allow_once();
}

fn main() {}
