# Processes that a program starts through `multiprocessing`. Its functions exist in this process only, not in a file that
# another interpreter could import: a child that is no copy never finds them, and a pool of such children never ends. Up
# to CPython 3.13 copies are what one gets; from 3.14 on they are asked for. What a program asks for itself it still gets.

FORK_CHOICE = "multiprocessing.context"


class ForkFirst:
    """Has `fork` be the default, when a program first imports the module that decides."""

    def find_spec(name, path=None, target=None):
        if name != FORK_CHOICE:
            return None
        spec = sys.modules["_frozen_importlib_external"].PathFinder.find_spec(name, path)
        loader = spec.loader
        execute = loader.exec_module

        def exec_module(module):
            execute(module)
            module._default_context._default_context = module._concrete_contexts["fork"]

        loader.exec_module = exec_module
        return spec


if sys.version_info >= (3, 14):
    sys.meta_path.insert(0, ForkFirst)
