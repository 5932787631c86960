"""The socket: golden frames, any chunking, and two full directions."""

import json
import os
import signal
import time
import unittest

from harness import CALL, DONE, FAILED, HEADER, HERE, LOG, READY, REPLY, START, Worker, start_payload
from parts import bootstrap_parts

VECTORS = HERE.parent.parent / "tests" / "vectors" / "frames.json"
KINDS = {"ready": READY, "call": CALL, "log": LOG, "done": DONE, "failed": FAILED, "start": START, "reply": REPLY}


class Golden(unittest.TestCase):
    def setUp(self):
        if not VECTORS.exists():
            self.skipTest("tests/vectors/frames.json is not there")
        self.vectors = [v for v in json.loads(VECTORS.read_text())["frames"] if v.get("only") in (None, "python")]
        self.parts = bootstrap_parts()

    def test_every_canonical_frame_of_a_worker_is_written_to_the_byte(self):
        chosen = [v for v in self.vectors if v["from"] == "worker" and v["expect"] == "message" and v["canonical"]]
        self.assertGreater(len(chosen), 10)
        for vector in chosen:
            with self.subTest(vector["name"]):
                fields = json.loads(vector["payload"])
                payload = self.parts["encode"](fields, "payload")
                self.assertEqual(self.parts["frame"](KINDS[vector["kind"]], vector["id"], payload).hex(), vector["hex"])

    def test_every_message_of_the_host_is_read(self):
        chosen = [v for v in self.vectors if v["from"] == "host" and v["expect"] == "message"]
        self.assertGreater(len(chosen), 5)
        for vector in chosen:
            with self.subTest(vector["name"]):
                data = bytes.fromhex(vector["hex"])
                magic, version, kind, flags, id, length = self.parts["unpack_header"](data)
                self.assertEqual((magic, version, kind, flags, id, length), (b"DAYF", 1, KINDS[vector["kind"]], vector["flags"], vector["id"], len(data) - 16))
                self.assertEqual(self.parts["decode"](data[16:]), json.loads(vector["payload"]))

    def test_what_is_not_lossless_is_refused_by_the_worker_at_the_same_path(self):
        chosen = [v for v in self.vectors if v["from"] == "worker" and v["expect"] == "refusal"]
        self.assertGreater(len(chosen), 3)
        for vector in chosen:
            with self.subTest(vector["name"]):
                fields = json.loads(vector["payload"], parse_int=lambda text: -0.0 if text == "-0" else int(text))
                name, key = ("result", "value") if vector["kind"] == "done" else ("args", "args")
                with self.assertRaises(self.parts["Refusal"]) as caught:
                    self.parts["encode"](fields[key], name)
                if "\ufffd" not in vector["path"]:
                    self.assertEqual(caught.exception.path, vector["path"])

    def test_another_magic_and_another_version_are_refused_by_name(self):
        for data, said in ((HEADER.pack(b"HTTP", 1, START, 0, 0, 2) + b"{}", b"not `start`"), (HEADER.pack(b"DAYF", 2, START, 0, 0, 2) + b"{}", b"version 2")):
            with Worker() as worker:
                worker.receive()
                worker.send_bytes(data)
                self.assertEqual(worker.wait(), 1)
                self.assertIn(said, os.read(worker.stderr, 65536))


