"""How a run ends that does not end by its last line."""

import unittest

from harness import NOTHING, NoReply, ToolFailure, run


def fail(_):
    raise ToolFailure("the disk is full")


def never(_):
    raise NoReply


TOOLS = {"ping": lambda _: "pong", "fail": fail, "never": never}


class Exits(unittest.TestCase):
    def leaves(self, program, status, *lines):
        outcome = run("import os, sys, asyncio\n" + program, TOOLS)
        self.assertFalse(outcome.settled, outcome)
        self.assertEqual((outcome.status, tuple(outcome.lines)), (status, lines), outcome)

    def test_an_exit_is_the_process_own_with_its_code(self):
        for call, status in (
            ("sys.exit(0)", 0), ("sys.exit()", 0), ("sys.exit(None)", 0), ("sys.exit(3)", 3), ("sys.exit(256 + 7)", 7),
            ("sys.exit(True)", 1), ("raise SystemExit", 0), ("raise SystemExit(7)", 7), ("exit(2)", 2), ("quit()", 0), ("os._exit(9)", 9),
        ):
            for before in ("print('before')", "print('before')\nawait tools.ping()", "print('before', end='')"):
                with self.subTest(call, before=before):
                    self.leaves(f"{before}\n{call}\nprint('after')", status, "before")

    def test_an_exit_with_a_text_prints_it_and_is_one(self):
        self.leaves("print('a', end='')\nsys.exit('no such table')", 1, "a", "no such table")

    def test_an_exit_in_a_task_a_callback_or_a_script_is_an_exit(self):
        self.leaves("async def f(): sys.exit(4)\nt = asyncio.create_task(f())\nawait asyncio.sleep(100)", 4)
        self.leaves("asyncio.get_running_loop().call_later(0.001, sys.exit, 4)\nawait asyncio.sleep(100)", 4)
        self.leaves("async def f(): sys.exit(5)\nasyncio.run(f())", 5)
        self.leaves("try:\n    sys.exit(6)\nfinally:\n    print('finally')", 6, "finally")

    def test_an_exit_can_be_caught(self):
        outcome = run("import sys\ntry:\n    sys.exit(1)\nexcept SystemExit as e:\n    return e.code")
        self.assertEqual(outcome.value, 1)

    def test_signals_and_aborts_are_the_process_own(self):
        self.leaves("print('a', end='')\nos.abort()", -6, "a")
        self.leaves("print('a')\nos.kill(os.getpid(), 9)", -9, "a")

    def test_a_crash_of_the_interpreter_is_a_signal(self):
        self.leaves("print('a')\nimport ctypes\nctypes.string_at(0)", -11, "a")


class Unheard(unittest.TestCase):
    def fails(self, program, name, *says, line=None, lines=None):
        outcome = run("import asyncio, threading\n" + program, TOOLS)
        self.assertIsNotNone(outcome.failure, outcome)
        self.assertEqual((outcome.failure["kind"], outcome.failure["name"], outcome.status), ("exception", name, 0), outcome)
        for text in says:
            self.assertIn(text, outcome.failure["message"])
        if line is not None:
            self.assertEqual(outcome.failure.get("line"), line, outcome)
        if lines is not None:
            self.assertEqual(outcome.lines, lines)
        return outcome

    LOST = "async def lost():\n    raise ValueError('lost')\n"

    def test_a_task_that_failed_and_was_dropped_ends_the_run_at_once(self):
        self.fails(self.LOST + "asyncio.create_task(lost())\nawait asyncio.sleep(100)", "ValueError", "lost", line=3)

    def test_a_task_that_failed_and_was_kept_ends_the_run_at_its_end(self):
        self.fails(self.LOST + "t = asyncio.create_task(lost())\nawait asyncio.sleep(0.01)\nprint('end')\nreturn 1", "ValueError", "lost", line=3, lines=["end"])
        self.fails("t = asyncio.ensure_future(tools.fail())\nawait tools.ping()\nawait tools.ping()\nreturn 1", "ToolCallError", "the disk is full", "tools.fail")

    def test_a_failure_that_was_looked_at_is_none(self):
        for look in ("await t", "t.result()", "raise t.exception()"):
            outcome = run(f"import asyncio\n{self.LOST}t = asyncio.create_task(lost())\nawait asyncio.sleep(0.01)\ntry:\n    {look}\nexcept ValueError as e:\n    return str(e)")
            self.assertEqual(outcome.value, "lost", outcome)
        outcome = run(f"import asyncio\n{self.LOST}r = await asyncio.gather(lost(), lost(), return_exceptions=True)\nreturn [str(e) for e in r]")
        self.assertEqual(outcome.value, ["lost", "lost"], outcome)
        outcome = run(f"import asyncio\n{self.LOST}try:\n    await asyncio.gather(lost(), lost())\nexcept ValueError as e:\n    return str(e)")
        self.assertEqual(outcome.value, "lost", outcome)

    def test_an_exception_in_a_callback_ends_the_run(self):
        for call in ("call_soon(late)", "call_later(0.001, late)"):
            self.fails(f"def late():\n    raise ValueError('in a timer')\nasyncio.get_running_loop().{call}\nawait asyncio.sleep(100)", "ValueError", "in a timer", line=3)

    def test_an_exception_in_a_thread_ends_the_run(self):
        self.fails("def work():\n    raise ValueError('in a thread')\nthreading.Thread(target=work).start()\nawait asyncio.sleep(100)", "ValueError", "in a thread", line=3)
        self.fails("def work():\n    raise ValueError('in a thread')\nimport _thread, time\n_thread.start_new_thread(work, ())\ntime.sleep(100)", "ValueError", "in a thread", line=3)

    def test_an_exit_in_a_thread_ends_the_thread_alone(self):
        outcome = run("import sys, threading\nt = threading.Thread(target=sys.exit)\nt.start()\nt.join()\nreturn 1")
        self.assertEqual(outcome.value, 1)

    def test_a_threads_result_belongs_to_who_asks_for_it(self):
        outcome = run("import asyncio\ndef work(): raise ValueError('x')\ntry:\n    await asyncio.to_thread(work)\nexcept ValueError as e:\n    return str(e)")
        self.assertEqual(outcome.value, "x")

    def test_threads_that_go_on_do_not_hold_the_end_back(self):
        outcome = run("import threading, time\nthreading.Thread(target=time.sleep, args=(100,)).start()\nreturn 1")
        self.assertEqual((outcome.value, outcome.status), (1, 0))

    def test_failures_in_other_loops_are_heard_too(self):
        self.fails(self.LOST + "async def main():\n    asyncio.create_task(lost())\n    await asyncio.sleep(100)\nasyncio.run(main())", "ValueError", "lost", line=3)


