// Reads every crate's `lib.rs` at the same time and returns the longest ones: all of it goes in, three lines come out.

const files: { path: string; bytes: number }[] = await tools.list_files({ under: "crates", suffix: "src/lib.rs" });

const texts: string[] = await Promise.all(files.map((file) => tools.read_file({ path: file.path })));

const counted = files.map((file, index) => ({
  path: file.path,
  lines: texts[index].split("\n").length - 1,
  exports: texts[index].match(/^pub (use|mod) /gm)?.length ?? 0,
}));
counted.sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));

console.log(`${files.length} files read at once`);
return counted.slice(0, 3);
