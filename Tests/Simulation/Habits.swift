import Clocks
import Records

/// Habits of servers, archives and senders that no specification promises. Drawn apart from the rest of the
/// climate.
struct Habits {
  /// The ids that a sender gives to its messages.
  enum IDs { case own, without, oneForAll }
  /// The messages that the archive keeps, by the other party.
  enum Policy { case always, roster, never }
  enum UnknownID { case error, badRequest, emptyPage }

  /// The ids of each sender, by its local part.
  private let ids: [String: IDs]
  /// True if the user's other device writes notes to self.
  let hasNotes: Bool
  let hasStrangers: Bool
  /// True if accounts have personal nodes (XEP-0163).
  let hasNodes: Bool
  let policy: Policy
  /// True if the archive reports which messages it keeps.
  let hasPreferences: Bool
  /// The archive's answer to a query for messages after an unknown id (ejabberd: an empty page).
  let unknownID: UnknownID
  /// True if the archive marks no page as the last one; an empty page is the last one then.
  let completesNothing: Bool
  /// True if the server delays acknowledgements.
  let acknowledgesLate: Bool
  /// The number of messages from before the account was first used here.
  let earlier: Int
  /// True if offline messages are withheld from a client that queried the archive before its presence (Prosody:
  /// `mod_mam`).
  let withholds: Bool
  /// How long a session can be resumed.
  let patienceSeconds: Int
  var patience: Interval { .seconds(Int64(patienceSeconds)) }
  /// True if the server says of messages that it sends again on a resumed stream when it had them first, of carbons on
  /// the copy itself (Prosody: `mod_smacks`).
  let stampsResent: Bool
  /// True if the user forgets histories now and then.
  let forgets: Bool
  /// True if people's clients send markers (XEP-0333), and not receipts alone.
  let hasMarkers: Bool

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
    acknowledgesLate = dice.percent(60)
    patienceSeconds = dice.pick([5, 5, 5, 60, 300])
    hasStrangers = dice.percent(40)
    hasNodes = dice.percent(60)
    stampsResent = dice.percent(70)
    forgets = dice.percent(30)
    hasMarkers = dice.percent(60)
  }

  /// The id of a message; nil: it has none.
  func stanzaID(of parcel: Parcel) -> String? {
    switch ids[String(parcel.from.prefix { $0 != "@" })] ?? IDs.own {
    case .own: parcel.id
    case .without: nil
    case .oneForAll: "1"
    }
  }

  /// True if the archive keeps messages with this bare JID.
  func keepsMessages(with jid: String) -> Bool {
    switch policy {
    case .always: true
    case .roster: Server.contacts.contains(jid)
    case .never: false
    }
  }
}
