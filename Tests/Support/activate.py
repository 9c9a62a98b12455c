"""Runs a program with listening Unix sockets passed to it as systemd does (sd_listen_fds(3)).

activate.py [NAME=]PATH ... -- PROGRAM ARGUMENT ...

The sockets have mode 0666. Without any NAME, LISTEN_FDNAMES is not set.
"""

import os
import socket
import sys

end = sys.argv.index("--")
names, sockets = [], []
for word in sys.argv[1:end]:
    name, _, path = word.rpartition("=")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    if os.path.exists(path):
        os.unlink(path)
    listener.bind(path)
    os.chmod(path, 0o666)
    listener.listen()
    names.append(name)
    sockets.append(listener)
# Away from where they are to be, before they are put there.
raised = [os.dup2(listener.fileno(), 100 + index) for index, listener in enumerate(sockets)]
for index, descriptor in enumerate(raised):
    os.dup2(descriptor, 3 + index, inheritable=True)
    os.close(descriptor)
os.environ["LISTEN_PID"] = str(os.getpid())
os.environ["LISTEN_FDS"] = str(len(sockets))
if any(names):
    os.environ["LISTEN_FDNAMES"] = ":".join(names)
os.execvp(sys.argv[end + 1], sys.argv[end + 1:])
