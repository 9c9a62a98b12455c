/// The one table of verbs: the parser, `help`, the reference and the command line's usage are made from it.
package enum VerbTable {
  /// Every verb once, in the order of `Verb.allCases`.
  package static let rows: [VerbRow] = {
    let unordered = basics + messages + conversations + watching + contacts + daemon
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

  /// Options that later releases will have: said to be wrong rather than taken for arguments.
  static let laterOptions: [Verb: Set<String>] = [
    .send: ["reply", "replace"]
  ]

  /// What every verb takes besides its own options, by name and meaning.
  package static let commonOptions: [(name: String, value: String, meaning: String)] = [
    ("tag", "TAG", "Comes back as given on every line of the answer."),
    ("account", "NAME|JID", "Which account; needed where several are configured and the verb concerns one."),
  ]

  /// What changes something is for those who may do everything.
  static let owners: [Rights] = [.full]
  /// Everybody may ask these.
  static let everyone: [Rights] = [.full, .send, .read]
  /// Sockets that may look may ask these.
  static let readers: [Rights] = [.full, .read]

  /// `limit=` of everything that comes in pages.
  static let limit = OptionRow(
    .limit, .integer(0...Limits.page), default: "50", "How many at most; 0 gives the final line alone.")

  /// `gap=` of everything that comes in sections.
  static let gap = OptionRow(
    .gap, .duration, "A section begins after more than this; `snap-interval` of the configuration where absent.")

  /// `timeout=` of everything that waits.
  static let timeout = OptionRow(.timeout, .duration, default: "30s", "How long to wait.")

  /// How far a message can get, for `wait=` and `for=`.
  package static let deliveryStates = ["sent", "delivered", "displayed"]
}
