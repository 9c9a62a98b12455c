import Clocks
import Facts
import Records
import Settings
import XML
import XMPPCore
import XMPPExtensions

/// Collects the roster item by item: a roster that has grown for years is megabytes, and is never held whole.
struct RosterIntake {
  /// The roster version that the server gives.
  let version: String?
  /// The JIDs of the items so far.
  var present: Set<String> = []
  /// Whether no item was left out for its size.
  var isWhole = true
  /// Whether the roster has more items than the limit.
  var isCut = false
}

/// Receives the answer to our roster request (RFC 6121, section 2.1.4).
extension Session {
  /// The most items taken from a roster.
  static let maximumContacts = 100_000
  /// The most memory that all contacts may take, in bytes, by `ContactRecord.footprint`: some 300 bytes each, more with
  /// long names.
  static let maximumRosterBytes = 64 << 20
  static let overfull = "the roster is larger than is kept (100,000 contacts, 64 MiB): some contacts are left out"

  /// Starts the intake of a roster that comes in parts.
  func beginRoster(_ element: Element) {
    guard let header = StanzaHeader(element), iqs.isRoster(header, own: own), let roster = Roster(element) else {
      return
    }
    wasUnderstood()
    rosterIntake = RosterIntake(version: roster.version)
  }

  /// Takes one item of the roster.
  func receiveRosterItem(_ element: Element) {
    guard var intake = rosterIntake.take() else { return }
    if let id = iqs.rosterID { iqs.renew(id, at: effects.now.instant) }
    if let item = Roster.Item(element), item.subscription != .remove { take(item, &intake) }
    rosterIntake = intake
  }

  /// Ends the intake: every item has come.
  func endRoster() {
    guard let intake = rosterIntake.take(), iqs.takeRoster() else { return }
    finish(intake)
    recorded.owesRoster = true
  }

  /// Records why the roster was skipped: it is over a limit.
  func rosterRefused(_ reason: String) {
    rosterIntake = nil
    guard iqs.takeRoster() else { return }
    wasUnderstood()
    rosterTrouble = "the server's roster was not taken whole: \(reason)"
    recorded.owesRoster = true
  }

  /// Takes a roster that came whole, or that has not changed since the version that we named.
  func receiveRoster(_ element: Element) {
    guard let roster = Roster(element) else { return }
    var intake = RosterIntake(version: roster.version)
    for item in roster.items { take(item, &intake) }
    finish(intake)
  }

  private func take(_ item: Roster.Item, _ intake: inout RosterIntake) {
    let jid = item.jid.description
    guard intake.present.count < Self.maximumContacts || intake.present.contains(jid) else {
      intake.isCut = true
      return
    }
    intake.present.insert(jid)
    if !append(item) { intake.isWhole = false }
  }

  private func finish(_ intake: RosterIntake) {
    // With a version, an incomplete roster would stay incomplete: the server would send only the changes since that
    // version.
    rosterTrouble = intake.isWhole && !intake.isCut ? nil : Self.overfull
    if intake.isCut { return }
    let known = Set(account.contacts.keys).union(contactsUnderWay.jids)
    for jid in known.subtracting(intake.present).sorted() { appendRemoval(of: jid) }
    if intake.isWhole { appendVersion(intake.version) }
  }
}
