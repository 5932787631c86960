//! For any tree of scopes, registrations, restrictions and disposals, what `schemas` shows is what `execute` reaches.

use std::collections::BTreeMap;

use dayfly_tools::pipeline::code;
use dayfly_tools::{Filter, Json, Registration, Registry, Restriction, Scope};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::*;

const NAMES: [&str; 5] = ["a", "b", "c", "d", "run_code"];

#[derive(Debug, Clone)]
enum Step {
    Nest(usize),
    Leave(usize),
    Register(usize, usize),
    Dispose(usize),
    Restrict(usize, bool, Vec<usize>),
    Lift(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (which, name) = (0..64_usize, 0..NAMES.len());
    let step = prop_oneof![
        2 => which.clone().prop_map(Step::Nest),
        1 => which.clone().prop_map(Step::Leave),
        6 => (which.clone(), name.clone()).prop_map(|(scope, name)| Step::Register(scope, name)),
        2 => which.clone().prop_map(Step::Dispose),
        3 => (which.clone(), any::<bool>(), vec(name, 0..4)).prop_map(|(scope, allow, names)| Step::Restrict(scope, allow, names)),
        1 => which.prop_map(Step::Lift),
    ];
    vec(step, 1..40)
}

/// What the words of the specification say, in the plainest way.
#[derive(Default)]
struct Model {
    layers: Vec<Layer>,
}

struct Layer {
    parent: Option<usize>,
    tools: BTreeMap<&'static str, u64>,
    masks: BTreeMap<u64, (bool, Vec<&'static str>)>,
}

impl Model {
    /// The inherited tools through the masks, and the scope's own over them.
    fn seen(&self, scope: usize) -> BTreeMap<&'static str, u64> {
        let layer = &self.layers[scope];
        let mut seen = self.inherited(scope);
        seen.retain(|name, _| layer.masks.values().all(|(allow, names)| names.contains(name) == *allow));
        seen.extend(&layer.tools);
        seen
    }

    fn inherited(&self, scope: usize) -> BTreeMap<&'static str, u64> {
        self.layers[scope].parent.map(|parent| self.seen(parent)).unwrap_or_default()
    }

    fn accepts_registration(&self, scope: usize, name: &str) -> bool {
        name != "run_code" && !self.layers[scope].tools.contains_key(name)
    }

    fn accepts_restriction(&self, scope: usize, names: &[&str]) -> bool {
        let inherited = self.inherited(scope);
        self.layers[scope].parent.is_some()
            && !names.is_empty()
            && names.iter().all(|name| {
                *name != "run_code" && inherited.contains_key(name) && !self.layers[scope].tools.contains_key(name)
            })
    }
}

#[derive(Default)]
struct World {
    model: Model,
    /// A scope that was left is no longer held here, but by the scopes nested in it.
    scopes: Vec<Option<Scope>>,
    registrations: Vec<(usize, &'static str, Registration)>,
    restrictions: Vec<(usize, u64, Restriction)>,
    next: u64,
}

impl World {
    fn layer(&mut self, parent: Option<usize>, scope: Scope) {
        self.model.layers.push(Layer { parent, tools: BTreeMap::new(), masks: BTreeMap::new() });
        self.scopes.push(Some(scope));
    }

    fn held(&self, any: usize) -> usize {
        let held: Vec<usize> = (0..self.scopes.len()).filter(|scope| self.scopes[*scope].is_some()).collect();
        held[any % held.len()]
    }

    fn step(&mut self, step: Step) {
        self.next += 1;
        let id = self.next;
        match step {
            Step::Nest(any) => {
                let parent = self.held(any);
                let nested = self.scopes[parent].as_ref().unwrap().nest(id.to_string());
                self.layer(Some(parent), nested);
            }
            Step::Leave(any) => {
                let scope = self.held(any);
                if scope != 0 {
                    self.scopes[scope] = None;
                }
            }
            Step::Register(any, name) => {
                let (scope, name) = (self.held(any), NAMES[name]);
                let value = Json::from(id.to_string());
                let tool = tool(name, move |_, _| std::future::ready(Ok(value.clone())));
                let registered = self.scopes[scope].as_ref().unwrap().register(tool);
                assert_eq!(registered.is_ok(), self.model.accepts_registration(scope, name));
                if let Ok(registration) = registered {
                    self.model.layers[scope].tools.insert(name, id);
                    self.registrations.push((scope, name, registration));
                }
            }
            Step::Dispose(any) if !self.registrations.is_empty() => {
                let nth = any % self.registrations.len();
                let (scope, name, registration) = self.registrations.swap_remove(nth);
                registration.dispose();
                self.model.layers[scope].tools.remove(name);
            }
            Step::Restrict(any, allow, names) => {
                let scope = self.held(any);
                let names: Vec<&str> = names.into_iter().map(|name| NAMES[name]).collect();
                let filter = if allow { Filter::allow(names.clone()) } else { Filter::deny(names.clone()) };
                let restricted = self.scopes[scope].as_ref().unwrap().restrict(filter);
                assert_eq!(restricted.is_ok(), self.model.accepts_restriction(scope, &names));
                if let Ok(restriction) = restricted {
                    self.model.layers[scope].masks.insert(id, (allow, names));
                    self.restrictions.push((scope, id, restriction));
                }
            }
            Step::Lift(any) if !self.restrictions.is_empty() => {
                let nth = any % self.restrictions.len();
                let (scope, id, restriction) = self.restrictions.swap_remove(nth);
                drop(restriction);
                self.model.layers[scope].masks.remove(&id);
            }
            Step::Dispose(_) | Step::Lift(_) => {}
        }
    }

    async fn check(&self) {
        for (nth, scope) in self.scopes.iter().enumerate() {
            let Some(scope) = scope else { continue };
            let expected = self.model.seen(nth);
            let shown: Vec<String> = scope.schemas().into_iter().map(|schema| schema.name).collect();
            assert_eq!(shown, expected.keys().copied().collect::<Vec<_>>());
            for name in NAMES {
                let outcome = scope.execute(call(name)).await;
                assert_eq!(scope.get(name).is_some(), expected.contains_key(name));
                match expected.get(name) {
                    Some(id) => assert_eq!(outcome.result, Ok(Json::from(id.to_string()))),
                    None => assert_failed(&outcome, code::UNKNOWN_TOOL),
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_shown_is_what_is_reached(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let registry = Registry::new();
            let mut world = World::default();
            world.layer(None, registry.global().clone());
            for step in steps {
                world.step(step);
                world.check().await;
            }
        });
    }
}
