// Walks the sources of this repository through its tools and returns a summary: one row for each package.
// The files themselves never leave the program; only what is printed and returned does.

type File = { path: string; bytes: number };
type Match = { path: string; line: number; text: string };
type Row = { package: string; files: number; kib: number; tests: number; says: string };

const [sources, manifests, tests]: [File[], File[], Match[]] = await Promise.all([
  tools.list_files({ suffix: ".rs" }),
  tools.list_files({ suffix: "Cargo.toml" }),
  tools.grep({ pattern: "^\\s*#\\[(tokio::)?test", suffix: ".rs" }),
]);

// The longest folder first, so that a package inside another keeps its own files.
const folders = manifests
  .map((manifest) => manifest.path.slice(0, -"Cargo.toml".length))
  .filter((folder) => folder !== "")
  .sort((a, b) => b.length - a.length);
const folderOf = (path: string) => folders.find((folder) => path.startsWith(folder));

const rows: Row[] = [];
for (const folder of [...folders].sort()) {
  const own = sources.filter((file) => folderOf(file.path) === folder);
  const root = own.find((file) => file.path === `${folder}src/lib.rs` || file.path === `${folder}src/main.rs`);
  const head: string = root ? await tools.read_file({ path: root.path, lines: 5 }) : "";
  rows.push({
    package: folder.slice(0, -1),
    files: own.length,
    kib: Math.round(own.reduce((sum, file) => sum + file.bytes, 0) / 1024),
    tests: tests.filter((match) => folderOf(match.path) === folder).length,
    says: head.match(/^\/\/! (.+)$/m)?.[1] ?? "",
  });
}

console.log(`read ${sources.length} source files in ${rows.length} packages`);
return rows;
