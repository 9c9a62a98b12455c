"""A Prosody of one's own: its configuration, data and log in one folder, on loopback, on free ports, never as root.

usage: private_prosody.py --folder DIR [--host HOST] [--hash SHA-1|SHA-256] [--certificate KIND]
                          [--certificates DIR] [--account NAME:PASSWORD ...] [--with MODULE ...] [--without MODULE ...]

Events: {"event":"ready","host","starttls","direct","ca"}: the ports, and the authority's file; {"event":"stopped"};
{"event":"failed","log"}; {"event":"presence","user","time"}: when somebody's initial presence came. Commands: {"do":"stop"} ends the server by SIGTERM, {"do":"kill"} by SIGKILL, {"do":"start"}
starts it again on the same ports and data. It ends with standard input, or by SIGTERM.
"""

import argparse
import ctypes
import os
import pwd
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading

import certificates
import lines
import ports

_MODULES = (
    "roster", "saslauth", "tls", "disco", "presence", "message", "iq", "offline", "c2s", "smacks", "mam", "carbons",
    "ping", "time", "version", "pep", "blocklist", "initial_presence")

_INITIAL_PRESENCE = re.compile(rb"initial presence of (\S+) at (\d+\.\d+)")

_CONFIGURATION = """
daemonize = false
pidfile = "{folder}/prosody.pid"
data_path = "{folder}/data"
plugin_paths = {{ "{folder}/modules" }}
modules_enabled = {{ {modules} }}
modules_disabled = {{ "s2s", "posix" }}
interfaces = {{ "127.0.0.1" }}
local_interfaces = {{ "127.0.0.1" }}
c2s_ports = {{ {starttls} }}
c2s_direct_tls_ports = {{ {direct} }}
s2s_ports = {{ }}
http_ports = {{ }}
https_ports = {{ }}
c2s_require_encryption = true
allow_registration = false
storage = "internal"
authentication = "internal_hashed"
password_hash = "{hash}"
archive_expires_after = "never"
log = {{ {{ levels = {{ min = "debug" }}; to = "console" }} }}
ssl = {{ certificate = "{folder}/server.pem"; key = "{folder}/server.key" }}
c2s_direct_tls_ssl = {{ certificate = "{folder}/server.pem"; key = "{folder}/server.key" }}
VirtualHost "{host}"
"""


