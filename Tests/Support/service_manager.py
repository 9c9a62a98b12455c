"""What systemd does for a service that it starts: a notify socket, listening sockets, directories, credentials.

usage: service_manager.py --log FILE [--notify PATH|@NAME] [--listen PATH] [--variable NAME=VALUE ...] -- COMMAND ...

`%p` in a variable's value is the number of the service's process.

Events: {"event":"ready","pid"}; {"event":"notified","assignments":{NAME:VALUE,...}}, a datagram each;
{"event":"exited","status"}.
Commands: {"do":"signal","number":N}.
"""

import argparse
import os
import socket
import threading

import lines

_FIRST_PASSED = 3


def _listen(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    return listener


def _notify_socket(address):
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.bind("\0" + address[1:] if address.startswith("@") else address)
    return receiver


def _receive(receiver):
    while datagram := receiver.recv(65536):
        assignments = datagram.decode().split("\n")
        lines.emit("notified", assignments=dict(line.split("=", 1) for line in assignments))


def _exec(command, variables, listener, log):
    """In the child, after fork: what systemd leaves to a service, and then the service."""
    variables = {name: value.replace("%p", str(os.getpid())) for name, value in variables.items()}
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for number in (1, 2):
        os.dup2(output, number)
    if listener:
        os.dup2(listener.fileno(), _FIRST_PASSED)
        os.set_inheritable(_FIRST_PASSED, True)
    os.closerange(_FIRST_PASSED + (1 if listener else 0), 256)
    os.execvpe(command[0], command, {"PATH": os.environ["PATH"], **variables})


def _start(arguments, variables, listener):
    if not (number := os.fork()):
        try:
            _exec(arguments.command, variables, listener, arguments.log)
        finally:
            os._exit(127)
    return number


def _reap(number):
    _, status = os.waitpid(number, 0)
    lines.emit("exited", status=os.waitstatus_to_exitcode(status))


def main():
    """Runs until standard input ends; the service ends with it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--notify")
    parser.add_argument("--listen")
    parser.add_argument("--variable", action="append", default=[])
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    variables = dict(variable.split("=", 1) for variable in arguments.variable)
    listener = _listen(arguments.listen) if arguments.listen else None
    if listener:
        variables |= {"LISTEN_FDS": "1", "LISTEN_PID": "%p", "LISTEN_FDNAMES": "confabd.socket"}
    receiver = None
    if arguments.notify:
        receiver = _notify_socket(arguments.notify)
        variables["NOTIFY_SOCKET"] = arguments.notify
        threading.Thread(target=_receive, args=(receiver,), daemon=True).start()
    number = _start(arguments, variables, listener)
    threading.Thread(target=_reap, args=(number,), daemon=True).start()
    lines.emit("ready", pid=number)
    for command in lines.commands():
        os.kill(number, int(command["number"]))


if __name__ == "__main__":
    main()
