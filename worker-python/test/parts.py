"""The bootstrap's parts in this process, all but the last, which would run it."""

from harness import parts


def bootstrap_parts():
    source = "".join(part.read_text() for part in parts() if part.name not in ("main.py", "tracing.py"))
    scope = {"__name__": "dayfly"}
    exec(compile(source, "<dayfly>", "exec"), scope)
    return scope
