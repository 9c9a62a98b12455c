"""How often texts stand in the writable memory of a process.

usage: memory_count.py PID TEXT ...

Prints a line for each text: how many times it was found. /proc/PID/maps, /proc/PID/mem
"""

import sys

process, texts = sys.argv[1], [text.encode() for text in sys.argv[2:]]
counts = [0] * len(texts)
with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
    for line in maps:
        place, modes = line.split()[:2]
        if not modes.startswith("rw"):
            continue
        first, end = (int(number, 16) for number in place.split("-"))
        memory.seek(first)
        try:
            pages = memory.read(end - first)
        except OSError:
            # A mapping without memory behind it.
            continue
        for index, text in enumerate(texts):
            counts[index] += pages.count(text)
print(*counts, sep="\n")
