"""What a test wants the scripted server to do at a stage, instead of what it would do."""

import base64
import string
import threading


class Rules:
    """Rules in the order in which they came; used from every connection's thread."""

    def __init__(self):
        self._lock = threading.Lock()
        self._rules = []

    def add(self, command):
        """A `rule` command as it stands in scripted_server.py."""
        rule = {"skip": 0, "times": None, "then": "nothing", "send": "", "chunk": None, **command}
        with self._lock:
            self._rules.append(rule)

    def clear(self):
        """Forgets all."""
        with self._lock:
            self._rules.clear()

    def take(self, stage):
        """The rule that answers this occurrence of a stage, if any; counts it."""
        with self._lock:
            for rule in self._rules:
                if rule["on"] != stage or rule["times"] == 0:
                    continue
                if rule["skip"] > 0:
                    rule["skip"] -= 1
                    continue
                if rule["times"] is not None:
                    rule["times"] -= 1
                return rule
        return None


def encode(spec, values):
    """The bytes of a BYTES of scripted_server.py, with its ${...} filled in."""
    if isinstance(spec, str):
        return string.Template(spec).safe_substitute(values).encode("utf-8", "surrogatepass")
    if isinstance(spec, list):
        return b"".join(encode(part, values) for part in spec)
    data = base64.b64decode(spec["base64"]) if "base64" in spec else encode(spec["text"], values)
    return data * spec.get("repeat", 1)
