import Clocks
import Records

/// Habits of servers, archives and senders that no specification promises. Drawn apart from the rest of the
/// climate.
struct Habits {
  /// The ids that a sender gives to its messages.
  enum IDs { case own, without, oneForAll }
  /// The messages that the archive keeps, by the other side.
  enum Policy { case always, roster, never }
  enum UnknownID { case error, badRequest, emptyPage }

  /// Of each sender, by its local part.
  private let ids: [String: IDs]
  /// The user's other device writes to the account itself.
  let hasNotes: Bool
  let policy: Policy
  /// The archive says whose messages it keeps.
  let hasPreferences: Bool
  /// An archive's answer to a question for what follows an id that it does not have (ejabberd: an empty page).
  let unknownID: UnknownID
  /// No page of the archive is called the last one: an empty one is.
  let completesNothing: Bool
  /// Acknowledgements take their time.
  let acknowledgesLate: Bool
  /// Messages that came before the account was first used here.
  let earlier: Int
  /// Messages that wait are not handed to a client that has asked the archive before its presence (Prosody: `mod_mam`).
  let withholds: Bool
  /// How long a session waits to be resumed.
  let patienceSeconds: Int
  var patience: Interval { .seconds(Int64(patienceSeconds)) }

  init(_ dice: inout Dice) {
    let isUsual = dice.percent(50)
    ids = ["bob", "carol", "stranger", "alice", "ann"].reduce(into: [:]) { ids, name in
      ids[name] = isUsual ? .own : dice.pick([.own, .without, .oneForAll])
    }
    hasNotes = dice.percent(60)
    policy = dice.percent(60) ? .always : dice.pick([.roster, .never])
    hasPreferences = dice.percent(70)
    unknownID = dice.pick([.error, .badRequest, .emptyPage])
    completesNothing = dice.percent(20)
    withholds = dice.percent(30)
    earlier = dice.pick([0, 3, 20])
    acknowledgesLate = dice.percent(40)
    patienceSeconds = dice.pick([5, 60, 300])
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