class Dead(unittest.TestCase):
    def dead(self, program, line=None):
        outcome = run("import asyncio\n" + program, TOOLS)
        self.assertIsNotNone(outcome.failure, outcome)
        self.assertEqual((outcome.failure["name"], outcome.status), ("DeadlockError", 0), outcome)
        self.assertIn("waits", outcome.failure["message"])
        if line is not None:
            self.assertEqual(outcome.failure.get("line"), line, outcome)
            self.assertIn(f"line {line}", outcome.failure["message"])

    def test_a_loop_in_which_nothing_can_happen_is_told_with_its_line(self):
        self.dead("print('x')\nawait asyncio.Event().wait()", 3)
        self.dead("async def inner():\n    await asyncio.get_running_loop().create_future()\nawait inner()", 3)
        self.dead("await tools.ping()\nlock = asyncio.Lock()\nasync with lock:\n    async with lock:\n        pass", 5)
        self.dead("await asyncio.Queue().get()", 2)
        self.dead("await asyncio.sleep(0.01)\nawait asyncio.Event().wait()", 3)

    def test_an_idle_pool_of_threads_wakes_nobody(self):
        self.dead("await asyncio.to_thread(print, 'x')\nawait asyncio.Event().wait()", 3)

    def test_a_stopped_loop_is_told(self):
        self.dead("asyncio.get_running_loop().stop()\nawait asyncio.sleep(100)")

    def test_a_dead_loop_of_a_scripts_own_is_told(self):
        self.dead("async def main():\n    await asyncio.Event().wait()\nasyncio.run(main())")

    def test_what_can_still_wake_the_loop_is_waited_for(self):
        for program in (
            "event = asyncio.Event()\nasyncio.get_running_loop().call_later(0.05, event.set)\nawait event.wait()",
            "import threading, time\nloop = asyncio.get_running_loop()\nevent = asyncio.Event()\n"
            "def work():\n    time.sleep(0.05)\n    loop.call_soon_threadsafe(event.set)\nthreading.Thread(target=work).start()\nawait event.wait()",
            "import time\nawait asyncio.to_thread(time.sleep, 0.05)",
            # The pool's thread is idle in between: it must not be taken for idle when it has been given work again.
            "for i in range(50): await asyncio.to_thread(lambda: 1)",
            "for i in range(10): await asyncio.gather(*[asyncio.to_thread(lambda: 1) for _ in range(10)])",
            "import time\nawait asyncio.gather(*[asyncio.to_thread(time.sleep, 0.001 * i) for i in range(40)])",
            "p = await asyncio.create_subprocess_exec('/bin/sleep', '0.05')\nassert await p.wait() == 0",
            "p = await asyncio.create_subprocess_exec('/bin/echo', 'x', stdout=asyncio.subprocess.PIPE)\nassert (await p.communicate())[0] == b'x\\n'",
            "import socket\na, b = socket.socketpair()\na.setblocking(False)\nimport threading, time\n"
            "threading.Timer(0.05, b.send, [b'x']).start()\nassert await asyncio.get_running_loop().sock_recv(a, 1) == b'x'",
            "import os\nr, w = os.pipe()\nevent = asyncio.Event()\nasyncio.get_running_loop().add_reader(r, event.set)\n"
            "pid = os.fork()\nif pid == 0:\n    os.write(w, b'x')\n    os._exit(0)\nawait event.wait()",
            "import signal\nevent = asyncio.Event()\nasyncio.get_running_loop().add_signal_handler(signal.SIGALRM, event.set)\nsignal.alarm(1)\nawait event.wait()",
            "import signal\nevent = asyncio.Event()\nsignal.signal(signal.SIGALRM, lambda *_: asyncio.get_running_loop().call_soon_threadsafe(event.set))\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\nawait event.wait()",
        ):
            with self.subTest(program):
                outcome = run("import asyncio\n" + program + "\nreturn 'woken'", TOOLS)
                self.assertEqual(outcome.value, "woken", outcome)


if __name__ == "__main__":
    unittest.main()
