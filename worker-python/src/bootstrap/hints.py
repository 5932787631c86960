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
FENCE = "give the program alone: a Markdown fence is taken off only where it stands around the whole text"
JAVASCRIPT = "write it in Python: this line is JavaScript"
QUOTE_INSIDE = "a quote inside a text ends it: put a backslash before it, or write the text in triple quotes"
IN_BRACES = (
    "what stands in the braces of an f-string may not have the quotes around it before Python 3.12: use the other ones, or a "
    "variable"
)
BRACES = "in an f-string a brace that is to be seen is written twice: `{{` or `}}`"
BACKSLASH = "what stands in the braces of an f-string may have no backslash before Python 3.12: put it into a variable first"
# What `json.loads` may have been given that is JSON's value already.
PARSED = {"dict", "list", "int", "float", "bool"}
QUOTES_OF_LINES = ['"' * 3, "'" * 3]
# Words that may follow a text directly.
AFTER_TEXT = {"and", "or", "if", "else", "in", "is", "not", "for", "as"}
NO_INPUT = "nobody can be asked: write the value into the program, or get it from a tool"
NOT_AWAITED = "an async function gives its value only where it is awaited: write `await` before its call"
NOT_AWAITED_CALL = "a call gives its value only where it is awaited: write `(await {space}.name(...))`, in parentheses, and then what is taken of it"
JAVASCRIPT_STARTS = ("const ", "let ", "var ", "function ", "async function ", "//", "/*", "} else", "} catch", "export ", "import {")
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
        if is_bare_key(name, problem):
            return f'the keys of a dict are written as texts: `{{"{name}": ...}}`; or name the argument: `tools.name({name}=...)`'
        if name in JAVASCRIPT_WORDS:
            return f"this program is Python, not JavaScript: use {JAVASCRIPT_WORDS[name]}"
        if name in STDLIB:
            return f"write `import {name}` first. {STALE}"
        return meant_by_spelling(name, problem) or STALE
    if kind is ModuleNotFoundError:
        return meant_by_module(problem) or available_modules(problem, modules)
    if (kind is TypeError or kind is AttributeError) and "'coroutine'" in text:
        return NOT_AWAITED
    if (kind is TypeError or kind is AttributeError) and "'ToolCall'" in text and spaces:
        return NOT_AWAITED_CALL.format(space=next(iter(spaces)))
    if kind is AttributeError:
        return meant_by_attribute(problem)
    if kind is KeyError:
        return meant_by_key(problem)
    if kind is TypeError and "'builtin_function_or_method' object is not" in text:
        return METHOD
    if kind is TypeError and text in [f"'{space}' object is not callable" for space in spaces]:
        return f"each tool is a function of its own: write `await {text.split(chr(39))[1]}.name(key=value)`"
    if kind is TypeError and text.startswith("the JSON object must be str"):
        given = text.split()[-1]
        if given == "coroutine" or given == "ToolCall":
            return NOT_AWAITED
        return "what it was given needs no parsing: leave json.loads out" if given in PARSED else None
    if kind is TypeError and text.startswith("string indices must be integers"):
        return meant_by_loop(problem)
    if kind is TypeError and "unhashable type: 'list'" in text and any("gather([" in line for line in failing_lines(problem)):
        return "pass the calls one by one: write `asyncio.gather(*calls)`"
    if kind is EOFError and "reading a line" in text:
        return NO_INPUT
    if kind is RuntimeError and ("running event loop" in text or "loop is running" in text or "already running" in text):
        if "no running" not in text:
            return IN_LOOP
    if kind is RecursionError:
        return "the program recurses without end or too deeply: use a loop, or check where the recursion stops"
    if kind is MemoryError:
        return "the program needs more memory than it may have: process the data in parts, or keep less of it"
    if derives(kind, SyntaxError):
        return meant_by_syntax(problem, text)
    return None


def meant_by_syntax(problem, text):
    """Of what is no Python: what the line is instead."""
    if "'await' outside" in text:
        return "`await` works at the top level and inside `async def`: make the enclosing function async"
    if has_fence():
        return FENCE
    number = syntax_line(problem)
    line = source_line(number).strip() if type(number) is int else ""
    if "f-string" in text and "backslash" in text:
        return BACKSLASH
    if "single '}'" in text:
        return BRACES
    bare, goes_on, in_braces = without_texts(line)
    if "f-string" in text and in_braces and sys.version_info < (3, 12):
        return IN_BRACES
    if line.startswith(JAVASCRIPT_STARTS) or "===" in bare or "=>" in bare or line.endswith((") {", "};")):
        return JAVASCRIPT
    if goes_on and ("comma" in text or "unterminated" in text or "invalid syntax" in text):
        return QUOTE_INSIDE
    return None


def has_fence():
    """Whether a Markdown fence begins on a line that is not inside a text of several lines."""
    inside = None
    for line in source_lines:
        if inside is None and line.lstrip().startswith("```"):
            return True
        at = 0
        places = {one: line.find(one) for one in QUOTES_OF_LINES}
        while True:
            # Only what has been passed is looked for again: a line may be as long as a program.
            for one, place in places.items():
                if 0 <= place < at:
                    places[one] = line.find(one, at)
            found = [(place, one) for one, place in places.items() if place >= 0 and inside in (None, one)]
            if not found:
                break
            place, one = min(found)
            inside = None if inside else one
            at = place + 3
    return False


def without_texts(line):
    """A line without its texts; whether a word follows one of them directly that cannot; and whether an f-string ends
    between its braces and its quote comes again."""
    rest, goes_on, in_braces, at = "", False, False, 0
    while at < len(line):
        quote_mark = line[at]
        if quote_mark != '"' and quote_mark != "'":
            rest += quote_mark
            at += 1
            continue
        is_format = rest[-2:].lower().rstrip("r").endswith("f")
        start = at = at + 1
        while at < len(line) and line[at] != quote_mark:
            at += 2 if line[at] == "\\" else 1
        text = line[start:at]
        at += 1
        in_braces = in_braces or is_format and text.count("{") > text.count("}") and line.rfind(quote_mark) >= at
        after = at
        while line[after:after + 1].isalpha():
            after += 1
        goes_on = goes_on or after > at and line[at:after] not in AFTER_TEXT
    return rest, goes_on, in_braces


def is_bare_key(name, problem):
    """Whether the line that failed has this name as JavaScript has the key of an object."""
    frames = program_frames(problem)
    for node in nodes_on(frames[-1][0]) if frames else ():
        if type(node) is ast.Dict and any(type(key) is ast.Name and vars_of(key)["id"] == name for key in vars_of(node)["keys"]):
            return True
    return False


def failing_lines(problem):
    frames = program_frames(problem)
    return [source_line(frames[-1][0])] if frames else []


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
