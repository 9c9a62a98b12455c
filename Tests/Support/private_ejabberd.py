"""An ejabberd of one's own, in one folder, on loopback, on free ports, never as root. It is no Erlang node, so that no
epmd is started for it.

usage: private_ejabberd.py --folder DIR [--host HOST] [--hash sha|sha256|sha512] [--certificate KIND]
                           [--certificates DIR] [--account NAME:PASSWORD ...] [--archive always|roster|never|none] [--people] [--rooms] [--upload PORT]

With --upload it takes files (mod_http_upload) at https://HOST:PORT/, up to 1 MiB each. STARTTLS is TLS 1.2 there, direct TLS is 1.3. Events and commands are those of private_server.py.
"""

import glob
import json
import os

import private_server
from private_server import PrivateServer

_CONFIGURATION = """
hosts: ["{host}"]
loglevel: info
certfiles: ["{folder}/chain.pem"]
listen:
  - port: {starttls}
    ip: "127.0.0.1"
    module: ejabberd_c2s
    starttls: true
    starttls_required: true
    protocol_options: [no_sslv3, no_tlsv1, no_tlsv1_1, no_tlsv1_3]
  - port: {direct}
    ip: "127.0.0.1"
    module: ejabberd_c2s
    tls: true
    protocol_options: [no_sslv3, no_tlsv1, no_tlsv1_1]
{listen}
auth_method: internal
auth_password_format: scram
auth_scram_hash: {hash}
modules:
  mod_carboncopy: {{}}
  mod_disco: {{}}
{archive}
  mod_offline: {{}}
  mod_ping: {{}}
  mod_roster: {{}}
  mod_stream_mgmt:
    resend_on_timeout: if_offline
"""

_PEOPLE = """  mod_blocking: {{}}
  mod_caps: {{}}
  mod_privacy: {{}}
  mod_pubsub:
    plugins: [flat, pep]
  mod_vcard: {{}}
  mod_vcard_xupdate: {{}}
"""

# Rooms stay, and have an archive.
_ROOMS = """  mod_muc:
    host: "rooms.{host}"
    access_mam: all
    default_room_options:
      persistent: true
      mam: true
"""

_LISTEN = """  - port: {port}
    ip: "127.0.0.1"
    module: ejabberd_http
    tls: true
    request_handlers:
      /upload: mod_http_upload
"""

_UPLOAD = """  mod_http_upload:
    access: all
    put_url: "https://{host}:{port}/upload"
    docroot: "{folder}/upload"
    max_size: 1048576
"""

# Whose messages it keeps; none: there is no archive.
_ARCHIVES = {policy: f"  mod_mam:\n    default: {policy}" for policy in ("always", "roster", "never")} | {"none": ""}

_REGISTERED = b"all accounts are registered"


class Ejabberd(PrivateServer):
    """Its log is on its standard output."""

    users = ("ejabberd", "nobody")
    log_name = "ejabberd.log"

    def signs(self):
        """Both ports are open and the accounts are there."""
        ports = (("TCP", self.starttls), ("TLS", self.direct))
        return {_REGISTERED} | {f"Start accepting {kind} connections at 127.0.0.1:{port} ".encode() for kind, port in ports}

    def command(self):
        """Without `-sname`, Erlang opens no port of its own."""
        register = " ".join(self._registration(*account.split(":", 1)) for account in self.options.account)
        return [
            "erl", "-noinput", "-mnesia", "dir", json.dumps(f"{self.folder}/spool"), "-s", "ejabberd", "-eval",
            f'{register} io:format("{_REGISTERED.decode()}~n").']

    def environment(self):
        """What ejabberdctl would set."""
        library = os.path.dirname(glob.glob("/usr/lib/*/ejabberd-*/ebin")[0])
        return {
            "ERL_LIBS": os.path.dirname(library), "HOME": self.folder, "ERL_CRASH_DUMP": "/dev/null",
            "EJABBERD_CONFIG_PATH": f"{self.folder}/ejabberd.yml", "SPOOL_DIR": f"{self.folder}/spool",
            "EJABBERD_LOG_PATH": f"{self.folder}/ejabberd-own.log"}

    def write_files(self):
        """Its configuration, and the certificate with its key in one file."""
        os.makedirs(f"{self.folder}/spool", exist_ok=True)
        with open(f"{self.folder}/chain.pem", "w", encoding="ascii") as chain:
            for part in ("pem", "key"):
                with open(f"{self.folder}/server.{part}", encoding="ascii") as file:
                    chain.write(file.read())
        with open(f"{self.folder}/ejabberd.yml", "w", encoding="utf-8") as file:
            configuration = _CONFIGURATION.format(
                host=self.options.host, folder=self.folder, starttls=self.starttls, direct=self.direct,
                hash=self.options.hash, archive=_ARCHIVES[self.options.archive], listen=self._of_upload(_LISTEN))
            parts = (_PEOPLE if self.options.people else "", _ROOMS if self.options.rooms else "")
            file.write(configuration + "".join(parts).format(host=self.options.host) + self._of_upload(_UPLOAD))

    def _of_upload(self, text):
        port = self.options.upload
        return text.format(port=port, host=self.options.host, folder=self.folder) if port else ""

    def _registration(self, name, password):
        words = ", ".join(f"<<{', '.join(str(byte) for byte in text.encode())}>>"
                          for text in (name, self.options.host, password))
        return f"ejabberd_auth:try_register({words}),"


def _options():
    parser = private_server.parser()
    parser.add_argument("--hash", default="sha512", choices=("sha", "sha256", "sha512"))
    parser.add_argument("--archive", default="always", choices=_ARCHIVES)
    parser.add_argument("--people", action="store_true")
    parser.add_argument("--rooms", action="store_true")
    parser.add_argument("--upload")
    return parser.parse_args()


if __name__ == "__main__":
    Ejabberd(_options()).run()
