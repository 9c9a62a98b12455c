import Records

/// What servers, archives and senders do in the field that no specification promises. Drawn apart from the rest of the
/// climate.
struct Habits {
  /// The ids that a sender gives to its messages.
  enum IDs { case own, without, oneForAll }
  /// The messages that the archive keeps, by the other side.
  enum Policy { case always, roster, never }

  /// Of each sender, by its local part.
  private let ids: [String: IDs]
  /// The user's other device writes to the account itself.
  let hasNotes: Bool
  let policy: Policy
  /// The archive says whose messages it keeps.
  let hasPreferences: Bool

  init(_ dice: inout Dice) {
    let isUsual = dice.percent(50)
    ids = ["bob", "carol", "stranger", "alice", "ann"].reduce(into: [:]) { ids, name in
      ids[name] = isUsual ? .own : dice.pick([.own, .without, .oneForAll])
    }
    hasNotes = dice.percent(40)
    policy = dice.percent(60) ? .always : dice.pick([.roster, .never])
    hasPreferences = dice.percent(70)
  }

  /// The id of a message; nil: it has none.
  func stanzaID(of parcel: Parcel) -> String? {
    switch ids[String(parcel.from.prefix { $0 != "@" })] ?? IDs.own {
    case .own: parcel.id
    case .without: nil
    case .oneForAll: "1"
    }
  }

  /// Whether the archive keeps messages with this bare JID.
  func keepsMessages(with jid: String) -> Bool {
    switch policy {
    case .always: true
    case .roster: Server.contacts.contains(jid)
    case .never: false
    }
  }
}
