"""What the real servers of the tests have in common: a folder, loopback, free ports, and a user who is not root.

Events: {"event":"ready","host","starttls","direct","ca"}: the ports, and the authority's file; {"event":"stopped"};
{"event":"failed","log"}. Commands: {"do":"stop"} ends the server by SIGTERM, {"do":"kill"} by SIGKILL, {"do":"start"}
starts it again on the same ports and data. It ends with standard input, or by SIGTERM.
"""

import argparse
import ctypes
import os
import pwd
import queue
import shutil
import signal
import subprocess
import sys
import threading

import certificates
import lines
import ports


class PrivateServer:
    """One server, which can be stopped and started again. What differs is in the subclass: `command` and `environment`
    to run it in the foreground, `write_files` in `folder`, and the `signs` in its output that it is up."""

    #: Whom to run it as: the first that there is.
    users = ("nobody",)
    log_name = "server.log"
    #: In a line that says that it will not come up.
    failure = b"\0"

    def __init__(self, options):
        self.folder = os.path.abspath(options.folder)
        self.options = options
        self.starttls, self.direct = ports.free_ports(2)
        self.authority = None
        self._user = _unprivileged_user(self.users)
        self._process = None
        self._reader = None
        self._ready = queue.SimpleQueue()

    def run(self):
        """Starts it and does what it is told until standard input ends."""
        self._prepare()
        if not self._start():
            sys.exit(1)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        try:
            for command in lines.commands():
                match command["do"]:
                    case "start":
                        self._start()
                    case "stop":
                        self._stop(signal.SIGTERM)
                    case "kill":
                        self._stop(signal.SIGKILL)
        finally:
            self._stop(signal.SIGKILL)

    def environment(self):
        """Variables that it needs beside ours."""
        return {}

    def heard(self, line):
        """A line of its output."""

    def _prepare(self):
        """Writes everything the server reads, and gives it to the user it runs as."""
        os.makedirs(self.folder, exist_ok=True)
        source = self.options.certificates
        if source is None:
            source = f"{self.folder}/certificates"
            os.makedirs(source, exist_ok=True)
            certificates.make(source, self.options.host)
        for part in ("pem", "key"):
            shutil.copy(f"{source}/{self.options.certificate}.{part}", f"{self.folder}/server.{part}")
        self.authority = os.path.abspath(f"{source}/ca.pem")
        self.write_files()
        if self._user is not None:
            _give(self.folder, self._user)

    def _start(self):
        """Starts it, and says `ready` once it is up, or `failed` with the end of the log."""
        drop = {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []} if self._user else {}
        self._process = subprocess.Popen(
            self.command(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=self.folder, env=os.environ | self.environment(), preexec_fn=_die_with_parent, **drop)
        self._reader = threading.Thread(target=self._follow, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        if self._ready.get():
            lines.emit(
                "ready", host=self.options.host, starttls=self.starttls, direct=self.direct, ca=self.authority)
            return True
        with open(f"{self.folder}/{self.log_name}", encoding="utf-8", errors="replace") as log:
            lines.emit("failed", log=log.read()[-8000:])
        return False

    def _follow(self, output):
        """Copies the log to its file; tells when the server is up, or that it ended before."""
        waited = self.signs()
        with open(f"{self.folder}/{self.log_name}", "ab") as log:
            for line in output:
                log.write(line)
                log.flush()
                self.heard(line)
                if not waited:
                    continue
                if self.failure in line:
                    break
                waited = {sign for sign in waited if sign not in line}
                if not waited:
                    self._ready.put(True)
            if waited:
                self._process.kill()
                self._ready.put(False)

    def _stop(self, signal_number):
        """Ends it and says `stopped` when it is gone."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal_number)
        self._process.wait()
        self._reader.join()
        lines.emit("stopped")


def parser():
    """The options that every server has."""
    options = argparse.ArgumentParser()
    options.add_argument("--folder", required=True)
    options.add_argument("--host", default="example.test")
    options.add_argument("--certificate", default="good", choices=certificates.KINDS)
    options.add_argument("--certificates")
    options.add_argument("--account", action="append", default=[], metavar="NAME:PASSWORD")
    return options


def _unprivileged_user(names):
    """Whom to run it as. Nobody else where we are not root."""
    if os.getuid() != 0:
        return None
    known = {user.pw_name: user for user in pwd.getpwall()}
    return next(known[name] for name in names if name in known)


def _give(folder, user):
    for path, folders, files in os.walk(folder):
        for name in (path, *(os.path.join(path, f) for f in (*folders, *files))):
            os.chown(name, user.pw_uid, user.pw_gid)


def _die_with_parent():
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
