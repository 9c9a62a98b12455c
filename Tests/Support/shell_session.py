"""An interactive shell at a terminal, for what it makes of keys: completion as a person has it.

usage: shell_session.py SHELL HOME BIN KEYS

SHELL is bash, zsh or fish, with HOME as its home and BIN first on its PATH. KEYS are typed, as Python writes them
(`\\t` for Tab), once the shell has shown its prompt; then the shell is left. What it showed comes out here.
"""

import os
import pty
import select
import sys
import time

_PROMPT = b"ready> "
_COMMANDS = {
    "bash": ["bash", "--rcfile", "rc", "-i"],
    "zsh": ["zsh", "-i"],
    "fish": ["fish", "-i"],
}


def _child(shell, home, binaries):
    os.chdir(home)
    environment = {
        "HOME": home, "ZDOTDIR": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "TERM": "dumb", "LANG": "C.UTF-8",
        "PATH": binaries + ":" + os.environ["PATH"]}
    os.execvpe(shell, _COMMANDS[shell], environment)


class Terminal:
    """The shell's other side."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self.shown = b""

    def until(self, text, limit=30):
        """Reads until the text has been shown after what was there; false at the end or after so many seconds."""
        start, end = len(self.shown), time.monotonic() + limit
        while text not in self.shown[start:]:
            ready, _, _ = select.select([self._descriptor], [], [], max(0, end - time.monotonic()))
            if not ready or not self._read():
                return False
        return True

    def to_end(self):
        """Reads until the shell has ended."""
        while self._read():
            pass

    def _read(self):
        try:
            data = os.read(self._descriptor, 65536)
        except OSError:
            return False
        self.shown += data
        return bool(data)

    def type(self, text):
        """Types it."""
        os.write(self._descriptor, text)


def main():
    """Types the keys at the prompt, and leaves once the next prompt is there."""
    shell, home, binaries, keys = sys.argv[1:5]
    number, descriptor = pty.fork()
    if not number:
        _child(shell, home, binaries)
    terminal = Terminal(descriptor)
    terminal.until(_PROMPT)
    terminal.type(keys.encode().decode("unicode_escape").encode("latin-1"))
    terminal.until(_PROMPT)
    terminal.type(b"exit\r")
    terminal.to_end()
    sys.stdout.buffer.write(terminal.shown)


if __name__ == "__main__":
    main()
