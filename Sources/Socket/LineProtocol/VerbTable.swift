/// The one table of verbs: the parser, `help`, the reference and the command line's usage are made from it.
package enum VerbTable {
  /// Every verb once, in the order of `Verb.allCases`.
  package static let rows: [VerbRow] = {
    let unordered =
      basics + sending + files + changing + history + reading + watching + emoticons + roster + rooms + roomNews
      + people + encryption
      + connecting
    return Verb.allCases.compactMap { verb in unordered.first { $0.verb == verb } }
  }()

  /// The verbs that are commands of `confab`.
  package static let commands = rows.filter(\.isCommand)

  /// The row of a verb; every verb has one (`VerbTableTests` counts them).
  package static subscript(verb: Verb) -> VerbRow {
    guard let row = rows.first(where: { $0.verb == verb }) else {
      preconditionFailure("verb \(verb) has no row in the table")
    }
    return row
  }

  /// The options of every verb, by name and meaning.
  package static let commonOptions: [(name: String, value: String, meaning: String)] = [
    ("tag", "TAG", "Returned unchanged on every line of the answer."),
    ("account", "NAME|JID", "The account; needed if several are configured and the verb concerns one."),
  ]

  /// The rights for verbs that change something.
  static let owners: [Rights] = [.full]
  /// The rights for verbs that every socket may use.
  static let everyone: [Rights] = [.full, .send, .read]
  /// The rights for verbs that read.
  static let readers: [Rights] = [.full, .read]

  /// `limit=` of every verb that answers in pages.
  static let limit = OptionRow(
    .limit, .integer(0...Limits.page), default: "50", "The most to show; 0 gives the final line alone.")

  /// `encrypt=` of every verb that sends.
  static let encrypt = OptionRow(
    .encrypt, .yesOrNo, "Whether this message is encrypted, whatever holds for the conversation.")

  /// `gap=` of every verb that answers in sections.
  static let gap = OptionRow(
    .gap, .duration, "A longer silence than this begins a new section; else `snap-interval` of the configuration.")

  /// `timeout=` of every verb that waits.
  static let timeout = OptionRow(
    .timeout, .duration, default: "30s", "How long to wait; at most 10 minutes on a socket without all rights.")

  /// The states that `wait=` and `for=` wait for.
  package static let deliveryStates = ["sent", "delivered", "displayed"]
}
