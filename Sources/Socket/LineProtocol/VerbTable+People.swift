extension VerbTable {
  /// Verbs that concern other people than as contacts.
  static let people: [VerbRow] = [
    VerbRow(
      .nick, "Shows your nickname, or sets it for your contacts.",
      details: """
        Without a text the answer has the nickname; empty if there is none. A text is published for those who may see \
        your presence (XEP-0172), on all servers with personal eventing, and an empty one (in words a trailing space, \
        in JSON `"text":""`) takes it back. Nicknames of contacts are their `nick`. A nickname proves nothing: anybody \
        may choose any. A socket with the right `read` may only show it.
        """,
      text: .optional, rights: readers, kind: .command,
      errors: [.tooLarge, .badEncoding, .notAllowed] + serverErrors,
      finalLine: #"{"ok":true,"nick":"Bob"}"#, example: "nick"),
    VerbRow(
      .profile, "Shows what an account says of the person behind it.",
      details: """
        A vCard (XEP-0292, else XEP-0054), asked for each time. All of it is by the account's own word. A member is a \
        string, or an array of strings where there are several. Other requests overtake it.
        """,
      arguments: [ArgumentRow(.jid, .jid)], rights: readers, kind: .query, overtaking: .always,
      errors: [.notFound, .notConnected, .accountNeeded, .timeout, .failed],
      dataLines: [
        #"{"profile":{"jid":"bob@example.org","full_name":"Bob Builder","email":["bob@example.org","b@example.net"]}}"#
      ],
      example: "profile bob@example.org"),
    VerbRow(
      .block, "Blocks a JID or a domain: the server delivers nothing from it any more.",
      details: """
        The server keeps the list (XEP-0191), so it holds for all devices of the account. A bare JID blocks an account, \
        a domain everybody there, a full JID one resource. You look offline to whoever is blocked, and messages to them \
        fail. The contact and the history stay.
        """,
      arguments: [ArgumentRow(.jid, .jid)], rights: owners, kind: .command, errors: serverErrors,
      example: "block mallory@example.org"),
    VerbRow(
      .unblock, "Takes a JID or a domain off the block list.",
      details: """
        It has to be written as `blocked` lists it: unblocking an account does not undo the block of its domain.
        """,
      arguments: [ArgumentRow(.jid, .jid)], rights: owners, kind: .command, errors: serverErrors,
      example: "unblock mallory@example.org"),
    VerbRow(
      .blocked, "Lists the blocked JIDs and domains, as the server has them now.", rights: readers, kind: .query,
      errors: serverErrors, dataLines: [#"{"blocked":{"jid":"mallory@example.org"}}"#], example: "blocked"),
    VerbRow(
      .report, "Blocks a JID and reports it to the operators of your server.",
      details: """
        `reason=` says whether it sends unwanted messages (`spam`) or is abusive in another way (`abuse`). The text is \
        for the operators. The report names the JID and holds no messages, and nothing in it allows the operators to \
        forward it (XEP-0377). Where the server takes no reports (`not-supported`), nothing is blocked either.
        """,
      options: [OptionRow(.reason, .choice(["spam", "abuse"]), default: "spam", "Why it is reported.")],
      arguments: [ArgumentRow(.jid, .jid)], text: .optional, rights: owners, kind: .command,
      errors: [.tooLarge, .badEncoding] + serverErrors,
      example: "report reason=abuse mallory@example.org insults everybody"),
    VerbRow(
      .avatar, "Gives the avatar of a contact, or your own: a picture.",
      details: """
        With the final line comes a descriptor of the picture, open for reading, by SCM_RIGHTS. `type` (PNG, JPEG, GIF or \
        WebP), `size` in bytes and pixels are those of the picture itself, `hash` is its SHA-1 (XEP-0084). It is fetched \
        when it is first asked for, also from the owner's vCard, and kept in the data directory; what does not match its \
        hash, is no picture of these types, or has more than 1 MiB or 4096 pixels a side, is given to nobody. One of more than some 780 KB may be \
        too long for a stanza of its server's, which is `failed`. With \
        `fetch=no`, one that is not here is `not-found`.
        """,
      options: [OptionRow(.fetch, .choice(["no"]), "Asks no server: gives an avatar only if it is here.")],
      arguments: [ArgumentRow(.jid, .jid)], givesDescriptor: true, rights: readers, kind: .query, overtaking: .always,
      errors: [.notFound, .limit, .storage] + serverErrors,
      finalLine:
        #"{"ok":true,"type":"image/png","size":12345,"width":64,"height":64,"hash":"111f4b3c50d7b0df729d299bc6f8e9ef9066971f"}"#,
      example: "avatar juliet@example.org", commandOptions: CommandOptionRow.output),
    VerbRow(
      .avatarSet, "Publishes a picture as your avatar.",
      details: """
        A descriptor of it comes with the line (SCM_RIGHTS): a regular file or a memfd that is open for reading, with a \
        PNG, JPEG, GIF or WebP picture of at most 1 MiB and 4096 pixels a side. It is published byte for byte (XEP-0084), \
        and in your vCard where the server does not do that itself (XEP-0153, XEP-0398). The server may take less: its \
        longest stanza (XEP-0478), or 256 KiB where it does not say, holds about three quarters of that.
        """,
      descriptors: 1...1, rights: owners, kind: .command, errors: [.tooLarge] + serverErrors, example: "avatar-set"),
    VerbRow(
      .avatarRemove, "Withdraws your avatar.", rights: owners, kind: .command, errors: serverErrors,
      example: "avatar-remove"),
  ]

  static let serverErrors: [ErrorCode] = [.notSupported, .notConnected, .accountNeeded, .timeout, .failed]
}
