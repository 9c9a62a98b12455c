import Clocks
import Ratchet
import Records
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// The lists of devices that contacts and the account publish (XEP-0384, section 5.3.1): follows their changes, and asks
/// for those that no event has brought.
final class DeviceLists: StreamPart {
  /// The knowledge of one list on the present stream.
  enum Answer {
    case listed
    /// The owner's side has said that there is none, or gives none to us.
    case none
    /// The answer was over the limits of a stanza.
    case tooLong
    /// No answer has come.
    case unknown
  }

  private struct Owner {
    var answers: [RatchetVersion: Answer] = [:]
    var answeredAt: Instant?
    /// When an answer did not come, or could not be read; nil: all were there.
    var failedAt: Instant?
    /// Events tell of each change.
    var isFollowed = false
    var isAsked = false

    var isComplete: Bool { answers.count == RatchetVersion.allCases.count && !answers.values.contains(.unknown) }
  }

  /// How long an answer holds of a contact whose changes nobody tells us.
  private static let freshness = Interval.minutes(5)
  /// How long lists are not asked for again that did not come.
  private static let pause = Interval.seconds(30)
  private static let mostLimits = 1_000
  /// Changes of one owner's lists that are noted in an hour.
  private static let mostChanges = 120

  private let own: JID
  private let nodes: PersonalNodes
  private let devices: KnownDevices
  private let effects: Effects
  private var owners: [String: Owner] = [:]
  /// The account's own lists, as they are published.
  private(set) var ownLists: [RatchetVersion: DeviceList] = [:]
  private var limits: [String: RateLimiter] = [:]
  /// Is called when a list of somebody was answered or has changed.
  var changed: (_ jid: String, RatchetVersion) -> Void = { _, _ in }

  init(of own: JID, _ nodes: PersonalNodes, _ devices: KnownDevices, _ effects: Effects) {
    (self.own, self.nodes, self.devices, self.effects) = (own, nodes, devices, effects)
  }

  func answersAreLost() { (owners, ownLists) = ([:], [:]) }

  /// True if it is known which devices somebody has now.
  func isCurrent(_ jid: String) -> Bool {
    guard let owner = owners[jid], owner.isComplete, let time = owner.answeredAt else { return false }
    return owner.isFollowed || effects.now.instant - time <= Self.freshness
  }

  /// Somebody may have another device since the lists were answered: they are asked for before the next message leaves,
  /// unless events tell of each change.
  func doubt(_ jid: String) { if owners[jid]?.isFollowed == false { owners[jid]?.answeredAt = nil } }

  /// Somebody has a device that no list has: the lists are others by now.
  func disprove(_ jid: String) {
    owners[jid]?.answeredAt = nil
    owners[jid]?.isFollowed = false
  }

  /// True if somebody lists more devices than a stanza may name.
  func areTooLong(_ jid: String) -> Bool { owners[jid]?.answers.values.contains(.tooLong) ?? false }

  /// When somebody's lists were answered, or changed, last; nil: never on this stream.
  func answeredAt(_ jid: String) -> Instant? { owners[jid]?.answeredAt }

  /// True if an answer is missing that was asked for.
  func isAsking(_ jid: String) -> Bool { owners[jid]?.isAsked ?? false }

  /// True if somebody's lists did not come a moment ago: they are not asked for again now.
  func haveFailed(_ jid: String) -> Bool {
    owners[jid]?.failedAt.map { effects.now.instant - $0 < Self.pause } ?? false
  }

  /// Asks for somebody's lists, unless that is under way, or failed a moment ago.
  ///
  /// - Parameter isUrgent: whether or not they failed.
  func ask(_ jid: String, isUrgent: Bool = false) {
    guard let owner = try? JID(jid), !isAsking(jid), isUrgent || !haveFailed(jid) else { return }
    owners[jid, default: Owner()].isAsked = true
    owners[jid]?.answers = [:]
    for version in RatchetVersion.allCases {
      nodes.requestItems(of: OMEMO.deviceNode(version), at: owner == own ? nil : owner, mostRecent: 1) { [self] in
        answered($0, version, of: jid)
      }
    }
  }

  private func answered(_ answer: IQAnswer, _ version: RatchetVersion, of jid: String) {
    let known = read(answer, version, of: jid)
    var owner = owners[jid] ?? Owner()
    owner.answers[version] = known
    if owner.answers.count == RatchetVersion.allCases.count {
      (owner.isAsked, owner.answeredAt) = (false, effects.now.instant)
      owner.failedAt = owner.isComplete ? nil : owner.answeredAt
    }
    owners[jid] = owner
    changed(jid, version)
  }

  private func read(_ answer: IQAnswer, _ version: RatchetVersion, of jid: String) -> Answer {
    switch answer {
    case .result(let iq):
      let item = PubSub.items(in: iq, of: OMEMO.deviceNode(version))?.last?.payload
      take(item, version, of: jid)
      return item == nil ? .none : .listed
    case .error(let iq):
      guard StanzaError(parsing: iq).isOfOwner else { return .unknown }
      take(nil, version, of: jid)
      return .none
    case .missing(.refused): return .tooLong
    case .missing: return .unknown
    }
  }

  /// A list was published, or is gone.
  func receive(_ event: PersonalEvent, _ version: RatchetVersion, of owner: JID) {
    let jid = owner.description
    if limits.count >= Self.mostLimits, limits[jid] == nil { limits = [:] }
    guard limits[jid, default: RateLimiter(of: Self.mostChanges, each: .hours(1))].take(1, at: effects.now.instant)
    else { return disprove(jid) }
    let item = event.items.last?.payload
    guard item != nil || event.isEmptied || !event.retracted.isEmpty else { return }
    take(item, version, of: jid)
    owners[jid, default: Owner()].isFollowed = true
    owners[jid]?.answers[version] = item == nil ? Answer.none : .listed
    owners[jid]?.answeredAt = effects.now.instant
    owners[jid]?.failedAt = nil
    changed(jid, version)
  }

  private func take(_ item: Element?, _ version: RatchetVersion, of jid: String) {
    let list = item.flatMap { DeviceList($0) }.flatMap { $0.version == version ? $0 : nil }
    take(list ?? DeviceList(version, []), of: jid)
  }

  /// Takes a list of somebody, or one that the account has published just now.
  func take(_ list: DeviceList, of jid: String) {
    if jid == own.description { ownLists[list.version] = list }
    devices.listed(list.devices.map { ($0.id, label($0, of: jid)) }, on: list.version.list, of: jid)
  }

  /// The label of a device, if the device wrote it.
  private func label(_ entry: DeviceList.Entry, of jid: String) -> String? {
    guard let label = entry.label, let known = devices.device(entry.id, of: jid),
      let identity = CurveKey(known.identity).map(IdentityKey.init), label.isSigned(by: identity)
    else { return nil }
    return label.text
  }
}

extension RatchetVersion {
  /// The list of the version.
  var list: DeviceRecord.Lists { self == .legacy ? .legacy : .omemo2 }
}

extension StanzaError {
  /// True if the contact's own side refuses, as servers do where there is nothing: not a server that cannot be reached,
  /// nor one that has no time now (docs/decisions/0193-devices.md).
  var isOfOwner: Bool {
    (type == .cancel || type == .auth) && condition != "remote-server-not-found" && condition != "remote-server-timeout"
  }
}
