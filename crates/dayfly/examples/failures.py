# Calls that fail raise a `ToolCallError`, which says which tool it was and why. The program goes on.


async def attempt(what, call):
    try:
        return {"what": what, "result": await call}
    except ToolCallError as error:
        return {"what": what, "tool": error.tool_name, "failed": str(error)}


return [
    # The command ends with another exit code than 0: the message is what it wrote to standard error.
    await attempt("a file that is not there", tools.read_file(path="no/such/file.rs")),
    # The arguments do not match the schema: the command is never started.
    await attempt("an argument of the wrong type", tools.read_file(path="README.md", lines="ten")),
    # The tool has a timeout: its command is killed.
    await attempt("a tool that takes too long", tools.wait()),
    # After all that, a call that succeeds.
    await attempt("the file after those", tools.read_file(path="README.md", lines=1)),
]
