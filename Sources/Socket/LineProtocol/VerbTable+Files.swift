extension VerbTable {
  /// Verbs that send and fetch files.
  static let files: [VerbRow] = [
    VerbRow(
      .sendFile, "Sends files; `ok` means that they are on stable storage and will be sent.",
      details: """
        Each of 1 to 9 descriptors that come with the line (SCM_RIGHTS) is open for reading and of a regular file or a \
        memfd that is not empty. The files are copied into the data directory, uploaded (XEP-0363), and sent in one \
        message (XEP-0447). The message is `queued` until then, also over restarts; other messages do not wait for it. Its \
        body is the text and then the addresses, one a line: `text` is the text alone, `plain` all of it. `attachments` \
        have their `url` once the files are uploaded. A JPEG is sent without what says where it was taken, unless the \
        configuration has `strip-metadata = no`.

        If the message is encrypted, so are its files, each by a key of its own that stands inside of the message alone. \
        That is decided when the first upload begins, as for a text that leaves then; what is not known of the recipient's \
        devices is waited for. Devices of version 0.3 see each file, and the text, as a message of its own. The condition \
        `policy-violation` of a failure: a file was uploaded in plain text before the conversation was encrypted, or is \
        encrypted where the message would not be.

        An upload that is cut, times out or meets an error of the server is tried again until the message expires; a \
        refusal makes the message `failed`. Offline the message is queued, whether or not the server can take files. A \
        file that is larger than the server allows is `too-large`, with the most bytes in `limit`, and so are files that \
        are longer together than `spool-size`; `limit`: they have no room while others wait. `key=` covers names and bytes.
        """,
      options: [
        OptionRow(.as, .word, "The name that others see; else that of the file."),
        OptionRow(.wait, .choice(["sent", "delivered", "displayed"]), "Answers once the message has got that far."),
        OptionRow(.timeout, .duration, default: "30s", "How long to wait."),
        OptionRow(.key, .key, "An idempotency key."),
        OptionRow(.anyway, .choice(["yes"]), "To an occupant of a room, whoever has the nick now."),
        encrypt,
      ],
      arguments: [ArgumentRow(.to, .jid)], text: .optional, descriptors: 1...9, rights: owners, kind: .command,
      overtaking: .always,
      errors: [
        .tooLarge, .badEncoding, .accountNeeded, .notFound, .keyMismatch, .notSupported, .limit, .noSpace, .storage,
        .timeout, .failed,
      ],
      finalLine: #"{"ok":true,"id":8120,"state":"queued"}"#, example: "send-file bob@example.org look at this",
      commandOptions: [CommandOptionRow.text]),
    VerbRow(
      .fetch, "Gives a file of a message; fetches it first if it is not here.",
      details: """
        With the final line comes a descriptor of the file, open for reading, by SCM_RIGHTS. `index` counts from 0, through \
        `attachments` and then through those of the messages in `forwarded`, in their order; without it, it is the first \
        file. Nothing is fetched unless it is asked for, and only by http and https; what does not match the sender's \
        hashes (SHA-1, SHA-256 and SHA-512; others are not compared) is given to nobody. `type`, `size` and pixels are those of the file's bytes, and from then on those of \
        `attachments`, too; `name` is the sender's. Fetched files and those of my messages are kept, the newest `cache-size` of \
        them. With `fetch=no`, one that is not here is `not-found`. An \
        encrypted file is decrypted, and given to nobody unless its tag fits.

        `not-allowed`: another kind of address, or one that is not globally reachable (`fetch-private`). `too-large`: more \
        than `fetch-max`. `failed`: the web server refused it, the transfer was cut, the hash is another, or it cannot be \
        decrypted.
        """,
      options: [OptionRow(.fetch, .choice(["no"]), "Asks no server: gives a file only if it is here.")],
      arguments: [ArgumentRow(.id, .id), ArgumentRow(.index, .integer(0...999), optional: true)], givesDescriptor: true,
      rights: owners, kind: .query, overtaking: .always,
      errors: [.notFound, .notAllowed, .tooLarge, .limit, .noSpace, .storage, .failed],
      finalLine:
        #"{"ok":true,"type":"image/gif","size":12345,"name":"cat.gif","width":64,"height":64,"animated":true}"#,
      example: "fetch 8120", commandOptions: CommandOptionRow.output),
    VerbRow(
      .fetchStop, "Ends the waiting `fetch` requests of this connection for a file of a message.",
      details: """
        Each of them is answered `failed`, after this. A file for which nobody waits any more is not fetched further, and \
        nothing of it is kept; that a connection ends stops its requests, too. `not-found`: this connection waits for no \
        such file, which may be on its way to it.
        """,
      arguments: [ArgumentRow(.id, .id), ArgumentRow(.index, .integer(0...999), optional: true)], rights: owners,
      kind: .local, errors: [.notFound], example: "fetch-stop 8120", isCommand: false),
  ]
}
