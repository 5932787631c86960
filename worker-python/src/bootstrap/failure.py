# What a model reads of an exception: its text with causes and a hint, the program's line, the program's own frames.

LONGEST_MESSAGE = 64 * 1024
MOST_FRAMES = 40
MOST_CAUSES = 5
# A program may raise the limit of recursion; what lies between the outermost and innermost so many frames is counted.
MOST_ENTRIES = 5_000

HOST_PATHS = []

# Read past whatever a class of the program's has put before them.
traceback_of = BaseException.__dict__["__traceback__"].__get__
context_of = BaseException.__dict__["__context__"].__get__
cause_of = BaseException.__dict__["__cause__"].__get__
suppresses_context = BaseException.__dict__["__suppress_context__"].__get__
arguments_of = BaseException.__dict__["args"].__get__
exit_code = SystemExit.__dict__["code"].__get__
syntax_message, syntax_file, syntax_line, syntax_column = (
    SyntaxError.__dict__[name].__get__ for name in ("msg", "filename", "lineno", "offset")
)


def forget(problem):
    """Lets go of what an exception keeps alive, to have the memory to speak of it."""
    BaseException.with_traceback(problem, None)
    BaseException.__dict__["__context__"].__set__(problem, None)


def hide_paths(text):
    """`text` without the paths of this machine's interpreter."""
    for path, shown in HOST_PATHS:
        if path in text:
            text = text.replace(path, shown)
    return text


def learn_paths():
    """Remembers what must not be shown, longest first."""
    own = {sys.executable, os.path.dirname(os.__file__), sys.prefix, sys.base_prefix, *sys.path}
    # "/usr", the prefix of a system's own interpreter, is in many texts that have nothing to do with it.
    HOST_PATHS.extend((path, "<python>") for path in sorted(own, key=len, reverse=True) if len(path) > 4)


def describe(problem, modules=None):
    """The fields of a `failed` frame for an exception."""
    name = name_of(problem)
    text = text_of(problem)
    syntax = syntax_place(problem)
    shown = ""
    frames = program_frames(problem)
    fields = {"kind": "exception", "name": name}
    if syntax is not None:
        line, column, shown = syntax
        text = f"{plain_str(syntax_message(problem))} (line {line}, column {column})"
    elif frames:
        line, column = frames[-1][0], frames[-1][1]
    else:
        line = column = None
    message = hide_paths(text or f"{name} without a message") + causes(problem) + hide_paths(shown)
    # It is asked of what the program may have bent: without it the text is worth as much.
    advice = attempt(hint, problem, text, modules)
    if advice:
        advice = hide_paths(f"{advice[0].upper()}{advice[1:]}.")
        # Behind a caret, or the last of several lines, it would read as a part of that.
        message = f"{message}\n{advice}" if "\n" in message else f"{message.rstrip('.')}. {advice}"
    fields["message"] = shorten(message)
    if line is not None:
        fields["line"] = line
    if column is not None:
        fields["column"] = column
    stack = hide_paths(render(frames))
    if stack:
        fields["stack"] = stack
    return fields


def shorten(text):
    if len(text) <= LONGEST_MESSAGE:
        return text
    half = LONGEST_MESSAGE // 2
    return f"{text[:half]} <{len(text) - LONGEST_MESSAGE} characters left out> {text[-half:]}"


def name_of(problem):
    return plain(class_name(type(problem)))


def text_of(problem):
    """The exception's own text, whatever its `__str__` does."""
    arguments = arguments_of(problem)
    if type(problem) is KeyError and len(arguments) == 1:
        return f"key {safe_repr(arguments[0])} not found"
    text = plain_str(problem)
    space = next((space for kind, space in error_spaces if kind is type(problem)), None)
    if space is not None:
        # What the program sees as an attribute, the reader of the failure needs in words.
        name = next(iter(vars_of(problem).get(property) for property in space[1]), None)
        if type(name) is str:
            label = shown_name(space[0], name)
            # What was refused before it was sent says itself which call it was.
            return text if text.startswith(label) else f"{label} failed: {text}"
    return text


def plain_str(value):
    try:
        return plain(str(value))
    except BaseException:
        try:
            return plain(", ".join(repr(one) for one in arguments_of(value)))
        except BaseException:
            return ""


def safe_repr(value):
    try:
        return plain(repr(value))
    except BaseException:
        return described(value)


def causes(problem):
    """What led to it, and what a group contains, in words."""
    words = ""
    seen = {id(problem)}
    current = problem
    for _ in range(MOST_CAUSES):
        words += members_of(current)
        cause, context = cause_of(current), context_of(current)
        if cause is not None:
            current, link = cause, "caused by"
        elif context is not None and not suppresses_context(current):
            current, link = context, "raised while handling"
        else:
            break
        if id(current) in seen:
            break
        seen.add(id(current))
        words += f"; {link} {one_line(current)}"
    return words


