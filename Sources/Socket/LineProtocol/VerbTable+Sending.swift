extension VerbTable {
  /// Verbs that concern messages of mine on their way.
  static let sending: [VerbRow] = [
    VerbRow(
      .send, "Sends a message; `ok` means that it is on stable storage and will be sent.",
      details: """
        A message to an unknown bare JID is queued, too; the server's error makes it `failed`. A message to a full \
        JID goes to that resource and belongs to the bare JID's conversation. A message to the account's own JID is \
        `delivered` once it has come back.

        `sent`: the server has acknowledged the message. `delivered`: a client of the recipient has (XEP-0184). \
        `displayed`: it was read there (XEP-0333). Many clients report neither of the last two, so wait for them \
        with a `timeout`. With `wait=` the answer comes when that state is reached. On `timeout` and `failed` the \
        answer has `id` and `state`; the message stays stored, and after a `timeout` it is still sent. If the account \
        is removed from the configuration meanwhile, the answer is `not-found`, with `id` and `state`; the message is \
        sent once the account is back.

        `key=` is an idempotency key of the account, kept for 30 days, at most the newest \(Limits.keys). The same \
        key never sends twice: the answer has the first message's `id`, its present `state` and `"repeated":true`. \
        The same key with another JID, text, `unstyled`, `reply` or `replace` is `key-mismatch`. A random key makes it \
        safe to repeat a request whose answer was lost. Each `[socket NAME]` of the configuration has keys of its own.

        `expires=` limits how long the message may wait to be sent. After that it is not handed to the server \
        (again), online or not, and becomes `failed` with the condition `expired`; a copy that the server already \
        has may still arrive. `outbox-max-age` of the configuration is the same for all messages of an account. \
        `hold=` keeps the message back for a time; until it is sent, `cancel` takes it back. Both times count from \
        when the message was stored, across restarts. `at=` is the time at which the message leaves, or as soon as there \
        is a session after it: until then it is kept back as by `hold=`, and it stands in the history at that time. \
        `expires=` counts from there. A time in the past is `bad-argument`.

        `reply=` makes the message an answer (XEP-0461), behind a quotation for clients that do not know answers. \
        `replace=` gives a message of mine another text (XEP-0308): the answer's `id` is that message's, and `state` \
        and `wait=` are about the change. A receipt or marker counts for it whether it names the change or, once that \
        has left, the message. The message of somebody else is `not-allowed`, and one that was retracted, is kept back \
        or was never sent `bad-argument`.

        `ROOM/NICK` is the occupant of a room in private: the person whom that conversation was begun with. If nobody, \
        or somebody else, has the nick now, the error is `not-found`, unless `anyway=yes` sends to whoever has it. \
        While you are not in the room, the message is queued, and `failed` with the condition `gone` if that is so when \
        you are. Without ids of occupants (XEP-0421) nobody can tell who comes back under a nick.

        `encrypt=yes` encrypts the message, or it fails; `encrypt=no` sends it in plain text, which is `not-allowed` \
        where the policy of the conversation or the socket is `always`. The answer says in `encrypt` what was wanted when the message was \
        stored: `required`, `none`, or `open` (decided when it leaves; see `encrypt`). While the devices of the contact \
        and their keys are asked for, the message is `queued`.

        A socket with the right `send` may be limited to certain JIDs (`not-allowed`, with `"argument":"to"`), and \
        to a number of messages in a time (`limit`, with `retry_after`, a duration). It may \
        answer and replace only what it sent itself.
        """,
      options: [
        OptionRow(.wait, .choice(deliveryStates), "Answers only when the message has reached this state."),
        timeout,
        OptionRow(.key, .key, "Makes it safe to repeat the request."),
        OptionRow(.expires, .duration, "How long the message may wait to be sent; longer than `hold`."),
        OptionRow(.hold, .duration, "How long the message is kept back."),
        OptionRow(.at, .time, "When the message leaves."),
        OptionRow(.emoticons, .choice(["expand"]), "Turns known codes of the text into their characters first."),
        OptionRow(
          .unstyled, .yesOrNo, default: "no", "No part of the text is styled (XEP-0393), whatever marks it has."),
        OptionRow(.reply, .id, "The message that this one answers."),
        OptionRow(.replace, .id, "The message of mine that gets this text."),
        OptionRow(.anyway, .choice(["yes"]), "To an occupant of a room, whoever has the nick now."),
        encrypt,
      ],
      arguments: [ArgumentRow(.to, .jid)], text: .required,
      rights: [.full, .send], kind: .command, overtaking: .with(.wait),
      conflicts: [(.reply, .replace), (.replace, .hold), (.replace, .at), (.hold, .at)],
      errors: [
        .tooLarge, .badEncoding, .keyMismatch, .accountNeeded, .notFound, .notAllowed, .limit, .timeout, .failed,
        .noSpace, .storage, .notSupported,
      ],
      finalLine: #"{"ok":true,"id":8120,"state":"queued","encrypt":"open"}"#,
      example: "send bob@example.org hello"),
    VerbRow(
      .wait, "Waits until a message of mine has reached a state, or a later one.",
      details: """
        The order is `queued`, `sent`, `delivered`, `displayed`. If the message failed, the error is `failed`, with \
        `state`; if it is not mine, `bad-argument`; if its account is not in the configuration, `not-found`, with \
        `state`. A socket with the right `send` may wait for messages that it \
        sent itself, and finds no others (`not-found`).
        """,
      options: [OptionRow(.for, .choice(deliveryStates), required: true, "The state to wait for."), timeout],
      arguments: [ArgumentRow(.id, .id)],
      rights: everyone, kind: .query, overtaking: .always,
      errors: [.notFound, .timeout, .failed],
      finalLine: #"{"ok":true,"state":"sent"}"#, example: "wait for=sent 8120"),
    VerbRow(
      .cancel, "Takes back a message of mine that has not been sent.",
      details: """
        `ok` means that the message was never sent and never will be; it stays in the history as `cancelled`. A \
        message that was sent, or may have been, is `not-found`, with its `state`. A message that is kept back \
        because it is in doubt (`in-doubt = hold`) is not sent again, whether it arrived before or not. Cancelling \
        twice has no further effect.
        """,
      arguments: [ArgumentRow(.id, .id)],
      rights: owners, kind: .command, errors: [.notFound, .noSpace, .storage],
      finalLine: #"{"ok":true,"id":8120,"state":"cancelled"}"#, example: "cancel 8120"),
    VerbRow(
      .release, "Sends a message that is kept back.",
      details: """
        A message with `hold=` is sent before its time is over. A message in doubt, if the account has `in-doubt = \
        hold`, is sent again with the same ids. Either is queued after all waiting messages; changes that were kept back \
        with it follow it. A message that is not kept back is `not-found`.
        """,
      arguments: [ArgumentRow(.id, .id)],
      rights: owners, kind: .command, errors: [.notFound, .noSpace, .storage],
      finalLine: #"{"ok":true,"id":8120,"state":"queued"}"#, example: "release 8120"),
    VerbRow(
      .scheduled, "Lists the scheduled messages of mine, earliest first.",
      details: "They have `at=` or `hold=`; `held_until` says when each is sent. JID: those of one conversation.",
      arguments: [ArgumentRow(.jid, .jid, optional: true)],
      rights: owners, kind: .query, errors: [],
      dataLines: [
        #"{"message":{"id":8120,"conversation":"bob@example.org","from":"alice@example.org","mine":true,"#
          + #""time":"2026-11-21T08:00:00.000Z","text":"good morning","opens_section":true,"section":8120,"#
          + #""state":"queued","held":true,"held_until":"2026-11-21T08:00:00.000Z"}}"#
      ], example: "scheduled"),
    VerbRow(
      .reschedule, "Changes when a scheduled message is sent, or its text.",
      details: """
        The id stays. The others get the new text alone, and at the new time; `expires=` moves with it. A message that \
        is not kept back by `at=` or `hold=` is `not-found`. Watchers get the event `edit`.
        """,
      options: [OptionRow(.at, .time, "When the message leaves.")],
      arguments: [ArgumentRow(.id, .id)], text: .optional,
      rights: owners, kind: .command, errors: [.notFound, .tooLarge, .badEncoding, .noSpace, .storage],
      finalLine: #"{"ok":true,"id":8120,"state":"queued"}"#, example: "reschedule at=2026-11-21T08:00:00Z 8120"),
    VerbRow(
      .typing, "Reports to a contact what you are doing in the conversation.",
      details: """
        `composing`: you are typing. `paused`: you have stopped. `active`, `inactive`, `gone`: you attend to the \
        conversation, look elsewhere, have left it. The state is sent to contacts that may see your presence or have \
        sent a state themselves, and not twice in a row; for others the answer is `ok`, and nothing is sent. `paused` \
        is sent 30 seconds after the last `composing`, and when the client that sent it disconnects. Nothing of it is \
        stored. A room is told if you are in it, may speak there, and it has at most 20 occupants, but never `gone`; an \
        occupant (`ROOM/NICK`) as long as he is the one with whom that conversation was begun.
        """,
      arguments: [
        ArgumentRow(.jid, .jid),
        ArgumentRow(.state, .choice(["composing", "paused", "active", "inactive", "gone"])),
      ],
      rights: owners, kind: .command, errors: [.notConnected, .accountNeeded, .notFound],
      example: "typing bob@example.org composing"),
  ]
}
