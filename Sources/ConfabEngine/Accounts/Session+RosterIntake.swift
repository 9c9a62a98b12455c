import Clocks
import Facts
import Records
import Settings
import XML
import XMPPCore
import XMPPExtensions

/// The roster as it comes in, item by item: one that has grown for years is megabytes, and is never held whole.
struct RosterIntake {
  /// As of which it is.
  let version: String?
  /// The JIDs of its items so far.
  var present: Set<String> = []
  /// Nothing of it was left out.
  var isWhole = true
  /// It has more items than are looked at.
  var isCut = false
}

/// The answer to our request for the roster (RFC 6121, section 2.1.4).
extension Session {
  /// Items of a roster that are taken.
  static let maximumContacts = 100_000
  /// The memory that all contacts may take, in bytes, as `ContactRecord.footprint` counts it: some 300 bytes each, more with long names.
  static let maximumRosterBytes = 64 << 20
  static let overfull = "the roster is larger than is kept (100,000 contacts, 64 MiB): some contacts are left out"

  /// The roster begins to come, in parts.
  func beginRoster(_ element: Element, _ turn: Turn) {
    guard let header = StanzaHeader(element), iqs.isRoster(header, own: own), let roster = Roster(element) else {
      return
    }
    wasUnderstood(turn)
    rosterIntake = RosterIntake(version: roster.version)
  }

  /// An item of it came.
  func receiveRosterItem(_ element: Element, _ turn: Turn) {
    guard var intake = rosterIntake.take() else { return }
    if let id = iqs.rosterID { iqs.renew(id, at: turn.now.instant) }
    if let item = Roster.Item(element), item.subscription != .remove { take(item, &intake, turn) }
    rosterIntake = intake
  }

  /// All of it came.
  func endRoster(_ turn: Turn) {
    guard let intake = rosterIntake.take(), iqs.takeRoster() else { return }
    finish(intake, turn)
    recorded.owesRoster = true
  }

  /// It is over a limit, and was skipped.
  func rosterRefused(_ reason: String, _ turn: Turn) {
    rosterIntake = nil
    guard iqs.takeRoster() else { return }
    wasUnderstood(turn)
    rosterTrouble = "the server's roster was not taken whole: \(reason)"
    recorded.owesRoster = true
  }

  /// The roster came whole, or has not changed since the version we named.
  func receiveRoster(_ element: Element, _ turn: Turn) {
    guard let roster = Roster(element) else { return }
    var intake = RosterIntake(version: roster.version)
    for item in roster.items { take(item, &intake, turn) }
    finish(intake, turn)
  }

  private func take(_ item: Roster.Item, _ intake: inout RosterIntake, _ turn: Turn) {
    let jid = item.jid.description
    guard intake.present.count < Self.maximumContacts || intake.present.contains(jid) else {
      intake.isCut = true
      return
    }
    intake.present.insert(jid)
    if !append(item, turn) { intake.isWhole = false }
  }

  private func finish(_ intake: RosterIntake, _ turn: Turn) {
    // An incomplete roster with a version would stay incomplete: the server sends only changes since that version.
    rosterTrouble = intake.isWhole && !intake.isCut ? nil : Self.overfull
    if intake.isCut { return }
    let known = Set(account.contacts.keys).union(contactsUnderWay.jids)
    for jid in known.subtracting(intake.present).sorted() { appendRemoval(of: jid, turn) }
    if intake.isWhole { appendVersion(intake.version, turn) }
  }
}