class Wire(unittest.TestCase):
    def start(self, program, tools=("echo", "ping"), **settings):
        worker = Worker()
        self.addCleanup(worker.close)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 60)
        self.assertEqual(worker.receive()[0], READY)
        worker.send(START, 0, start_payload(program, tools, **settings))
        return worker

    def end(self, worker):
        frames = []
        while (frame := worker.receive()) is not None:
            frames.append((frame[0], json.loads(frame[3])))
        worker.wait()
        return frames

    def test_replies_cut_anywhere_and_glued_together_are_read(self):
        worker = self.start("import asyncio\nreturn await asyncio.gather(*[tools.echo(i) for i in range(20)])")
        ids = [worker.receive()[2] for _ in range(20)]
        data = b"".join(HEADER.pack(b"DAYF", 1, REPLY, 0, id, 7) + b'"%05d"' % id for id in reversed(ids))
        for at in range(0, len(data), 7):
            worker.send_bytes(data[at:at + 7])
            # A pause now and then lets the worker see a frame's beginning alone.
            if at % 91 == 0:
                time.sleep(0.001)
        self.assertEqual(self.end(worker), [(DONE, {"value": [f"{id:05}" for id in ids]})])

    def test_a_long_reply_behind_a_short_one_is_read(self):
        worker = self.start("import asyncio\nreturn [len(x) for x in await asyncio.gather(*[tools.echo(i) for i in range(4)])]")
        ids = [worker.receive()[2] for _ in range(4)]
        data = b""
        for id, length in zip(ids, (1, 300_000, 70_000, 2)):
            data += HEADER.pack(b"DAYF", 1, REPLY, 0, id, length + 2) + b'"' + b"x" * length + b'"'
        worker.send_bytes(data)
        self.assertEqual(self.end(worker), [(DONE, {"value": [1, 300_000, 70_000, 2]})])

    def test_two_full_directions_do_not_wait_for_each_other(self):
        # The program prints without end to a host that is itself busy sending answers and does not read.
        worker = self.start(
            "import asyncio\ncalls = [asyncio.create_task(tools.echo(i)) for i in range(8)]\nawait asyncio.sleep(0)\nawait tools.ping()\n"
            "for i in range(3000): print(f'{i} ' + 'x' * 2000)\nresults = await asyncio.gather(*calls)\nreturn [len(r) for r in results]"
        )
        ids = [worker.receive()[2] for _ in range(9)]
        worker.send(REPLY, ids[-1], "pong")
        # The worker's writes block now: the socket takes some 200 KiB.
        for id in ids[:-1]:
            worker.send(REPLY, id, "y" * 1_000_000)
        frames = self.end(worker)
        self.assertEqual([fields["text"].split(" ")[0] for kind, fields in frames[:-1]], [str(i) for i in range(3000)])
        self.assertEqual(frames[-1], (DONE, {"value": [1_000_000] * 8}))

    def test_calls_to_a_host_that_does_not_read_hold_nothing_else_back(self):
        worker = self.start(
            "import asyncio, os\ncalls = [asyncio.create_task(tools.echo('x' * 100_000)) for i in range(100)]\nawait asyncio.sleep(0.05)\n"
            "os.write(1, b'alive')\nprint('end')\nreturn [len(await c) for c in calls] == [3] * 100"
        )
        # A pipe of its own says that the loop goes on although the socket is full.
        self.assertEqual(os.read(worker.stdout, 10), b"alive")
        frames = []
        while (frame := worker.receive()) is not None:
            if frame[0] == CALL:
                worker.send(REPLY, frame[2], "yes")
            else:
                frames.append((frame[0], json.loads(frame[3])))
        self.assertEqual([fields for _, fields in frames], [{"source": "stdout", "level": "log", "text": "end"}, {"value": True}])

    def test_threads_that_print_while_calls_are_sent_never_mix_frames(self):
        worker = self.start(
            "import asyncio, sys, threading\nstop = False\ndef work():\n    while not stop: sys.stdout.write('z' * 5000 + '\\n')\n"
            "threads = [threading.Thread(target=work) for _ in range(3)]\nfor t in threads: t.start()\n"
            "for i in range(20): assert await asyncio.gather(*[tools.echo('x' * 20_000) for _ in range(5)]) == ['ok'] * 5\nstop = True\nreturn 1"
        )
        kinds = []
        while (frame := worker.receive()) is not None:
            kinds.append(frame[0])
            fields = json.loads(frame[3])
            if frame[0] == CALL:
                worker.send(REPLY, frame[2], "ok")
            elif frame[0] == LOG:
                self.assertEqual(set(fields["text"]), {"z"})
        self.assertEqual((kinds.count(CALL), kinds.count(DONE)), (100, 1))

    # A trace function holds a thread where its scheduler may: in the midst of a line of output.
    HELD = (
        "import sys, threading, time\ninside = threading.Event()\ndef held(frame, event, argument):\n"
        "    if frame.f_code.co_name == 'emit':\n        inside.set(); time.sleep(0.5)\n"
        "def work():\n    sys.settrace(held)\n    print('a line')\n    sys.settrace(None)\n"
        "thread = threading.Thread(target=work)\n"
        "def hold():\n    sys.settrace(None); thread.start(); inside.wait()\n"
    )

    def test_a_run_settles_while_a_thread_is_in_the_midst_of_a_line(self):
        begins = "def begins(frame, event, argument):\n    if frame.f_code.co_name == 'quieten': hold()\nsys.settrace(begins)\nreturn 1"
        frames = self.end(self.start(self.HELD + begins))
        self.assertEqual(frames[-1], (DONE, {"value": 1}))
        self.assertEqual([fields["text"] for _, fields in frames[:-1]], ["a line"])

    def test_what_prints_within_the_write_of_a_call_waits_for_no_thread_that_waits_for_the_write(self):
        worker = self.start(
            self.HELD + "hold()\ndef prints(frame, event, argument):\n    if frame.f_code.co_name == 'write_queue':\n"
            "        sys.settrace(None); print('within')\nsys.settrace(prints)\nreturn await tools.echo(1)"
        )
        kinds, texts = [], []
        while (frame := worker.receive()) is not None:
            kinds.append(frame[0])
            if frame[0] == CALL:
                worker.send(REPLY, frame[2], "ok")
            elif frame[0] == LOG:
                texts.append(json.loads(frame[3])["text"])
        self.assertEqual((kinds.count(CALL), kinds[-1], sorted(texts)), (1, DONE, ["a line", "within"]))

    def test_a_signal_handler_and_a_destructor_may_print_within_a_print(self):
        worker = self.start(
            "import signal\nsignal.signal(signal.SIGALRM, lambda *_: print('from the handler'))\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\n"
            "class D:\n    def __del__(self): print('from the destructor')\n    def __str__(self): return 'printed'\n"
            "for i in range(5000):\n    ring = D(); ring.ring = ring\n    print(D())\nsignal.setitimer(signal.ITIMER_REAL, 0)\nreturn 1"
        )
        frames = self.end(worker)
        self.assertEqual(frames[-1], (DONE, {"value": 1}))
        self.assertGreater(sum("handler" in fields.get("text", "") for _, fields in frames), 0)

    def test_a_host_that_is_gone_ends_the_worker(self):
        for program in ("while True: print('x' * 100)", "await tools.echo(1)", "import asyncio\nawait tools.ping()\nawait asyncio.sleep(100)"):
            worker = self.start(program)
            worker.socket.close()
            self.assertEqual(worker.wait(), 1, program)

    def test_the_descriptor_of_a_finished_worker_is_at_its_end_and_not_reset(self):
        worker = self.start("import asyncio\nt = asyncio.create_task(tools.echo(1))\nawait asyncio.sleep(0)\nawait tools.ping()\nreturn 1")
        ids = [worker.receive()[2] for _ in range(2)]
        worker.send(REPLY, ids[1], "pong")
        self.assertEqual(worker.receive()[0], DONE)
        self.assertEqual(worker.socket.recv(1), b"")


if __name__ == "__main__":
    unittest.main()
