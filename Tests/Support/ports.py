"""Free loopback ports below the range from which the kernel takes those of outgoing connections."""

import os
import random
import socket

_LOW, _HIGH = 20000, 32000


def free_ports(count):
    """So many distinct ports on which nobody listens on 127.0.0.1 now."""
    chooser = random.Random(os.urandom(8))
    held = []
    try:
        while len(held) < count:
            candidate = socket.socket()
            try:
                candidate.bind(("127.0.0.1", chooser.randrange(_LOW, _HIGH)))
                held.append(candidate)
            except OSError:
                candidate.close()
        return [socket_.getsockname()[1] for socket_ in held]
    finally:
        for socket_ in held:
            socket_.close()
