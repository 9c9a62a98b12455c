"""A Prosody of one's own: its configuration, data and log in one folder, on loopback, on free ports, never as root.

usage: private_prosody.py --folder DIR [--host HOST] [--hash SHA-1|SHA-256] [--tls 1.2|1.3] [--certificate KIND]
                          [--certificates DIR] [--account NAME:PASSWORD ...] [--with MODULE ...] [--without MODULE ...]
                          [--archive always|roster|never] [--upload PORT]

With --upload it takes files (mod_http_file_share) at https://HOST:PORT/, up to 1 MiB each.

Events and commands are those of private_server.py, and {"event":"presence","user","time"}: when somebody's initial
presence came; {"event":"resumed","user","time"}: when somebody's stream was resumed.
"""

import os
import re
import shutil

import lines
import private_server
from private_server import PrivateServer

_MODULES = (
    "roster", "saslauth", "tls", "disco", "presence", "message", "iq", "offline", "c2s", "smacks", "mam", "carbons",
    "ping", "time", "version", "pep", "blocklist", "initial_presence")

# Whose messages mod_mam keeps.
_ARCHIVE_POLICIES = {"always": "true", "roster": '"roster"', "never": "false"}

_NEWS = re.compile(rb"(initial presence|resumption) of (\S+) at (\d+\.\d+)")

_CONFIGURATION = """
daemonize = false
pidfile = "{folder}/prosody.pid"
data_path = "{folder}/data"
plugin_paths = {{ "{folder}/modules" }}
modules_enabled = {{ {modules} }}
modules_disabled = {{ "s2s" }}
interfaces = {{ "127.0.0.1" }}
local_interfaces = {{ "127.0.0.1" }}
c2s_ports = {{ {starttls} }}
c2s_direct_tls_ports = {{ {direct} }}
s2s_ports = {{ }}
http_ports = {{ }}
https_ports = {{ {upload} }}
c2s_require_encryption = true
allow_registration = false
storage = "internal"
authentication = "internal_hashed"
password_hash = "{hash}"
-- More than a long test says, so that the archive is not cut while it is read.
storage_archive_item_limit = 1000000
archive_expires_after = "never"
default_archive_policy = {archive}
log = {{ {{ levels = {{ min = "debug" }}; to = "console" }} }}
ssl = {{ {protocol}certificate = "{folder}/server.pem"; key = "{folder}/server.key" }}
c2s_direct_tls_ssl = {{ {protocol}certificate = "{folder}/server.pem"; key = "{folder}/server.key" }}
VirtualHost "{host}"
"""

_UPLOAD = """
https_ssl = {{ certificate = "{folder}/server.pem"; key = "{folder}/server.key" }}
Component "upload.{host}" "http_file_share"
http_host = "{host}"
http_external_url = "https://{host}:{port}/"
http_file_share_size_limit = 1024 * 1024
"""

# With an archive (mod_muc_mam), where rooms stay, and without one, where they stay (`lasting`), or go when the last
# occupant leaves (`plain`); `old` has an archive, and moderates as older servers do.
_ROOMS = """
Component "rooms.{host}" "muc"
modules_enabled = {{ "muc_mam", "room_moderation" }}
muc_log_by_default = true
muc_room_default_persistent = true
Component "old.{host}" "muc"
modules_enabled = {{ "muc_mam", "room_moderation" }}
moderation_versions = {{ 0 }}
muc_log_by_default = true
muc_room_default_persistent = true
Component "lasting.{host}" "muc"
muc_room_default_persistent = true
Component "plain.{host}" "muc"
"""


class Prosody(PrivateServer):
    """Its log is on its standard output."""

    users = ("prosody", "nobody")
    log_name = "prosody.log"
    failure = b"Failed to open server port"

    def signs(self):
        """Both ports are open."""
        return {f"on [127.0.0.1]:{port}".encode() for port in (self.starttls, self.direct)}

    def command(self):
        """What runs it in the foreground."""
        return ["prosody", "--config", f"{self.folder}/prosody.cfg.lua"]

    def heard(self, line):
        """Tells who came."""
        if news := _NEWS.search(line):
            event = "resumed" if news[1] == b"resumption" else "presence"
            lines.emit(event, user=news[2].decode(), time=float(news[3]))

    def write_files(self):
        """Its configuration, modules and accounts."""
        os.makedirs(f"{self.folder}/data", exist_ok=True)
        os.makedirs(f"{self.folder}/modules", exist_ok=True)
        for name in ("initial_presence", "omemo2_alone", "room_moderation"):
            shutil.copy(f"{os.path.dirname(os.path.abspath(__file__))}/mod_{name}.lua", f"{self.folder}/modules")
        self._configure()
        for account in self.options.account:
            self._register(*account.split(":", 1))

    def _configure(self):
        modules = [m for m in (*_MODULES, *self.options.enable) if m not in self.options.disable]
        protocol = 'protocol = "tlsv1_2"; ' if self.options.tls == "1.2" else ""
        text = _CONFIGURATION.format(
            folder=self.folder, modules=" ".join(f'"{m}";' for m in modules), starttls=self.starttls,
            direct=self.direct, hash=self.options.hash, host=self.options.host, protocol=protocol,
            archive=_ARCHIVE_POLICIES[self.options.archive], upload=self.options.upload or "")
        if self.options.rooms:
            text += _ROOMS.format(host=self.options.host)
        if self.options.upload:
            text += _UPLOAD.format(folder=self.folder, host=self.options.host, port=self.options.upload)
        with open(f"{self.folder}/prosody.cfg.lua", "w", encoding="utf-8") as file:
            file.write(text)

    def _register(self, name, password):
        """An account file with the password as it is: Prosody hashes it at the first login."""
        accounts = f"{self.folder}/data/{_store_name(self.options.host)}/accounts"
        os.makedirs(accounts, exist_ok=True)
        quoted = "".join(f"\\{byte:03d}" for byte in password.encode())
        with open(f"{accounts}/{_store_name(name)}.dat", "w", encoding="ascii") as file:
            file.write(f'return {{ ["password"] = "{quoted}"; }};\n')


def _store_name(text):
    """A host or a user as Prosody's store names it in a path."""
    return "".join(c if c.isascii() and c.isalnum() else "".join(f"%{b:02x}" for b in c.encode()) for c in text)


def _options():
    parser = private_server.parser()
    parser.add_argument("--hash", default="SHA-256", choices=("SHA-1", "SHA-256"))
    parser.add_argument("--tls", choices=("1.2", "1.3"), default="1.3")
    parser.add_argument("--archive", default="always", choices=_ARCHIVE_POLICIES)
    parser.add_argument("--upload")
    parser.add_argument("--rooms", action="store_true")
    parser.add_argument("--with", dest="enable", action="append", default=[])
    parser.add_argument("--without", dest="disable", action="append", default=[])
    return parser.parse_args()


if __name__ == "__main__":
    Prosody(_options()).run()
