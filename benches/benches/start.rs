//! One trivial run from end to end, beside a bare interpreter and beside one with a worker's flags that imports what the
//! bootstrap must.

use std::io::Write as _;

use dayfly::{Language, ProcessConfig, RunRequest};
use dayfly_benches::{Bare, Contest, Host, Standing, imports};

/// A run may cost this many times what an interpreter costs that imports the same modules.
const PROMISE: f64 = 1.25;

const WARM_UP: usize = 5;
const ROUNDS: usize = 60;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    let host = Host::new(ProcessConfig::default());
    for language in Language::ALL {
        let (path, version) = host.interpreter(language);
        let command = |program: &str, flags: Vec<String>| -> Vec<String> {
            let last: &[&str] = if language == Language::Python { &["-I", "-S", "-c"] } else { &["-e"] };
            flags.into_iter().chain(last.iter().map(|flag| (*flag).to_owned())).chain([program.to_owned()]).collect()
        };
        // A limit on the heap is a flag of Node's, and costs it its own code cache: it belongs to the comparison.
        let heap = ProcessConfig::default().old_space.as_u64() >> 20;
        let flags = if language == Language::Python { Vec::new() } else { dayfly_worker_node::arguments(heap) };
        let nothing = if language == Language::Python { "" } else { "0" };
        let imported = imports(language);
        let importing = Bare::new(&path, command(&imported, flags));
        let bare = Bare::new(&path, command(nothing, Vec::new()));
        let standings = Contest::new()
            .contender("interpreter that imports what the bootstrap does", || importing.once())
            .contender("bare interpreter", || bare.once())
            .contender("dayfly: return 1", || {
                host.run(language, RunRequest::new("return 1"));
            })
            .run(WARM_UP, ROUNDS);
        writeln!(out, "\n{language}: {} {version}, {ROUNDS} rounds, medians (10th – 90th percentile)", path.display())?;
        for standing in &standings {
            writeln!(out, "  {standing}")?;
        }
        verdict(&mut out, &standings)?;
    }
    Ok(())
}

fn verdict(out: &mut impl std::io::Write, standings: &[Standing]) -> std::io::Result<()> {
    let [importing, bare, dayfly] = standings else { return Ok(()) };
    let over_bare = dayfly.median.as_secs_f64() / bare.median.as_secs_f64();
    let holds = if dayfly.ratio <= PROMISE { "holds" } else { "DOES NOT HOLD" };
    writeln!(
        out,
        "  a run costs {:.3} × {} and {over_bare:.3} × {}; at most {PROMISE} × the first: {holds}",
        dayfly.ratio, importing.name, bare.name
    )
}
