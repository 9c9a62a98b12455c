extension VerbTable {
  private static let contact = ArgumentRow(.jid, .jid)
  private static let fingerprint = ArgumentRow(.fingerprint, .words)
  private static let deviceLine = """
    {"device":{"jid":"bob@example.org","id":27183,"label":"phone","fingerprint":"c5a1…64 digits…","trust":"blind",\
    "versions":["0.3","2"],"active":true,"session":"ok","last_seen":"2026-11-20T09:00:00.000Z"}}
    """

  /// Verbs that concern the encryption end to end (OMEMO, XEP-0384).
  static let encryption: [VerbRow] = [
    VerbRow(
      .encrypt, "Shows or sets whether messages of a conversation are encrypted.",
      details: """
        `auto` encrypts where the contact's list names a device, and from the first encrypted message on, either way, \
        sends nothing in plain text by itself. `always` encrypts, or fails; `never` does not encrypt. Without a value \
        nothing is set. `active`: the next message will be encrypted, as far as is known; `reason` says why or why \
        not; `devices` of the contact, and how many of them are `usable`.

        Of rooms only those that are for members only and show who is in them are `auto` by themselves, others are \
        `never`. A message to a room is encrypted for the devices of all who belong to it, in it or not.

        A message that cannot be encrypted and must not go in plain text waits, then it is `failed` with one of these \
        conditions: `no-devices`, `untrusted` (no device of the contact may be used), `keys-unavailable` (not had within \
        60 s), `too-many-devices` (more than 100 of a person, or 800 of a room), `room-anonymous` (the room hides who is in it) or `encryption-unavailable` (your server has no place for the keys).
        """,
      arguments: [contact, ArgumentRow(.policy, .choice(["auto", "always", "never"]), optional: true)],
      rights: readers, kind: .command, errors: [.notAllowed, .accountNeeded, .notSupported, .noSpace, .storage],
      finalLine:
        #"{"ok":true,"encrypt":"auto","active":true,"reason":"the contact has devices","devices":3,"usable":2}"#,
      example: "encrypt bob@example.org"),
    VerbRow(
      .devices, "Lists the devices of a contact, or of all in a room, that read encrypted messages, or my own.",
      details: """
        `trust` is `verified`, `trusted`, `blind` (used without having been compared), `undecided` (read, and not \
        encrypted to) or `distrusted`. `versions` of OMEMO, by the lists that have the device; none: it is not \
        `active`. `session`: `none`, `ok`, or `broken` (it gives no keys that can be used). `this`: the device \
        itself. With `refresh=yes` the lists are asked for first.
        """,
      options: [OptionRow(.refresh, .choice(["yes"]), "Asks the server for the lists first.")],
      arguments: [ArgumentRow(.jid, .jid, optional: true)], rights: readers, kind: .query,
      overtaking: .with(.refresh), errors: [.accountNeeded, .notConnected, .timeout],
      dataLines: [deviceLine], example: "devices bob@example.org"),
    VerbRow(
      .trust, "Encrypts to the devices with an identity key.",
      details: """
        The fingerprint has 64 hexadecimal digits; spaces and case do not matter. With `verified=yes` it was compared \
        with what the contact shows: from then on new devices of the contact are `undecided`. A key that was not seen \
        yet is kept for the device that comes with it.
        """,
      options: [OptionRow(.verified, .choice(["yes"]), "It was compared.")],
      arguments: [contact, fingerprint], rights: owners, kind: .command,
      errors: [.accountNeeded, .noSpace, .storage],
      example: "trust bob@example.org c5a1f0de…64 digits"),
    VerbRow(
      .distrust, "Encrypts no more to the devices with an identity key.", arguments: [contact, fingerprint],
      rights: owners, kind: .command, errors: [.accountNeeded, .noSpace, .storage],
      example: "distrust bob@example.org c5a1f0de…64 digits"),
    VerbRow(
      .fingerprint, "Shows the identity key of this device.",
      details: "`uri` is what another client scans: `xmpp:JID?omemo-sid-ID=HEX`.",
      rights: readers, kind: .query, errors: [.accountNeeded, .notFound],
      finalLine: """
        {"ok":true,"fingerprint":"c5a1…64 digits…","device":31415,\
        "uri":"xmpp:alice@example.org?omemo-sid-31415=c5a1…"}
        """, example: "fingerprint"),
    VerbRow(
      .verify, "Marks the identity keys in an address as verified.",
      details: "The address is what `fingerprint` or another client shows.",
      arguments: [ArgumentRow(.uri, .word)], rights: owners, kind: .command,
      errors: [.accountNeeded, .noSpace, .storage],
      example: "verify xmpp:bob@example.org?omemo-sid-27183=c5a1f0de…"),
    VerbRow(
      .deviceRemove, "Takes a device of mine off my lists, so that nobody encrypts to it any more.",
      arguments: [ArgumentRow(.id, .id)], rights: owners, kind: .command,
      errors: [.accountNeeded, .notConnected, .notFound, .failed, .timeout], example: "device-remove 27183"),
    VerbRow(
      .sessionReset, "Begins new sessions with a contact's devices, or with one.",
      details: """
        For a device whose messages cannot be read, or that cannot read mine. A session with a trusted device begins at \
        once, else with the next message; what was written by the session before is still read.
        """,
      arguments: [contact, ArgumentRow(.id, .id, optional: true)], rights: owners, kind: .command,
      errors: [.accountNeeded, .notFound, .noSpace, .storage], example: "session-reset bob@example.org 27183"),
  ]
}
