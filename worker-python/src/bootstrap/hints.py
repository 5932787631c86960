# One sentence on what to do, where the cause of a failure is a common one.

STDLIB = set(sys.stdlib_module_names)
STALE = (
    "Every run starts fresh: variables, functions and imports of an earlier run do not exist here; "
    "define it in this program"
)
# Words of JavaScript that stand where Python has another.
JAVASCRIPT_WORDS = {
    "console": "print(...)", "null": "None", "undefined": "None", "true": "True", "false": "False",
    "JSON": "the module json", "Math": "the module math", "Promise": "asyncio.gather(...)", "Object": "a dict",
}
# What a program writes that was told of tools.
TOOL_WORDS = ("tools", "ToolCallError")
METHOD = (
    'a method stands there without its call: write `value.items()` to call it, or `value["items"]` for what a dict has '
    "under that key"
)
IN_LOOP = "the program already runs in an event loop: write `await main()` instead of asyncio.run(main())"


def hint(problem, text, modules):
    """One sentence on what to do, where the cause is a common one."""
    kind = type(problem)
    if kind is NameError:
        name = getattr(problem, "name", None)
        # A program may give it any object, which would be asked for its hash.
        if type(name) is not str:
            return STALE
        for space, names in spaces.items():
            if name in names:
                return f"call it as `await {space}.{name}(...)`"
        if name in TOOL_WORDS:
            return unbound(name)
        meant = meant_by_name(name)
        if meant is not None:
            return meant
        if name in JAVASCRIPT_WORDS:
            return f"this program is Python, not JavaScript: use {JAVASCRIPT_WORDS[name]}"
        if name in STDLIB:
            return f"write `import {name}` first. {STALE}"
        return STALE
    if kind is ModuleNotFoundError:
        return meant_by_module(problem) or available_modules(problem, modules)
    if kind is AttributeError:
        return meant_by_attribute(problem)
    if kind is KeyError:
        return meant_by_key(problem)
    if kind is TypeError and "'builtin_function_or_method' object is not" in text:
        return METHOD
    if kind is RuntimeError and ("running event loop" in text or "loop is running" in text or "already running" in text):
        if "no running" not in text:
            return IN_LOOP
    if kind is RecursionError:
        return "the program recurses without end or too deeply: use a loop, or check where the recursion stops"
    if kind is MemoryError:
        return "the program needs more memory than it may have: process the data in parts, or keep less of it"
    if derives(kind, SyntaxError) and "'await' outside" in text:
        return "`await` works at the top level and inside `async def`: make the enclosing function async"
    return None


def unbound(name):
    """A global that the host gives, in a run to which it has given none."""
    if not spaces:
        return f"no tools are bound to this run, so there is no `{name}`: write the program without them"
    bound = ", ".join(f"`{space}`" for space in spaces)
    return f"the tools of this run are bound as {bound}, and there is no `{name}`"


def available_modules(problem, modules):
    listed = "the Python standard library"
    if modules:
        try:
            names = sorted({
                entry.split(".")[0] for entry in os_listdir(modules)
                if not entry.startswith(("_", ".")) and not entry.endswith((".dist-info", ".egg-info", ".pth"))
            })
        except OSError:
            names = []
        if names:
            more = f" and {len(names) - 40} more" if len(names) > 40 else ""
            listed += f" and the configured packages ({', '.join(names[:40])}{more})"
    return f"nothing can be installed here; what can be imported is {listed}"
