"""JSON lines between a test and its helper: commands on standard input, events on standard output.

Events go out on a thread of their own, so that a test that does not read for a while never stops its helper.
"""

import atexit
import json
import queue
import sys
import threading

_events = queue.SimpleQueue()


def emit(event, **members):
    """Queues one event line."""
    _events.put({"event": event, **members})


def commands():
    """The commands of standard input, one JSON object a line, until its end: the test is gone then."""
    for line in sys.stdin:
        if line.strip():
            yield json.loads(line)


def _write():
    while (event := _events.get()) is not None:
        try:
            print(json.dumps(event), flush=True)
        except (BrokenPipeError, ValueError):
            return


def _drain():
    _events.put(None)
    _writer.join(timeout=5)


_writer = threading.Thread(target=_write, daemon=True)
_writer.start()
atexit.register(_drain)
