"""A certificate authority of one's own, and server certificates good and bad, made by openssl (P-256).

usage: certificates.py FOLDER HOST

FOLDER/ca.pem is the authority. For each kind there are FOLDER/KIND.pem and FOLDER/KIND.key:
  good         of HOST, by the authority
  wrong-host   of another host, by the authority
  expired      of HOST, by the authority, long over
  untrusted    of HOST, by an authority that nobody knows
"""

import os
import subprocess
import sys

KINDS = ("good", "wrong-host", "expired", "untrusted")

_AUTHORITY = """
[ca]
default_ca = authority
[authority]
database = {folder}/{name}.index
serial = {folder}/{name}.serial
new_certs_dir = {folder}
certificate = {folder}/{name}.pem
private_key = {folder}/{name}.key
default_md = sha256
policy = policy
copy_extensions = none
unique_subject = no
[policy]
commonName = supplied
[req]
distinguished_name = subject
[subject]
[authority_extensions]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[server_extensions]
basicConstraints = critical,CA:false
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = DNS:{host}
"""


def make(folder, host):
    """Makes all of them in a folder that exists."""
    for authority in ("ca", "unknown-ca"):
        _authority(folder, authority, host)
    always = ("20200101000000Z", "20991231235959Z")
    _issue(folder, "good", "ca", host, *always)
    _issue(folder, "wrong-host", "ca", "elsewhere.invalid", *always)
    _issue(folder, "expired", "ca", host, "20200101000000Z", "20200201000000Z")
    _issue(folder, "untrusted", "unknown-ca", host, *always)


def _authority(folder, name, host):
    config = _configure(folder, name, host)
    for state, content in (("index", ""), ("serial", "1000\n")):
        _write(f"{folder}/{name}.{state}", content)
    _openssl(
        "req", "-x509", "-config", config, "-extensions", "authority_extensions", "-newkey", "ec", "-pkeyopt",
        "ec_paramgen_curve:P-256", "-nodes", "-days", "3650", "-subj", f"/CN=Confab test authority {name}",
        "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.pem")


def _issue(folder, kind, authority, host, start, end):
    config = _configure(folder, authority, host)
    request = f"{folder}/{kind}.csr"
    _openssl(
        "req", "-new", "-config", config, "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
        f"/CN={host}", "-keyout", f"{folder}/{kind}.key", "-out", request)
    _openssl(
        "ca", "-batch", "-notext", "-config", config, "-extensions", "server_extensions", "-startdate", start,
        "-enddate", end, "-in", request, "-out", f"{folder}/{kind}.pem")


def _configure(folder, name, host):
    path = f"{folder}/{name}.cnf"
    _write(path, _AUTHORITY.format(folder=folder, name=name, host=host))
    return path


def _write(path, content):
    with open(path, "w", encoding="ascii") as file:
        file.write(content)


def _openssl(*arguments):
    done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {' '.join(arguments)}:\n{done.stderr}")


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    make(sys.argv[1], sys.argv[2])
