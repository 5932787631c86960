"""What a program prints, as entries in order."""

import subprocess
import unittest

from harness import interpreter, run

OUT, ERR = ("stdout", "log"), ("stderr", "error")


class Output(unittest.TestCase):
    def prints(self, program, *wanted, **options):
        outcome = run(program, {"echo": lambda arguments: arguments}, **options)
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual([((source, level), text) for source, level, text in outcome.logs], list(wanted), outcome)
        return outcome

    def test_a_line_is_an_entry_and_what_is_unfinished_is_one_at_the_end(self):
        self.prints(
            "import sys\nprint('a', end='')\nprint('b')\nprint('c\\nd')\nprint()\nsys.stdout.write('e\\n\\n')\nprint('f', end='', flush=True)",
            (OUT, "ab"), (OUT, "c"), (OUT, "d"), (OUT, ""), (OUT, "e"), (OUT, ""), (OUT, "f"),
        )

    def test_the_two_streams_stay_in_the_order_of_what_was_written(self):
        self.prints(
            "import sys\nprint('1')\nprint('2', file=sys.stderr)\nsys.stdout.write('3')\nsys.stderr.write('4')\nsys.stdout.write('5\\n')\n"
            "sys.stderr.write('6\\n')\nsys.__stdout__.write('7\\n')\nsys.__stderr__.write('8\\n')",
            (OUT, "1"), (ERR, "2"), (OUT, "3"), (ERR, "4"), (OUT, "5"), (ERR, "6"), (OUT, "7"), (ERR, "8"),
        )

    def test_the_binary_stream_below_is_the_same_stream(self):
        self.prints(
            "import sys\nsys.stdout.write('a')\nsys.stdout.buffer.write('ü工'.encode())\nsys.stdout.buffer.write(bytearray(b'!\\n'))\n"
            "sys.stdout.buffer.write(memoryview(b'\\xff\\n'))\nsys.stdout.buffer.flush()\nsys.stdout.writelines(['x', 'y\\n'])",
            (OUT, "aü工!"), (OUT, "\ufffd"), (OUT, "xy"),
        )

    def test_a_character_may_come_in_two_writes(self):
        self.prints("import sys\nb = '工'.encode()\nsys.stdout.buffer.write(b[:1])\nsys.stdout.buffer.write(b[1:] + b'\\n')", (OUT, "工"))

    def test_what_the_library_prints_is_printed(self):
        program = (
            "import logging, pprint, traceback, warnings, sys\nlogging.warning('careful %s', [1])\npprint.pprint({'b': 1, 'a': [2]})\n"
            "try:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()\n    logging.getLogger('x').exception('went wrong')\nwarnings.warn('old')\nlogging.lastResort.stream"
        )
        lines = run(program).lines
        for text in ("WARNING:root:careful [1]", "{'a': [2], 'b': 1}", "ZeroDivisionError: division by zero", "ERROR:x:went wrong"):
            self.assertIn(text, lines)
        self.assertIn('  File "program.py", line 5, in <module>', lines)
        self.assertIn("    1 / 0", lines)
        self.assertTrue(any("program.py:9: UserWarning: old" in line for line in lines), lines)

    def test_the_last_resort_of_logging_is_standard_error(self):
        self.prints("import logging\nlogging.getLogger('x').warning('last resort')", (ERR, "last resort"))

    def test_streams_look_as_cpythons_do(self):
        outcome = run(
            "import sys, io\ns = sys.stdout\nreturn [isinstance(s, io.TextIOWrapper), isinstance(s.buffer, io.BufferedIOBase), s.encoding, s.name, s.mode, s.fileno(), "
            "sys.stderr.fileno(), s.isatty(), s.writable(), s.readable(), s.closed, s is sys.__stdout__, s.line_buffering, sys.stdin.read()]"
        )
        self.assertEqual(outcome.value, [True, True, "utf-8", "<stdout>", "w", 1, 2, False, True, False, False, True, True, ""])

    def test_what_cannot_be_encoded_is_shown_escaped(self):
        self.prints("print('a\\ud800b')", (OUT, "a\\ud800b"))

    def test_the_streams_can_be_replaced_and_are_flushed_at_the_end(self):
        self.prints(
            "import sys, io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()) as held:\n    print('held')\nprint(held.getvalue(), end='')\n"
            "sys.stdout = io.TextIOWrapper(io.BufferedWriter(sys.stdout.buffer), write_through=False)\nprint('late')",
            (OUT, "held"), (OUT, "late"),
        )

    def test_a_stream_that_breaks_at_the_end_does_not_change_the_result(self):
        outcome = run("import sys\nclass S:\n    def write(self, t): pass\n    def flush(self): raise SystemExit(9)\nsys.stdout = S()\nreturn 1")
        self.assertEqual((outcome.value, outcome.status), (1, 0))

    def test_native_writes_go_to_the_descriptors(self):
        outcome = run("import os, subprocess, sys\nos.write(1, b'native ')\nos.write(2, b'error')\nsubprocess.run(['/bin/echo', 'child'])\nsubprocess.run(['/bin/echo', 'there'], stdout=sys.stdout)\nprint('entry')")
        self.assertEqual((outcome.stdout, outcome.stderr, outcome.lines), (b"native child\nthere\n", b"error", ["entry"]))

    def test_a_forked_child_writes_natively_and_never_to_the_socket(self):
        outcome = run(
            "import os\nprint('before', end='')\npid = os.fork()\nif pid == 0:\n    print('in the child')\n    return 'from the child'\nos.waitpid(pid, 0)\nprint(' after')\nreturn 'from the parent'"
        )
        self.assertEqual((outcome.value, outcome.lines, outcome.stdout), ("from the parent", ["before after"], b"in the child\n"))
        outcome = run("import os\npid = os.fork()\nif pid == 0:\n    raise ValueError('lost')\nreturn os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])")
        self.assertEqual((outcome.value, outcome.logs), (1, []))
        self.assertIn(b"lost", outcome.stderr)

    def test_pools_of_processes_work(self):
        for start, pool in (
            ("import concurrent.futures, multiprocessing", "concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context('fork'))"),
            ("import concurrent.futures", "concurrent.futures.ProcessPoolExecutor(2)"),
            ("import multiprocessing", "multiprocessing.Pool(2)"),
            ("import multiprocessing\nmultiprocessing.set_start_method('fork')", "multiprocessing.Pool(2)"),
        ):
            with self.subTest(pool):
                outcome = run(f"{start}\ndef square(x): return x * x\nwith {pool} as pool:\n    return list(pool.map(square, range(5)))")
                self.assertEqual((outcome.value, outcome.logs), ([0, 1, 4, 9, 16], []), outcome)

    def test_a_start_method_that_the_program_chooses_is_the_one_that_it_gets(self):
        outcome = run("import multiprocessing as m\nbefore = m.get_start_method()\nm.set_start_method('spawn', force=True)\nreturn [before, m.get_start_method(), m.get_context().Process.__name__]")
        self.assertEqual(outcome.value, ["fork", "spawn", "SpawnProcess"], outcome)

    def test_threads_print_whole_lines_when_they_write_whole_lines(self):
        outcome = run(
            "import sys, threading\ndef work(i):\n    for j in range(200): sys.stdout.write(f'{i} {j} ' + 'x' * 300 + '\\n')\n"
            "threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]\nfor t in threads: t.start()\nfor t in threads: t.join()"
        )
        self.assertIsNone(outcome.failure)
        wanted = {f"{i} {j} " + "x" * 300 for i in range(8) for j in range(200)}
        self.assertEqual((set(outcome.lines), len(outcome.lines)), (wanted, 1600))

    def test_ten_thousand_lines_are_there_in_order_whatever_the_end(self):
        for end in ("raise ValueError", "os._exit(3)", "os.abort()", "os.kill(os.getpid(), 9)", "sys.exit(2)", "return"):
            with self.subTest(end):
                outcome = run(f"import os, sys\nfor i in range(10_000): print(f'line {{i}}')\n{end}")
                self.assertEqual(outcome.lines, [f"line {i}" for i in range(10_000)])

    def test_a_long_line_is_one_entry_and_an_endless_one_comes_in_pieces(self):
        self.prints("print('x' * 3_000_000)", (OUT, "x" * 3_000_000))
        outcome = run("import sys\nfor _ in range(20): sys.stdout.write('x' * 1_000_000)\nprint('\\nend')")
        self.assertEqual("".join(outcome.lines), "x" * 20_000_000 + "end")
        self.assertEqual(outcome.lines[-1], "end")
        self.assertTrue(all(len(line) <= 9_000_000 for line in outcome.lines))
        outcome = run("print('é' * 4000)\nprint('y')", max_value_bytes=8000)
        self.assertEqual("".join(outcome.lines[:-1]), "é" * 4000, outcome)
        self.assertEqual(outcome.lines[-1], "y")

    def test_programs_print_what_the_interpreter_prints(self):
        for program in (
            "from pprint import pprint\npprint({'b': list(range(40)), 'a': {'nested': ['text'] * 12}})\nprint({1, 2}, b'x', None, 1.5, -0.0, ('a',))",
            "print('a\\r\\nb')\nprint('tab\\tbell\\a')\nprint('five')",
            "import sys\nfor i in range(3):\n    print(i, end='\\r')\nprint('done')\nprint('last', end='')",
            "import csv, sys\ncsv.writer(sys.stdout).writerows([[1, 2], ['a', 'b c']])\nprint('end')",
        ):
            with self.subTest(program):
                wanted = subprocess.run([interpreter(), "-I", "-X", "utf8", "-c", program], capture_output=True, check=True).stdout.decode()
                self.assertEqual("\n".join(run(program).lines), wanted.removesuffix("\n"))


if __name__ == "__main__":
    unittest.main()
