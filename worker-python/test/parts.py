"""The bootstrap's parts in this process, without those that would run it or change the interpreter."""

from harness import parts


def bootstrap_parts():
    source = "".join(part.read_text() for part in parts() if part.name not in ("main.py", "tracing.py", "children.py"))
    scope = {"__name__": "dayfly"}
    exec(compile(source, "<dayfly>", "exec"), scope)
    return scope
