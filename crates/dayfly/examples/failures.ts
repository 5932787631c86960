// Calls that fail reject with a `ToolCallError`, which says which tool it was and why. The program goes on.

async function attempt(what: string, call: () => Promise<unknown>) {
  try {
    return { what, result: await call() };
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    return { what, tool: error.toolName, failed: error.message };
  }
}

return [
  // The command ends with another exit code than 0: the message is what it wrote to standard error.
  await attempt("a file that is not there", () => tools.read_file({ path: "no/such/file.rs" })),
  // The arguments do not match the schema: the command is never started.
  await attempt("an argument of the wrong type", () => tools.read_file({ path: "README.md", lines: "ten" })),
  // The tool has a timeout: its command is killed.
  await attempt("a tool that takes too long", () => tools.wait()),
  // After all that, a call that succeeds.
  await attempt("the file after those", () => tools.read_file({ path: "README.md", lines: 1 })),
];
