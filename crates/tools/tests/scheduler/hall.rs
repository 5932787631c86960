//! A registry whose bodies run until the test lets them go, and a record of everything that happens to them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dayfly_tools::{Execution, Json, PostDecision, Registry, RegistryConfig, RunContext, Tool, ToolCall, ToolFailure};
use tokio::sync::Notify;

/// What a call of a schedule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Its tool says that it is safe.
    Safe,
    /// Its tool says nothing.
    Exclusive,
    /// Safe, and a guard denies it: it has policy and a commit, and no body.
    Denied,
    /// Nobody knows the tool: exclusive, and without a body.
    Unknown,
}

impl Kind {
    pub(crate) const fn tool(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Exclusive => "exclusive",
            Self::Denied => "denied",
            Self::Unknown => "unknown",
        }
    }

    pub(crate) const fn has_body(self) -> bool {
        matches!(self, Self::Safe | Self::Exclusive)
    }

    pub(crate) const fn overlaps(self) -> bool {
        matches!(self, Self::Safe | Self::Denied)
    }
}

/// One moment of one call, by the call's number in the order of submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    PolicyBegins(usize),
    PolicyEnds(usize),
    BodyBegins(usize),
    BodyEnds(usize),
    CommitBegins(usize),
    Committed(usize),
}

/// The registry, its bodies and their record.
#[derive(Clone)]
pub(crate) struct Hall {
    pub(crate) registry: Registry,
    moments: Arc<Mutex<Vec<Moment>>>,
    bodies: Arc<Mutex<BTreeMap<usize, Arc<Notify>>>>,
}

pub(crate) fn number(execution: &Execution) -> usize {
    execution.call_id().parse().unwrap()
}

/// A listener at work, until it has decided or is dropped.
struct Policy<'a>(&'a Hall, usize);

impl<'a> Policy<'a> {
    fn begin(hall: &'a Hall, number: usize) -> Self {
        hall.say(Moment::PolicyBegins(number));
        Self(hall, number)
    }
}

impl Drop for Policy<'_> {
    fn drop(&mut self) {
        self.0.say(Moment::PolicyEnds(self.1));
    }
}

/// Gives every other task of the runtime its turn a few times, so that what could overlap would.
async fn linger() {
    for _ in 0..3 {
        tokio::task::yield_now().await;
    }
}

/// Returns when no task of the runtime has anything left to do: a paused clock advances only then.
pub(crate) async fn idle() {
    tokio::time::sleep(Duration::from_nanos(1)).await;
}

impl Hall {
    pub(crate) fn new(max_parallel: usize) -> Self {
        let config = RegistryConfig::default().max_parallel(max_parallel);
        let registry = Registry::builder().config(config).build().unwrap();
        let hall = Self { registry, moments: Arc::default(), bodies: Arc::default() };
        for kind in [Kind::Safe, Kind::Exclusive, Kind::Denied] {
            hall.registry.register(hall.tool(kind)).unwrap().keep();
        }
        hall.listen();
        hall
    }

    fn tool(&self, kind: Kind) -> Tool {
        let declared = Tool::raw(kind.tool(), Json::parse(r#"{"type":"object"}"#).unwrap())
            .output(Json::parse(r#"{"type":"integer"}"#).unwrap(), |_, value| value.to_string());
        let declared = if kind.overlaps() { declared.concurrency_safe(|_| true) } else { declared };
        let hall = self.clone();
        declared
            .execute(move |_, context| {
                let hall = hall.clone();
                async move { hall.body(&context).await }
            })
            .unwrap()
    }

    async fn body(&self, context: &RunContext) -> Result<Json, ToolFailure> {
        let number = number(context.execution());
        let end = Arc::new(Notify::new());
        self.bodies.lock().unwrap().insert(number, Arc::clone(&end));
        self.say(Moment::BodyBegins(number));
        tokio::select! {
            () = end.notified() => {}
            () = context.cancel().cancelled() => {}
        }
        self.bodies.lock().unwrap().remove(&number);
        self.say(Moment::BodyEnds(number));
        Ok(Json::from(i64::try_from(number).unwrap()))
    }

    fn listen(&self) {
        let hall = self.clone();
        self.registry
            .on_pre_execute(move |execution, so_far| {
                let hall = hall.clone();
                async move {
                    let _policy = Policy::begin(&hall, number(&execution));
                    linger().await;
                    so_far
                }
            })
            .keep();
        self.registry.guard(|execution| (execution.name() == "denied").then(|| "not this one".to_owned())).keep();
        let hall = self.clone();
        self.registry
            .on_post_execute(move |execution, _| {
                let hall = hall.clone();
                async move {
                    hall.say(Moment::CommitBegins(number(&execution)));
                    linger().await;
                    PostDecision::accept()
                }
            })
            .keep();
        let hall = self.clone();
        self.registry.on_result(move |execution, _| hall.say(Moment::Committed(number(execution)))).keep();
    }

    pub(crate) fn say(&self, moment: Moment) {
        self.moments.lock().unwrap().push(moment);
    }

    pub(crate) fn moments(&self) -> Vec<Moment> {
        self.moments.lock().unwrap().clone()
    }

    /// The calls whose bodies run, in the order of submission.
    pub(crate) fn running(&self) -> Vec<usize> {
        self.bodies.lock().unwrap().keys().copied().collect()
    }

    /// The calls that have an outcome, in the order in which they got it.
    pub(crate) fn committed(&self) -> Vec<usize> {
        let committed = |moment| match moment {
            Moment::Committed(number) => Some(number),
            Moment::PolicyBegins(_)
            | Moment::PolicyEnds(_)
            | Moment::BodyBegins(_)
            | Moment::BodyEnds(_)
            | Moment::CommitBegins(_) => None,
        };
        self.moments().into_iter().filter_map(committed).collect()
    }

    /// Lets every body that runs at this moment end.
    pub(crate) fn settle_any(&self) {
        for end in self.bodies.lock().unwrap().values() {
            end.notify_one();
        }
    }

    /// Lets a body end.
    pub(crate) fn settle(&self, number: usize) {
        self.bodies.lock().unwrap().get(&number).unwrap().notify_one();
    }
}

pub(crate) fn call(number: usize, kind: Kind) -> ToolCall {
    ToolCall::new(number.to_string(), kind.tool(), Json::parse("{}").unwrap())
}
