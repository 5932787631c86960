# Calls of the host's functions, and the global objects that hold them.

in_flight = {}
# Calls that were made as expressions and never awaited: they have not left the worker.
unstarted = {}
# Calls that are tasks of their own and have not begun. While there are some, the calls of this turn wait for them, to
# leave in one write.
coming = set()
# The namespace and the attributes of each error class.
error_spaces = []
# The loops that read the socket, and the one that was asked last.
watched_loops = set()
watched_loop = None
last_id = 0
id_lock = RLock()
LAST_ID = 0xFFFFFFFF


class ToolCall:
    """One call: a coroutine to the program, sent when it is first awaited.

    Not a real coroutine, because awaiting it then adds no frame of the bootstrap to the program's tracebacks: what the
    program waits on is the future itself.
    """

    def __init__(self, member, arguments, trouble):
        self.member = member
        self.arguments = arguments
        self.trouble = trouble
        self.future = None
        unstarted[self] = None

    def __await__(self):
        if self.future is None:
            self.start()
        return self.future.__await__()

    def send(self, value):
        steps = self.__await__()
        # From now on a task steps the future directly.
        self.send = steps.send
        self.throw = steps.throw
        return steps.send(value)

    def throw(self, kind, value=None, traceback=None):
        self.close()
        raise kind if value is None else value

    def close(self):
        unstarted.pop(self, None)
        coming.discard(self)

    @property
    def __name__(self):
        return self.member.shown

    def __repr__(self):
        return f"<call of {self.member.shown}>"

    def start(self):
        unstarted.pop(self, None)
        coming.discard(self)
        loop = running_loop()
        if loop is None:
            raise RuntimeError(f"{self.member.shown} must be awaited in an async function that runs in an event loop")
        future = self.future = Future(loop=loop)
        arguments, self.arguments = self.arguments, None
        if self.trouble is not None:
            future.set_exception(self.trouble)
            return
        if loop is not watched_loop:
            watch(loop)
        post(loop, future, self.member, arguments)
        if coming and len(wire.queue) < MOST_PIECES and self_flushing(loop):
            return
        if not wire.pump(False):
            call_back_when_writable(loop)


Coroutine.register(ToolCall)


def post(loop, future, member, arguments):
    """Queues the frame of a call under the next id."""
    global last_id
    # Ids must increase in the order of the frames, whichever thread makes the call, and also when a signal handler
    # makes one here: nothing comes between the comparison and the queue.
    with id_lock:
        while True:
            id = last_id = last_id + 1
            if id > LAST_ID:
                raise member.failure(f"{member.shown} was not called: this run has used up its {LAST_ID} calls")
            in_flight[id] = (loop, future, member)
            extend, pieces = wire.queue.extend, call_pieces(id, member.prefix, arguments)
            if last_id == id:
                extend(pieces)
                return
            del in_flight[id]


def watch(loop):
    """Has `loop` read the socket."""
    global watched_loop
    if loop not in watched_loops:
        for other in list(watched_loops):
            if other.is_closed():
                watched_loops.discard(other)
        selector = getattr(loop, "_selector", None)
        if type(selector) is WatchingSelector:
            selector.watch_socket()
        else:
            loop.add_reader(SOCKET, wire.receive)
        watched_loops.add(loop)
    watched_loop = loop


def self_flushing(loop):
    return type(getattr(loop, "_selector", None)) is WatchingSelector


def call_back_when_writable(loop):
    if not self_flushing(loop):
        loop.add_writer(SOCKET, write_more, loop)


def write_more(loop):
    if wire.pump(False):
        loop.remove_writer(SOCKET)


def on_reply(flags, id, payload):
    """Hands a reply to the loop that waits for it."""
    entry = in_flight.pop(id, None)
    if entry is None:
        return
    loop, future, member = entry
    if loop is running_loop():
        resolve(future, member, flags, payload)
        return
    try:
        loop.call_soon_threadsafe(resolve, future, member, flags, payload)
    except RuntimeError:
        # That loop has been closed: nobody waits any more.
        pass


wire.on_reply = on_reply


def resolve(future, member, flags, payload):
    if future.done():
        return
    try:
        value = decode(payload)
    except (ValueError, MemoryError, RecursionError) as problem:
        future.set_exception(member.failure(f"the result of {member.shown} cannot be read: {problem}"))
        return
    if flags & REPLY_FAILED:
        future.set_exception(member.failure(value["message"]))
    else:
        future.set_result(value)


class Member:
    """A host function as the program calls it: `await tools.name(mapping)` or with keyword arguments."""

    def __init__(self, space, name, error_class, properties):
        self.name = name
        self.shown = shown_name(space, name)
        self.error_class = error_class
        self.properties = properties
        names = f'{{"global":{encode_string(space)},"name":{encode_string(name)},"args":'
        self.prefix = names.encode("utf-8")

    def failure(self, message):
        failure = self.error_class(message)
        for name in self.properties:
            setattr(failure, name, self.name)
        return failure

    def function(self):
        # A real function, whose own parameters are positional-only: every keyword is the tool's, `self` included.
        def call(arguments=NOTHING, /, *more, **fields):
            return ToolCall(self, *self.prepare(arguments, more, fields))

        call.__name__ = self.name
        call.__qualname__ = self.shown
        call.__module__ = "__main__"
        return call

    def prepare(self, arguments, more, fields):
        """The argument as JSON, or what is wrong with it. It is raised where the call is awaited."""
        if more or (arguments is not NOTHING and fields):
            return None, TypeError(
                f"{self.shown} takes one mapping, or keyword arguments, and not both: "
                f'{self.shown}({{"key": value}}) or {self.shown}(key=value)'
            )
        if arguments is NOTHING:
            arguments = fields
        try:
            data = encode(arguments, "args")
            if len(self.prefix) + len(data) + 1 > Limits.value_bytes:
                raise too_large("args", len(data))
        except Refusal as refusal:
            return None, self.failure(
                f"{self.shown} was not called: at {refusal.path}: {refusal.reason}"
            )
        return data, None


NOTHING = type("Nothing", (), {"__slots__": (), "__repr__": lambda self: "{}"})()


def make_namespace(space, functions, error_class, properties):
    """The global object: an attribute and an item for every function, and nothing else that is not Python's own."""
    members = {name: Member(space, name, error_class, properties).function() for name in functions}

    class Namespace:
        def __getattr__(self, name):
            raise AttributeError(unknown(space, name, members))

        def __getitem__(self, name):
            if type(name) is str and name in members:
                return members[name]
            raise UnknownKey(unknown(space, name, members))

        def __contains__(self, name):
            return type(name) is str and name in members

        def __iter__(self):
            return iter(members)

        def __len__(self):
            return len(members)

        def __dir__(self):
            return list(members)

        def __repr__(self):
            return f"<{space}: {', '.join(members)}>"

    Namespace.__name__ = Namespace.__qualname__ = space
    namespace = Namespace()
    vars(namespace).update(members)
    return namespace


def make_error_class(name, property):
    """The class that a failed call raises, and the attributes that carry the function's name."""
    def __init__(self, message="", *more):
        Exception.__init__(self, message, *more)
        self.message = message

    error_class = type(name, (Exception,), {"__init__": __init__, "__module__": "__main__"})
    snake = "".join("_" + letter.lower() if letter.isupper() else letter for letter in property)
    return error_class, tuple({property: None, snake.lstrip("_") or property: None})
