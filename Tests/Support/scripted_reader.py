"""What the client sends, cut into stream headers and top-level elements, each with its own bytes."""

from xml.etree import ElementTree
from xml.parsers import expat


class StreamReader:
    """Feed bytes, get ("header", None, raw), ("element", Element, raw) or ("end", None, raw)."""

    def __init__(self, lenient=False):
        """lenient: white space in front of a header is let pass, as most servers do."""
        self._pending = b""
        self._lenient = lenient
        self.restart()

    def restart(self):
        """A new XML stream begins behind the item handed out last."""
        self._parser = expat.ParserCreate(namespace_separator="}")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._depth = 0
        self._builder = None
        self._buffer = b""
        self._base = 0
        self._begin = 0
        self._items = []
        self._fed = 0

    def feed(self, data):
        """Yields items; the caller may `restart` between two of them, or `take_rest` to put TLS in between."""
        self._pending += data
        # Up to each '>', so that nothing behind an item has been parsed when it is handed out; what has none yet waits: of a
        # tag that comes in two pieces expat puts off the rest (its answer to CVE-2023-52425), and the places are wrong then.
        while end := self._pending.find(b">") + 1:
            piece, self._pending = self._pending[:end], self._pending[end:]
            if self._lenient and self._fed == 0:
                piece = piece.lstrip()
            self._buffer += piece
            self._fed += len(piece)
            self._parser.Parse(piece, False)
            items, self._items = self._items, []
            yield from items

    def take_rest(self):
        """What has not been parsed yet."""
        rest, self._pending = self._pending, b""
        return rest

    def _start(self, name, attributes):
        self._depth += 1
        if self._depth == 1:
            self._hand_out("header", None)
            return
        if self._depth == 2:
            self._begin = self._parser.CurrentByteIndex
            self._builder = ElementTree.TreeBuilder()
        self._builder.start(_qualified(name), {_qualified(key): value for key, value in attributes.items()})

    def _end(self, name):
        self._depth -= 1
        if self._depth == 0:
            self._hand_out("end", None)
            return
        self._builder.end(_qualified(name))
        if self._depth == 1:
            element, self._builder = self._builder.close(), None
            self._buffer = self._buffer[self._begin - self._base:]
            self._base = self._begin
            self._hand_out("element", element)

    def _text(self, text):
        if self._builder is not None:
            self._builder.data(text)

    def _hand_out(self, kind, element):
        raw, self._buffer, self._base = self._buffer, b"", self._fed
        self._items.append((kind, element, raw.decode("utf-8", "replace")))


def _qualified(name):
    return "{" + name if "}" in name else name
