"""A certificate authority of one's own, and server certificates good and bad, made by openssl (P-256).

usage: certificates.py FOLDER HOST

FOLDER/ca.pem is the authority. For each kind there are FOLDER/KIND.pem and FOLDER/KIND.key:
  good         of HOST, by the authority
  wrong-host   of another host, by the authority
  expired      of HOST, by the authority, long over
  early        of HOST, by the authority, not valid before 2090
  untrusted    of HOST, by an authority that nobody knows
  self-signed  of HOST, by nobody else
  by-a-server  of HOST, signed with the key of `good`, which is no authority
  common-name  of HOST by its common name alone
  wildcard     of a part of HOST's first label and a star
  nul          of HOST, a NUL, and another domain, in one name
  client-only  of HOST, by the authority, for clients to show
"""

import os
import subprocess
import sys

KINDS = (
    "good", "wrong-host", "expired", "early", "untrusted", "self-signed", "by-a-server", "common-name", "wildcard", "nul",
    "client-only")

NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")

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
extendedKeyUsage = {usage}
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
{names}
"""


def make(folder, host):
    """Makes all of them in a folder that exists."""
    for authority in ("ca", "unknown-ca"):
        _authority(folder, authority)
    always = ("20200101000000Z", "20991231235959Z")
    mine = f"subjectAltName = DNS:{host}"
    _issue(folder, "good", "ca", host, always, mine)
    _issue(folder, "wrong-host", "ca", host, always, "subjectAltName = DNS:elsewhere.invalid")
    _issue(folder, "expired", "ca", host, ("20200101000000Z", "20200201000000Z"), mine)
    _issue(folder, "early", "ca", host, ("20900101000000Z", "20991231235959Z"), mine)
    _issue(folder, "untrusted", "unknown-ca", host, always, mine)
    _issue(folder, "common-name", "ca", host, always, "")
    _issue(folder, "wildcard", "ca", host, always, f"subjectAltName = DNS:{host[0]}*{host[host.index('.'):]}")
    _issue(folder, "nul", "ca", host, always, f"subjectAltName = DER:{_names(host.encode() + b'%c.evil.invalid' % 0)}")
    _issue(folder, "client-only", "ca", host, always, mine, usage="clientAuth")
    _sign_itself(folder, host)
    _sign_by_server(folder, host)


def _authority(folder, name):
    config = _configure(folder, name, "", "serverAuth")
    for state, content in (("index", ""), ("serial", "1000\n")):
        _write(f"{folder}/{name}.{state}", content)
    _openssl(
        "req", "-x509", "-config", config, "-extensions", "authority_extensions", *NEW_KEY, "-days", "3650", "-subj",
        f"/CN=Confab test authority {name}", "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.pem")


def _issue(folder, kind, authority, host, period, names, usage="serverAuth"):
    config = _configure(folder, authority, names, usage)
    request = f"{folder}/{kind}.csr"
    _openssl(
        "req", "-new", "-config", config, *NEW_KEY, "-subj", f"/CN={host}", "-keyout", f"{folder}/{kind}.key", "-out",
        request)
    _openssl(
        "ca", "-batch", "-notext", "-config", config, "-extensions", "server_extensions", "-startdate", period[0],
        "-enddate", period[1], "-in", request, "-out", f"{folder}/{kind}.pem")


def _sign_itself(folder, host):
    _openssl(
        "req", "-x509", *NEW_KEY, "-days", "3650", "-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}",
        "-keyout", f"{folder}/self-signed.key", "-out", f"{folder}/self-signed.pem")


def _sign_by_server(folder, host):
    path = f"{folder}/by-a-server"
    _openssl(
        "req", "-new", *NEW_KEY, "-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}", "-keyout",
        f"{path}.key", "-out", f"{path}.csr")
    _openssl(
        "x509", "-req", "-in", f"{path}.csr", "-CA", f"{folder}/good.pem", "-CAkey", f"{folder}/good.key",
        "-set_serial", "4096", "-copy_extensions", "copyall", "-days", "3650", "-out", f"{path}.pem")
    with open(f"{folder}/good.pem", encoding="ascii") as good, open(f"{path}.pem", "a", encoding="ascii") as chain:
        chain.write(good.read())


def _names(name):
    """A subjectAltName of one dNSName of any bytes (RFC 5280, section 4.2.1.6), as DER in hexadecimal."""
    general = bytes([0x82, len(name)]) + name
    return (bytes([0x30, len(general)]) + general).hex(":")


def _configure(folder, name, names, usage):
    path = f"{folder}/{name}.cnf"
    _write(path, _AUTHORITY.format(folder=folder, name=name, names=names, usage=usage))
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
