//! What is particular to each language, in one table.

use std::path::{Path, PathBuf};

use dayfly_runtime::Language;

use crate::config::ProcessConfig;
use crate::interpreter::Version;

/// How one language's interpreter is found, tried and started, and what differs for its programs.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The product by name.
    pub(crate) product: &'static str,
    /// The implementation's own name, as the probe prints it.
    pub(crate) implementation: &'static str,
    /// The names of its binaries, in order of preference.
    pub(crate) names: &'static [&'static str],
    /// The oldest usable version.
    pub(crate) floor: Version,
    /// How one gets it.
    pub(crate) install: &'static str,
    /// Arguments that make it print its implementation and version, under a worker's conditions and with the bootstrap on
    /// descriptor 4. What it prints behind a line break is the bootstrap in a form that starts faster.
    pub(crate) probe: fn(&ProcessConfig) -> Vec<String>,
    /// Arguments that make a script of this name print the binary it stands for.
    pub(crate) unwrap: &'static [&'static str],
    /// The configuration key that names one.
    pub(crate) config_key: &'static str,
    /// The interpreter that the configuration names.
    pub(crate) configured: fn(&ProcessConfig) -> Option<&Path>,
    /// Packages that programs may import under the interpreter at this path.
    pub(crate) modules: fn(&ProcessConfig, &Path, Version) -> Option<PathBuf>,
    /// Whether the packages are found through a link in the working directory.
    pub(crate) links_modules: bool,
    /// The arguments of a worker, without the interpreter's own name.
    pub(crate) arguments: fn(&ProcessConfig) -> Vec<String>,
    /// The bootstrap's source.
    pub(crate) bootstrap: &'static str,
    /// The arguments with which the interpreter turns the bootstrap on descriptor 4 into a form that starts faster;
    /// absent where there is none.
    pub(crate) compiler: Option<fn() -> Vec<String>>,
    /// Whether programs' numbers are all doubles.
    pub(crate) doubles_only: bool,
    /// Whether its worker says itself which calls a program that returns has not waited for.
    pub(crate) notes_unfinished: bool,
    /// Whether its interpreter prints a page when it gives up.
    pub(crate) dumps: bool,
    /// Whether its interpreter lives within an address-space limit.
    pub(crate) bounds_address_space: bool,
    /// What a program calls to exit.
    pub(crate) exit_calls: &'static str,
}

impl Dialect {
    /// The entry for `language`; absent when this build does not support it.
    pub(crate) const fn of(language: Language) -> Option<&'static Self> {
        match language {
            #[cfg(feature = "typescript")]
            Language::TypeScript => Some(&TYPESCRIPT),
            #[cfg(not(feature = "typescript"))]
            Language::TypeScript => None,
            #[cfg(feature = "python")]
            Language::Python => Some(&PYTHON),
            #[cfg(not(feature = "python"))]
            Language::Python => None,
            _ => None,
        }
    }
}

#[cfg(feature = "typescript")]
static TYPESCRIPT: Dialect = Dialect {
    product: "Node.js",
    implementation: "node",
    names: &["node", "nodejs"],
    floor: Version(18, 19, 0),
    install: "`apt install nodejs`, or a release from nodejs.org",
    probe: |config| node_arguments(config, dayfly_worker_node::COMPILER),
    unwrap: &["-p", "process.execPath"],
    config_key: "node",
    configured: |config| config.node.as_deref(),
    modules: |config, _, _| config.node_modules.clone(),
    links_modules: true,
    arguments: |config| node_arguments(config, dayfly_worker_node::LOADER),
    bootstrap: dayfly_worker_node::BOOTSTRAP,
    compiler: None,
    doubles_only: true,
    notes_unfinished: true,
    dumps: true,
    // V8 reserves address space that it never uses, and WebAssembly breaks below 12 GiB.
    bounds_address_space: false,
    exit_calls: "process.exit",
};

#[cfg(feature = "typescript")]
fn node_arguments(config: &ProcessConfig, program: &str) -> Vec<String> {
    let mut arguments = dayfly_worker_node::arguments(config.old_space.min(config.memory).as_u64() >> 20);
    arguments.extend(["-e".to_owned(), program.to_owned()]);
    arguments
}

#[cfg(feature = "python")]
static PYTHON: Dialect = Dialect {
    product: "CPython",
    implementation: "cpython",
    names: &["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python"],
    floor: Version(3, 10, 0),
    install: "`apt install python3`, or a release from python.org",
    probe: |_| {
        let program =
            "import sys; sys.stdout.write('%s %d.%d.%d' % ((sys.implementation.name,) + sys.version_info[:3]))";
        ["-I", "-S", "-c", program].map(str::to_owned).to_vec()
    },
    unwrap: &["-I", "-S", "-c", "import sys; print(sys.executable)"],
    config_key: "python",
    configured: |config| config.python.as_deref(),
    modules: |config, path, version| {
        config.python_modules.clone().or_else(|| {
            // The interpreter of a venv brings the venv's packages: naming it is asking for them.
            let home = crate::interpreter::venv(path)?;
            Some(home.join(format!("lib/python{}.{}/site-packages", version.0, version.1)))
        })
    },
    links_modules: false,
    arguments: |_| dayfly_worker_python::arguments(),
    bootstrap: dayfly_worker_python::BOOTSTRAP,
    compiler: Some(dayfly_worker_python::compiler_arguments),
    doubles_only: false,
    notes_unfinished: false,
    dumps: false,
    // By shared anonymous mappings it gets memory that RLIMIT_DATA does not count.
    bounds_address_space: true,
    exit_calls: "sys.exit or os._exit",
};