class Prosody:
    """One server, which can be stopped and started again."""

    def __init__(self, options):
        self.folder = os.path.abspath(options.folder)
        self.options = options
        self.starttls, self.direct = ports.free_ports(2)
        self.user = _unprivileged_user()
        self.process = None
        self.ready = queue.SimpleQueue()

    def prepare(self):
        """Writes everything the server reads, and gives it to the user it runs as."""
        os.makedirs(f"{self.folder}/data", exist_ok=True)
        source = self.options.certificates
        if source is None:
            source = f"{self.folder}/certificates"
            os.makedirs(source, exist_ok=True)
            certificates.make(source, self.options.host)
        for part in ("pem", "key"):
            shutil.copy(f"{source}/{self.options.certificate}.{part}", f"{self.folder}/server.{part}")
        self.authority = os.path.abspath(f"{source}/ca.pem")
        os.makedirs(f"{self.folder}/modules", exist_ok=True)
        shutil.copy(f"{os.path.dirname(os.path.abspath(__file__))}/mod_initial_presence.lua", f"{self.folder}/modules")
        self._configure()
        for account in self.options.account:
            self._register(*account.split(":", 1))
        if self.user is not None:
            _give(self.folder, self.user)

    def _configure(self):
        modules = [m for m in (*_MODULES, *self.options.enable) if m not in self.options.disable]
        text = _CONFIGURATION.format(
            folder=self.folder, modules=" ".join(f'"{m}";' for m in modules), starttls=self.starttls,
            direct=self.direct, hash=self.options.hash, host=self.options.host)
        with open(f"{self.folder}/prosody.cfg.lua", "w", encoding="utf-8") as file:
            file.write(text)

    def _register(self, name, password):
        """An account file with the password as it is: Prosody hashes it at the first login."""
        accounts = f"{self.folder}/data/{_store_name(self.options.host)}/accounts"
        os.makedirs(accounts, exist_ok=True)
        quoted = "".join(f"\\{byte:03d}" for byte in password.encode())
        with open(f"{accounts}/{_store_name(name)}.dat", "w", encoding="ascii") as file:
            file.write(f'return {{ ["password"] = "{quoted}"; }};\n')

    def start(self):
        """Starts it, and says `ready` once both ports listen, or `failed` with the end of the log."""
        drop = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        self.process = subprocess.Popen(
            ["prosody", "--config", f"{self.folder}/prosody.cfg.lua"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder, preexec_fn=_die_with_parent, **drop)
        self.reader = threading.Thread(target=self._follow, args=(self.process.stdout,), daemon=True)
        self.reader.start()
        if self.ready.get():
            lines.emit(
                "ready", host=self.options.host, starttls=self.starttls, direct=self.direct, ca=self.authority)
            return True
        with open(f"{self.folder}/prosody.log", encoding="utf-8", errors="replace") as log:
            lines.emit("failed", log=log.read()[-8000:])
        return False

    def _follow(self, output):
        """Copies the log to its file; tells when both services are up, or that the server ended before, and who came."""
        waited = {f"on [127.0.0.1]:{self.starttls}", f"on [127.0.0.1]:{self.direct}"}
        with open(f"{self.folder}/prosody.log", "ab") as log:
            for line in output:
                log.write(line)
                log.flush()
                if presence := _INITIAL_PRESENCE.search(line):
                    lines.emit("presence", user=presence[1].decode(), time=float(presence[2]))
                if waited and b"Failed to open server port" in line:
                    break
                if waited and b"Activated service" in line:
                    waited = {text for text in waited if text.encode() not in line}
                    if not waited:
                        self.ready.put(True)
            if waited:
                self.process.kill()
                self.ready.put(False)

    def stop(self, signal_number):
        """Ends it and says `stopped` when it is gone."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal_number)
        self.process.wait()
        self.reader.join()
        lines.emit("stopped")


def _store_name(text):
    """A host or a user as Prosody's store names it in a path."""
    return "".join(c if c.isascii() and c.isalnum() else "".join(f"%{b:02x}" for b in c.encode()) for c in text)


def _unprivileged_user():
    """Whom to run it as: Prosody refuses root. Nobody else where we are not root."""
    if os.getuid() != 0:
        return None
    try:
        return pwd.getpwnam("prosody")
    except KeyError:
        return pwd.getpwnam("nobody")


def _give(folder, user):
    for path, folders, files in os.walk(folder):
        for name in (path, *(os.path.join(path, f) for f in (*folders, *files))):
            os.chown(name, user.pw_uid, user.pw_gid)


def _die_with_parent():
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def _options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True)
    parser.add_argument("--host", default="example.test")
    parser.add_argument("--hash", default="SHA-256", choices=("SHA-1", "SHA-256"))
    parser.add_argument("--certificate", default="good", choices=certificates.KINDS)
    parser.add_argument("--certificates")
    parser.add_argument("--account", action="append", default=[])
    parser.add_argument("--with", dest="enable", action="append", default=[])
    parser.add_argument("--without", dest="disable", action="append", default=[])
    return parser.parse_args()


def main():
    """Runs until standard input ends."""
    prosody = Prosody(_options())
    prosody.prepare()
    if not prosody.start():
        sys.exit(1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        for command in lines.commands():
            match command["do"]:
                case "start":
                    prosody.start()
                case "stop":
                    prosody.stop(signal.SIGTERM)
                case "kill":
                    prosody.stop(signal.SIGKILL)
    finally:
        prosody.stop(signal.SIGTERM)


if __name__ == "__main__":
    main()
