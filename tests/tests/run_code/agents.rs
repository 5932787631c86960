//! Several programs at once: of two agents, and of tools that run programs themselves.

use std::sync::Arc;
use std::time::Duration;

use dayfly::tools::{Filter, RunContext, ToolOutcome};
use dayfly::{CancellationToken, Json, Language};
use dayfly_tests::code_mode::{run_code, safe_tool, tool};
use dayfly_tests::{Both, CodeMode, Host};
use tokio::sync::Barrier;

use crate::{json, result};

#[tokio::test]
async fn p9_a_program_that_spins_does_not_delay_another_agents() {
    let spin = Both::new("await tools.started();\nwhile (true) {}", "await tools.started()\nwhile True: pass");
    let host = Host::new();
    for language in Language::ALL {
        let started = CancellationToken::new();
        let starts = started.clone();
        let mode = CodeMode::new(&host, language).with_tool(tool("started", move |_, _| {
            starts.cancel();
            async { Ok(Json::null()) }
        }));
        let (spinner, neighbour, stop) =
            (mode.registry.scope("spinner"), mode.registry.scope("neighbour"), CancellationToken::new());
        let spins = spinner.execute(run_code("spins", spin.of(language)).cancel_with(stop.clone()));
        let serves = async {
            started.cancelled().await;
            // It waits for nothing but its own worker: the other spins until it is told to stop, which comes after.
            assert_eq!(neighbour.execute(run_code("quick", "return 1 + 1")).await.text(), "2", "{language}");
            stop.cancel();
        };
        let (spun, ()) = tokio::join!(spins, serves);
        assert!(spun.text().starts_with("Error: code run failed (abort): "), "{language}: {}", spun.text());
    }
    host.supervisor.shutdown().await;
}

