"""Free loopback ports below the range from which the kernel takes those of outgoing connections."""

import os
import random
import socket

_LOW, _HIGH = 20000, 32000
#: Abstract sockets, one for each port that was handed out: no other program takes it before the server listens there.
_reservations = []


def free_ports(count):
    """So many distinct ports on which nobody listens on 127.0.0.1 now, and which are this program's until it ends."""
    chooser = random.Random(os.urandom(8))
    ports = []
    while len(ports) < count:
        port = chooser.randrange(_LOW, _HIGH)
        if _is_free(port) and _reserve(port):
            ports.append(port)
    return ports


def _is_free(port):
    with socket.socket() as candidate:
        return _binds(candidate, ("127.0.0.1", port))


def _reserve(port):
    reservation = socket.socket(socket.AF_UNIX)
    _reservations.append(reservation)
    return _binds(reservation, f"\0confab-port-{port}")


def _binds(socket_, address):
    try:
        socket_.bind(address)
    except OSError:
        return False
    return True
