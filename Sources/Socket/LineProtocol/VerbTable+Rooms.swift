extension VerbTable {
  private static let room = ArgumentRow(.room, .jid)
  private static let nick = ArgumentRow(.nick, .word)
  private static let roomErrors: [ErrorCode] = [.notFound, .notAllowed] + serverErrors

  /// Verbs that concern rooms (XEP-0045).
  static let rooms: [VerbRow] = [
    VerbRow(
      .join, "Joins a room, now and on each new connection, or changes your nick in it.",
      details: """
        Answers when the request is stored; with `wait=joined`, when the room has admitted you, or `failed` with the \
        room's reason. `create=yes` creates the room if it does not exist. The nick is your published nickname unless \
        given, else the local part of your JID. In a room that you are in, another `nick=` changes it: one that is taken \
        is `failed`, and the old one stays. `xmpp:ROOM?join;password=TEXT` is taken for ROOM, too.
        """,
      options: [
        OptionRow(.nick, .text, "The nick in the room."), OptionRow(.password, .text, "The password of the room."),
        OptionRow(.create, .choice(["yes"]), "Creates the room if it does not exist."),
        OptionRow(.wait, .choice(["joined"]), "Answers when you are in the room."), timeout,
      ],
      arguments: [room], rights: owners, kind: .command, overtaking: .with(.wait),
      errors: [.failed, .timeout, .limit, .notConnected, .accountNeeded, .noSpace, .storage],
      finalLine: #"{"ok":true,"room":{"jid":"team@rooms.example.org","state":"joined","nick":"alice"}}"#,
      example: "join wait=joined nick=alice team@rooms.example.org"),
    VerbRow(
      .leave, "Leaves a room until you join again, or drops an invitation; the history stays.", arguments: [room],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      example: "leave team@rooms.example.org"),
    VerbRow(
      .rooms, "Lists your rooms, the newest first, or those that a service lists.",
      details: """
        The final line has the `count` of all. `more_before` says that more rooms follow the last one shown: `before=` \
        with its JID continues there. A socket with the right `read` may not ask a service.
        """,
      options: [
        OptionRow(.at, .jid, "The service whose rooms are listed."),
        OptionRow(.before, .jid, "Only rooms behind this one in the list."), limit,
      ],
      rights: readers, kind: .query, errors: [.notAllowed, .notFound] + serverErrors,
      dataLines: [#"{"room":{"jid":"team@rooms.example.org","state":"joined","nick":"alice","members":3,"unread":0}}"#],
      finalLine: #"{"ok":true,"count":1,"more_before":false}"#, example: "rooms"),
    VerbRow(
      .room, "Shows a room.", arguments: [room], rights: readers, kind: .query, errors: roomErrors,
      dataLines: [#"{"room":{"jid":"team@rooms.example.org","name":"Team","state":"joined","nick":"alice"}}"#],
      example: "room team@rooms.example.org"),
    VerbRow(
      .members, "Lists who is in a room, by role and nick, or an affiliation's list.",
      details: """
        `affiliation=` asks the room for its list of owners, admins, members or outcasts, who need not be there. The \
        final line has the `count` of all that match.
        """,
      options: [
        OptionRow(.role, .choice(["moderator", "participant", "visitor"]), "Only those with this role."),
        OptionRow(.affiliation, .choice(["owner", "admin", "member", "outcast"]), "The room's list of these."),
        OptionRow(.match, .text, "Only nicks with this text in them, first the one that is this text."),
        OptionRow(.limit, .integer(0...Limits.page), default: "1000", "The most to show."),
      ],
      arguments: [room], rights: readers, kind: .query, errors: roomErrors,
      dataLines: [#"{"member":{"nick":"bob","affiliation":"member","role":"participant"}}"#],
      finalLine: #"{"ok":true,"count":1}"#, example: "members team@rooms.example.org"),
    VerbRow(
      .topic, "Shows the topic of a room, or sets it.",
      details: """
        XEP-0045 calls it the subject. An empty text (in words a trailing space, in JSON `"text":""`) clears it. `ok` comes when the room shows it. A \
        socket with the right `read` may only show it.
        """,
      arguments: [room], text: .optional, rights: readers, kind: .command,
      errors: [.tooLarge, .badEncoding] + roomErrors, finalLine: #"{"ok":true,"topic":"Lunch at noon"}"#,
      example: "topic team@rooms.example.org Lunch at noon"),
    VerbRow(
      .invite, "Invites somebody to a room.",
      options: [
        OptionRow(.direct, .choice(["yes"]), "Sends the invitation yourself instead of through the room (XEP-0249).")
      ],
      arguments: [room, ArgumentRow(.jid, .jid)], text: .optional, rights: owners, kind: .command,
      errors: [.tooLarge, .badEncoding] + roomErrors, example: "invite team@rooms.example.org bob@example.org"),
    VerbRow(
      .kick, "Removes an occupant from a room; it may join again.", arguments: [room, nick], text: .optional,
      rights: owners, kind: .command,
      errors: [.tooLarge, .badEncoding] + roomErrors, example: "kick team@rooms.example.org mallory"),
    VerbRow(
      .ban, "Bans a JID from a room (affiliation `outcast`).", arguments: [room, ArgumentRow(.jid, .jid)],
      text: .optional,
      rights: owners, kind: .command, errors: [.tooLarge, .badEncoding] + roomErrors,
      example: "ban team@rooms.example.org mallory@example.org"),
    VerbRow(
      .affiliation, "Sets the affiliation of a JID with a room.",
      arguments: [
        room, ArgumentRow(.jid, .jid), ArgumentRow(.level, .choice(["owner", "admin", "member", "none", "outcast"])),
      ], rights: owners, kind: .command, errors: roomErrors,
      example: "affiliation team@rooms.example.org bob@example.org member"),
    VerbRow(
      .role, "Sets the role of an occupant of a room.",
      arguments: [room, nick, ArgumentRow(.level, .choice(["moderator", "participant", "visitor", "none"]))],
      rights: owners, kind: .command, errors: roomErrors, example: "role team@rooms.example.org bob moderator"),
    VerbRow(
      .destroy, "Destroys a room.", options: [OptionRow(.moved, .jid, "The room that replaces it.")],
      arguments: [room], text: .optional, rights: owners, kind: .command,
      errors: [.tooLarge, .badEncoding] + roomErrors, example: "destroy team@rooms.example.org"),
    VerbRow(
      .configure, "Shows the configuration of a room, or sets fields of it.",
      details: """
        The room shows its form to its owners alone (XEP-0045, section 10.2; XEP-0004). Fields that are not given stay as \
        they are. A boolean is `yes` or `no`; a field with several values is given once for each, or as an array; \
        `KEY=` clears it. A field that the form does not have, that cannot be set, or that does not take the value is \
        `bad-argument`, and nothing is sent then. Forms have at most 1,000 fields and 256 KiB.
        """,
      arguments: [room, ArgumentRow(.fields, .fields, optional: true)], rights: owners, kind: .command,
      errors: [.tooLarge] + roomErrors,
      dataLines: [
        #"{"field":{"name":"muc#roomconfig_roomname","type":"text-single","label":"Name","value":"Team"}}"#
      ],
      example: "configure team@rooms.example.org muc#roomconfig_membersonly=yes"),
    VerbRow(
      .voice, "Asks for the right to speak in a room, or answers somebody who asks for it.",
      details: """
        In a moderated room visitors may only listen. A moderator gets the event `voice-request`; `voice ROOM NICK \
        yes|no` answers it (`not-found` if NICK does not ask).
        """,
      arguments: [
        room, ArgumentRow(.nick, .word, optional: true), ArgumentRow(.value, ValueKind.yesOrNo, optional: true),
      ], rights: owners, kind: .command, errors: roomErrors, example: "voice team@rooms.example.org bob yes"),
    VerbRow(
      .register, "Registers a nick of yours with a room, or shows the one that you have.",
      details: """
        The room keeps the nick for you (XEP-0045, section 7.10). `not-supported` if the room registers nobody; rooms may \
        register their members alone (`failed`). Without NICK the answer has `nick` if you are registered.
        """,
      arguments: [room, ArgumentRow(.nick, .word, optional: true)], rights: owners, kind: .command,
      errors: roomErrors, finalLine: #"{"ok":true,"nick":"alice"}"#,
      example: "register team@rooms.example.org alice"),
  ]
}
