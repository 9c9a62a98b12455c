extension ProtocolReference {
  static let introduction = """
    <!-- Made from the tables in Sources/Socket/LineProtocol by `make docs`. Do not edit: a test compares. -->
    # The line protocol of confabd, version 1

    `confabd` serves scripts and front ends over a Unix stream socket. Requests and answers are lines. This page is the \
    whole of it: enough to write another client, or another daemon. Within version 1 members and verbs are added and \
    never change their meaning; a client ignores members and events that it does not know.
    """

  static let connection = """
    ## Connection

    A client looks for the socket at the path that it was given, then `$CONFAB_SOCKET`, then \
    `$XDG_RUNTIME_DIR/confab/socket` if that exists, then `/run/confab/socket`. The modes of the socket and its \
    directory, and the peer's uid and groups, decide who may connect. A peer that may not connect gets one line with \
    the error `not-allowed`, and one above the limits gets `limit`; then the daemon closes.

    The daemon speaks first, one line:

    ```
    {"confab":1,"version":"0.1.0","log":"UUID","last":8123,"rights":"full","limits":{"line":\(Limits.line),\
    "text":\(Limits.text),"page":\(Limits.page),"keys":\(Limits.keys),"files":1073741824}}
    ```

    `confab` is the version of the protocol, `version` the daemon's. `log` names this log; `last` is its newest durable \
    sequence number. `rights` is what this socket may do. Of the `limits`, `line` and `text` are bytes of UTF-8, `page` \
    and `keys` counts, and `files` are the bytes of files that may wait to be uploaded (`spool-size`), at the time of the \
    greeting.

    If a client closes its writing side (`nc -N`), the daemon still executes and answers all its requests, then \
    closes. A watch continues until the client closes the whole connection. A client that closes the whole \
    connection loses its answers; its requests are still executed.
    """

  static let lines = """
    ## Lines

    - A line is UTF-8 and ends in LF; one CR before the LF is dropped.
    - A request line holds at most \(Limits.line) bytes before its LF. A longer one is dropped up to its LF and \
    answered once with `line-too-long`; one that is not UTF-8 with `bad-encoding`. The connection goes on.
    - An empty line is ignored.
    - A last line without LF at the end of input is not executed, because it was cut off: `incomplete`.
    - Lines of the daemon never hold a control character: inside strings C0, DEL, C1, U+2028 and U+2029 are escaped. \
    They may hold any other character, bidi controls included: filter those before you write to a terminal.
    """

  static let requests = """
    ## Requests

    A request is one line in either of two forms, and both may be mixed on a connection: JSON if the first byte is \
    `{`, else words.
    """

  static let wordsForm = """
    ### In words

    ```
    verb [option=value ...] [--] [argument ...] [text]
    ```

    - Words are split at single spaces (U+0020). An empty word is `bad-argument`. There is no quoting: a value with a \
    space needs JSON.
    - A word is an option only if it comes right after the verb or another option and its name is an option of that \
    verb. `--` ends the options. An option given twice is `bad-argument`.
    - `tag=` and `until=` are recognised in the whole leading run of words of the form `[a-z_]+=...` after the verb, \
    known options or not: an answer carries its tag, and a text never becomes requests, whatever else is wrong.
    - The text, where a verb takes one, is the rest of the line after one space, verbatim: further spaces, and spaces \
    at its end, belong to it.

    Do not build a request line from text of others: if that text holds a line end, the rest of it becomes a \
    request. Use JSON, or `until=` with a word that the text cannot contain, or `confab send JID -`.

    An address of others is no better: in words it may be an option. `until=x@evil.example` and `-v@evil.example` are \
    addresses that somebody may write from, and `history until=x@evil.example` waits for a line `x@evil.example`. JSON \
    has no such places; in words, and on the command line, `--` stands before the address: \
    `history -- until=x@evil.example`, `confab history --jid -- "$from"`. `until=` and `tag=` are recognised up to `--`, \
    not behind it.
    """

  static let blocks = """
    ### A text of several lines in words

    ```
    > send until=END bob@example.org
    > first line
    >
    > third line
    > END
    < {"ok":true,"id":8120,"state":"queued","encrypt":"open"}
    ```

    `until=WORD` in option position says that the text comes in the following lines, up to a line that is exactly \
    `WORD`. The lines are joined by LF, without a final one; none at all make an empty text.

    - It is recognised whatever the verb (`until=` of `notify` with a time is an option instead), also on a line that is too long, not UTF-8 or not allowed; the block is \
    always consumed to its end, and the request gets one answer.
    - The first `until=` counts; a second is `bad-argument`. An empty one is `bad-argument` and consumes to the first \
    empty line. Empty words in front of it do not hide it.
    - A text on the request line as well, or a verb without a text, is `bad-argument`, with `"argument":"until"`.
    - A text longer than `limits.text` is consumed and `too-large`; one that is not UTF-8 `bad-encoding`.
    - End of input before the end: nothing is done, `incomplete`.
    - A CR before an LF of the text belongs to the text if the request line ended in LF alone, and is dropped if it \
    ended in CR LF. The line that ends the text may have a CR in either case.
    - A `WORD` longer than a line may be is never found: what follows is text to the end of input.
    """

  static let jsonForm = """
    ### In JSON

    ```
    > {"verb":"send","to":"bob@example.org","text":"first line\\nsecond","wait":"sent","tag":7}
    < {"ok":true,"id":8120,"state":"sent","tag":7}
    ```

    An object on one line (RFC 8259) with `verb`, options by their names, arguments by theirs (`to`, `jid`, `id`, \
    `show`, `level`, `value`, `about`) and `text`. Numbers are numbers; decimal strings are accepted. Unknown members, double members and \
    nesting deeper than \(Limits.depth) are `bad-argument`; lone surrogates are `bad-encoding`. `null` is no value.

    ### Texts

    A text may hold every Unicode scalar except those that XML 1.0 cannot carry: C0 controls other than TAB, LF and \
    CR, U+FFFE, U+FFFF. A text with one of them is `bad-argument` with `"argument":"text"` and `"position":N`, \
    counted in Unicode scalars from 0. More than `limits.text` bytes, or more than \(Limits.xmlText) bytes as XML \
    (`&` takes 5, `<` and `>` 4, CR 5), is `too-large`. The options marked `text` follow the same rules.
    """

  static let pipelining = """
    ### Tags and pipelining

    A client need not wait for an answer before its next request. `tag=` (in words any word, in JSON a string or an \
    integer; at most \(Limits.tag) bytes) is returned on every line of the answer: as a string from words, with its \
    JSON type from JSON.

    Answers come in the order of the requests and never interleave, except for `wait`, `send wait=`, `status for=`, \
    `search`, `send-file`, `fetch`, `avatar` and `profile`, which may overtake others and be overtaken: use a tag to pipeline \
    past them. A query sees the effect of every earlier request of its connection. The daemon stops reading from a client with many unanswered \
    requests (1024 unless configured otherwise; 8 of them `search`, 16 with a descriptor in the answer) or many unread \
    bytes until that changes.

    ### Descriptors

    Some requests need descriptors of files, and some answers have one (SCM_RIGHTS). Those of a request come with the \
    bytes of its line, at the latest with its LF, and belong to it: they are regular files or files in memory \
    (memfd), open for reading and not empty. More than the verb takes, or none where it needs one, is \
    `bad-argument` with `"argument":"descriptor"`; descriptors of other verbs are closed, and so is what comes with \
    one line beyond 16. The descriptor of an answer comes with its final line, and that line is the last that it is \
    sent with. Clients that do not expect one may read with read(2), which closes it.
    """

  static let answers = """
    ## Answers

    Each line is one JSON object. A request gets any number of data lines and exactly one final line. Only the final \
    line has `ok`:

    ```
    {"ok":true,...}
    {"ok":false,"error":"CODE","reason":"a sentence for people","argument":"NAME","position":N,"retry_after":"6s",...}
    ```

    `argument` names the option or argument that the error concerns, `position` a place in a text, `retry_after` the \
    time after which the request may succeed. Times are RFC 3339 in UTC with milliseconds. JIDs are bare unless a \
    member says otherwise. In a request a JID may be a URI (RFC 5122), such as `xmpp:bob@example.org?message`, whose \
    query is ignored.
    """

  static let objectsProse = """
    Every object with `conversation`, `jid` or `contact` carries `account` if several accounts are configured. \
    Members with a condition ("if") are absent otherwise.
    """

  static let following = """
    ## Following the log

    The daemon keeps one log for all its accounts. Every durable record has a sequence number, growing; no number \
    leaves the daemon before the record is on stable storage. Not every record is an event: numbers have gaps.

    To follow without loss: keep the greeting's `log` and the `seq` of the last event that you have handled, and \
    after a reconnect use `watch since=SEQ log=UUID`. It delivers every later durable event once, then `caught-up`, \
    then live ones. `other-log` means that this is not the log you know, because it was restored from a backup or \
    copied: read the state again. To show a conversation and follow it, use `history` first and watch from the `seq` \
    of its final line.

    The messages of a conversation are ordered by `time`, then by the archive's order if it is known, then by `id`. \
    A message opens a section if it is the first, or more than the gap later than the one before it. A late message \
    is put in its place: if that splits or joins sections, `resection` says between which messages.
    """

  static let eventsProse = """
    After `watch`, event lines come between answers, each with `event`, the watch's `tag`, and `seq` if it is \
    durable. A slow reader gets every durable event at its own pace, and of the others only the newest state, or \
    none.
    """

  static let rightsProse = """
    The main socket has `full` rights, a `[socket NAME]` those of the configuration; the greeting names them, and \
    `help` lists the verbs that the socket may use. Any other verb is `not-allowed`, whatever else is wrong with the \
    request; its `until=` block is consumed all the same. With `send`, `wait` finds only messages that this socket \
    sent, now or before a restart. With `read`, `draft` and `nick` only show.

    The log records with each message who requested it (uid, pid, socket): `confab log dump` shows it.
    """
}