#[tokio::test]
async fn two_agents_run_programs_at_once_each_with_its_own_view() {
    let programs = Both::new(
        "await tools.meet();\nconst seen = Object.keys(tools).sort();\ntry { await tools.secret() } catch (e) { return [await tools.whoami(), seen, String(e)] }\nreturn [await tools.whoami(), seen, null]",
        "await tools.meet()\nseen = sorted(tools)\ntry:\n    await tools.secret()\nexcept Exception as e:\n    return [await tools.whoami(), seen, str(e)]\nreturn [await tools.whoami(), seen, None]",
    );
    let host = Host::new();
    for language in Language::ALL {
        let meeting = Arc::new(Barrier::new(2));
        let says = |name: &str, what: &'static str| tool(name, move |_, _| async move { Ok(Json::from(what)) });
        let meet = tool("meet", move |_, _| {
            let meeting = Arc::clone(&meeting);
            async move {
                // Neither goes on before both are here, so both programs run at once.
                meeting.wait().await;
                Ok(Json::null())
            }
        });
        let mode = CodeMode::new(&host, language)
            .with_tool(meet)
            .with_tool(says("whoami", "somebody"))
            .with_tool(says("secret", "told"));
        let (ada, bob) = (mode.registry.scope("ada"), mode.registry.scope("bob"));
        ada.register(says("whoami", "ada")).unwrap().keep();
        ada.register(says("read_mail", "no mail")).unwrap().keep();
        bob.restrict(Filter::deny(["secret"])).unwrap().keep();
        let program = programs.of(language);
        let (of_ada, of_bob) = tokio::join!(ada.execute(run_code("a", program)), bob.execute(run_code("b", program)));
        let wanted = json(r#"["ada",["meet","read_mail","secret","whoami"],null]"#);
        assert_eq!(result(&of_ada), wanted, "{language}");
        let of_bob = result(&of_bob);
        assert_eq!(of_bob.at(0).unwrap().as_str(), Some("somebody"), "{language}");
        assert_eq!(of_bob.at(1).unwrap().to_string(), r#"["meet","whoami"]"#, "{language}");
        assert!(of_bob.at(2).unwrap().as_str().is_some_and(|text| text.contains("secret")), "{language}: {of_bob}");
        for event in mode.kept.all() {
            let (call, program) = (event.call(), if event.call().scope == "ada" { "a" } else { "b" });
            assert_eq!(event.parent_call_id().unwrap_or(&call.call_id), program, "{language}");
        }
    }
    host.supervisor.shutdown().await;
}

#[tokio::test]
async fn programs_that_tools_of_programs_run_are_nested_and_need_one_place_in_all() {
    let programs = Both::new(
        "const n = await tools.peek();\nreturn n === 0 ? ['bottom'] : [n, ...(await tools.descend({ n: n - 1 }))]",
        "n = await tools.peek()\nreturn ['bottom'] if n == 0 else [n, *(await tools.descend(n=n - 1))]",
    );
    let host = Host::with(|config| config.max_concurrent_runs(1).queue_wait(Duration::from_secs(5)));
    for language in Language::ALL {
        let program = *programs.of(language);
        // A scope for each level says how deep it is.
        let descend = tool("descend", move |arguments, run: RunContext| async move {
            let n = arguments.get("n").map(Json::from).unwrap_or_default();
            let level = run.scope().nest("level");
            level.register(tool("peek", move |_, _| std::future::ready(Ok(n.clone())))).unwrap().keep();
            let id = format!("{}:inner", run.execution().call_id());
            let arguments = Json::object([("code", program), ("description", "Go on")]);
            let outcome: ToolOutcome = level.execute(run.nested(id, "run_code", arguments)).await;
            Ok(outcome.result?.get("result").map(Json::from).unwrap_or_default())
        });
        let mode = CodeMode::new(&host, language).with_tool(descend);
        let start = "return await tools.descend({\"n\": 3})";
        let outcome = mode.run(start).await;
        assert_eq!(result(&outcome), json(r#"[3,2,1,"bottom"]"#), "{language}");
        let ids: Vec<String> = mode.kept.all().iter().map(|event| event.call().call_id.clone()).collect();
        // Each level peeks as its first call, and descends as its second.
        let second = "call:code:1:inner:code:2";
        let deepest = "call:code:1:inner:code:2:inner:code:2:inner:code:2:inner:code:1";
        for wanted in ["call", "call:code:1", "call:code:1:inner:code:1", second, deepest] {
            assert_eq!(ids.iter().filter(|id| *id == wanted).count(), 2, "{language}: {wanted} in {ids:?}");
        }
        assert!(mode.kept.told().iter().all(|told| !told.ends_with("failed")), "{language}: {:?}", mode.kept.told());
    }
    host.supervisor.shutdown().await;
}

#[tokio::test]
async fn a_program_without_end_inside_a_tool_ends_with_the_program_that_called_it() {
    let inner = Both::new(
        "await tools.here();\nawait new Promise(() => setTimeout(() => {}, 600_000))",
        "import asyncio\nawait tools.here()\nawait asyncio.sleep(600)",
    );
    let host = Host::with(|config| config.max_concurrent_runs(1));
    for language in Language::ALL {
        let (cancel, here) = (CancellationToken::new(), CancellationToken::new());
        let (program, arrives) = (*inner.of(language), here.clone());
        let composite = safe_tool("composite", move |_, run: RunContext| async move {
            let arguments = Json::object([("code", program), ("description", "Wait")]);
            run.scope().execute(run.nested("inner", "run_code", arguments)).await.result
        });
        let mode = CodeMode::new(&host, language).with_tool(composite).with_tool(safe_tool("here", move |_, _| {
            arrives.cancel();
            async { Ok(Json::null()) }
        }));
        let outer = mode.agent.execute(run_code("outer", "return await tools.composite()").cancel_with(cancel.clone()));
        let stops = async {
            here.cancelled().await;
            cancel.cancel();
        };
        let (outcome, ()) = tokio::join!(outer, stops);
        assert!(outcome.text().starts_with("Error: code run failed (abort): "), "{language}: {}", outcome.text());
        mode.registry.quiesce().await;
        let told = mode.kept.told();
        let wanted = [
            "call run_code",
            "start 1 composite",
            "start 1 here",
            "end 1 here ok",
            "end 1 composite failed",
            "result run_code failed",
        ];
        assert_eq!(told, wanted, "{language}");
        host.still_serves(language).await;
    }
    host.supervisor.shutdown().await;
}