def one_line(problem):
    text = hide_paths(text_of(problem))
    return f"{name_of(problem)}: {text}" if text else name_of(problem)


def members_of(problem):
    """The first members of an exception group, nested groups included."""
    found = []
    todo = [problem]
    more = 0
    while todo:
        current = todo.pop(0)
        inner = group_members(current) if is_group(current) else None
        if type(inner) is tuple:
            todo[:0] = inner
        elif current is not problem:
            if len(found) < MOST_CAUSES:
                found.append(one_line(current))
            else:
                more += 1
    if not found:
        return ""
    return ": " + "; ".join(found) + (f"; and {more} more" if more else "")


# CPython 3.10 has no exception groups.
GROUP = getattr(builtins, "BaseExceptionGroup", None)
group_members = GROUP.__dict__["exceptions"].__get__ if GROUP else None


def is_group(problem):
    return GROUP is not None and derives(type(problem), GROUP)


def syntax_place(problem):
    """Line, column and the marked source line of a SyntaxError in the program itself."""
    if not derives(type(problem), SyntaxError):
        return None
    file, line, column = syntax_file(problem), syntax_line(problem), syntax_column(problem)
    if type(file) is not str or file != PROGRAM or type(line) is not int or line < 1:
        return None
    column = max(column, 1) if type(column) is int else 1
    if line > len(source_lines):
        return line, column, ""
    source = source_lines[line - 1].rstrip("\r\n")
    shown = source.lstrip()
    mark = " " * max(column - 1 - (len(source) - len(shown)), 0) + "^"
    return line, column, f"\n    {plain(shown)[:200]}\n    {mark if len(mark) < 200 else ''}".rstrip()


def program_frames(problem):
    """`(line, column, function)` of the program's own frames, outermost first; of very many, the outer and the inner."""
    outer, inner = [], deque(maxlen=MOST_ENTRIES)
    trace = traceback_of(problem)
    left_out = 0
    while trace is not None:
        code = trace.tb_frame.f_code
        if is_program(code):
            entry = (code, trace.tb_lasti, trace.tb_lineno)
            if len(outer) < MOST_ENTRIES:
                outer.append(entry)
            else:
                left_out += len(inner) == MOST_ENTRIES
                inner.append(entry)
        trace = trace.tb_next
    columns = {}
    frames = []
    for at, entry in enumerate((*outer, *inner)):
        if at == MOST_ENTRIES and left_out:
            frames.append((0, left_out, ""))
        code, instruction, line = entry
        if entry not in columns:
            columns[entry] = column_of(code, instruction, line)
        frames.append((line, columns[entry], code.co_name))
    return frames


def is_program(code):
    # A program can make code whose names are of a class of its own.
    return type(code.co_filename) is str and code.co_filename == PROGRAM


def column_of(code, instruction, line):
    """The column, from 1, of what a frame was doing; None where the interpreter does not know (3.10)."""
    positions = getattr(code, "co_positions", None)
    if positions is None or instruction < 0:
        return None
    for at_instruction, (_, _, column, _) in enumerate(positions()):
        if at_instruction == instruction // 2:
            if column is None:
                return None
            source = source_line(line)
            # CPython counts bytes of UTF-8.
            return len(source.encode("utf-8", "replace")[:column].decode("utf-8", "ignore")) + 1
    return None


def source_line(line):
    return source_lines[line - 1].rstrip("\r\n") if 0 < line <= len(source_lines) else ""


def render(frames):
    """The frames, innermost first, one a line: `at load (program.py:3:7): the source line`."""
    parts = []
    again = 0
    last = None
    for entry in frames[::-1]:
        if entry == last:
            again += 1
            continue
        if again:
            parts.append(f"... {again} more times ...")
        again, last = 0, entry
        line, column, function = entry
        if line == 0:
            parts.append(f"... {column} more frames ...")
            continue
        place = f"{PROGRAM}:{line}" if column is None else f"{PROGRAM}:{line}:{column}"
        place = f"at {place}" if function == "<module>" else f"at {plain(function)} ({place})"
        source = plain(source_line(line)).strip()
        parts.append(f"{place}: {source[:200]}" if source else place)
    if again:
        parts.append(f"... {again} more times ...")
    if len(parts) > MOST_FRAMES:
        half = MOST_FRAMES // 2
        parts[half:-half] = [f"... {len(parts) - MOST_FRAMES} more lines ..."]
    return "\n".join(parts)
