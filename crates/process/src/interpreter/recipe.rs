//! What is particular to each language's interpreter.

use std::ffi::{CString, NulError};
use std::path::{Path, PathBuf};

use dayfly_runtime::Language;

use super::Version;
use crate::config::Limits;

/// How one language's interpreter is found, tried and started.
#[derive(Debug)]
pub(crate) struct Recipe {
    pub(crate) language: Language,
    /// The product by name.
    pub(crate) product: &'static str,
    /// The names of its binaries, in order of preference.
    pub(crate) names: &'static [&'static str],
    /// The configuration key that names one.
    pub(crate) config_key: &'static str,
    /// The oldest usable version.
    pub(crate) floor: Version,
    /// How one gets it.
    pub(crate) install: &'static str,
    /// Arguments that make it print its version, under a worker's conditions.
    pub(crate) probe: &'static [&'static str],
    /// Arguments that make a script of this name print the binary it stands for.
    pub(crate) unwrap: &'static [&'static str],
}

impl Recipe {
    /// The recipe for `language`; absent when this build does not support it.
    pub(crate) fn of(language: Language) -> Option<Self> {
        match language {
            #[cfg(feature = "typescript")]
            Language::TypeScript => Some(Self {
                language,
                product: "Node.js",
                names: &["node", "nodejs"],
                config_key: "node",
                floor: Version(18, 19, 0),
                install: "`apt install nodejs`, or a release from nodejs.org",
                probe: &["-e", "process.stdout.write('node ' + process.versions.node)"],
                unwrap: &["-p", "process.execPath"],
            }),
            #[cfg(feature = "python")]
            Language::Python => Some(Self {
                language,
                product: "CPython",
                names: &["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python"],
                config_key: "python",
                floor: Version(3, 10, 0),
                install: "`apt install python3`, or a release from python.org",
                probe: &[
                    "-I",
                    "-S",
                    "-c",
                    "import sys; sys.stdout.write('%s %d.%d.%d' % ((sys.implementation.name,) + sys.version_info[:3]))",
                ],
                unwrap: &["-I", "-S", "-c", "import sys; print(sys.executable)"],
            }),
            _ => None,
        }
    }

    /// The interpreter that the configuration names.
    pub(crate) fn configured<'a>(&self, limits: &'a Limits) -> Option<&'a Path> {
        match self.language {
            Language::Python => limits.python.as_deref(),
            _ => limits.node.as_deref(),
        }
    }

    /// The implementation's own name, as the probe prints it.
    pub(crate) const fn implementation(&self) -> &'static str {
        match self.language {
            Language::Python => "cpython",
            _ => "node",
        }
    }

    /// Packages that programs may import under the interpreter at `path`.
    pub(crate) fn modules(&self, limits: &Limits, path: &Path, version: Version) -> Option<PathBuf> {
        match self.language {
            Language::Python => limits.python_modules.clone().or_else(|| {
                // The interpreter of a venv brings the venv's packages: naming it is asking for them.
                let home = venv(path)?;
                Some(home.join(format!("lib/python{}.{}/site-packages", version.0, version.1)))
            }),
            _ => limits.node_modules.clone(),
        }
    }

    /// The argument vector of a worker.
    pub(crate) fn arguments(&self, limits: &Limits, path: &Path) -> Result<Vec<CString>, NulError> {
        let mut arguments = vec![CString::new(path.as_os_str().as_encoded_bytes())?];
        #[cfg(not(feature = "typescript"))]
        let _ = limits;
        let rest: Vec<String> = match self.language {
            #[cfg(feature = "typescript")]
            Language::TypeScript => {
                let mebibytes = limits.old_space.as_u64() >> 20;
                let mut rest = dayfly_worker_node::arguments(mebibytes);
                rest.extend(["-e".to_owned(), dayfly_worker_node::LOADER.to_owned()]);
                rest
            }
            #[cfg(feature = "python")]
            Language::Python => dayfly_worker_python::arguments(),
            _ => Vec::new(),
        };
        for argument in rest {
            arguments.push(CString::new(argument)?);
        }
        Ok(arguments)
    }

    /// The bootstrap's source.
    pub(crate) const fn bootstrap(&self) -> &'static str {
        match self.language {
            #[cfg(feature = "typescript")]
            Language::TypeScript => dayfly_worker_node::BOOTSTRAP,
            #[cfg(feature = "python")]
            Language::Python => dayfly_worker_python::BOOTSTRAP,
            _ => "",
        }
    }

    /// The arguments with which the interpreter turns the bootstrap on descriptor 4 into a form that starts faster;
    /// absent where there is none.
    pub(crate) fn compiler(&self) -> Option<Vec<String>> {
        match self.language {
            #[cfg(feature = "python")]
            Language::Python => {
                let mut arguments = dayfly_worker_python::compiler_arguments();
                // It reads its standard input, and what a spawner starts has none.
                if let Some(program) = arguments.last_mut() {
                    program.insert_str(0, "import sys, io; sys.stdin = io.TextIOWrapper(open(4, 'rb'))\n");
                }
                Some(arguments)
            }
            _ => None,
        }
    }
}

/// The venv that the interpreter at `path` belongs to.
pub(super) fn venv(path: &Path) -> Option<&Path> {
    let home = path.parent()?.parent()?;
    home.join("pyvenv.cfg").is_file().then_some(home)
}
