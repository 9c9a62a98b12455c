import XMPPCore
import XMPPExtensions

/// The features of our own server and account (XEP-0030), requested with the first stanzas of a stream.
package final class ServerFeatures {
  /// The entities that report features.
  enum Subject: CaseIterable {
    /// The domain.
    case server
    /// Our bare JID, which has the archive.
    case account
  }

  private let jid: JID
  private let requests: Requests
  private let stream: ReliableStream
  private let archive: Archive
  /// The entities that have not answered yet.
  private(set) var unknown = Set(Subject.allCases)
  /// XEP-0280: whether the server offers carbons. Some servers announce them on the domain, some on the account.
  private var offersCarbons = false
  /// True if carbons are enabled.
  package private(set) var hasCarbons = false
  /// XEP-0191.
  private(set) var hasBlocking = false
  /// XEP-0377.
  private(set) var takesReports = false
  /// XEP-0163: whether our account has nodes.
  private(set) var hasNodes = false
  /// True if our account's answer is lost, as on a resumed stream whose request an earlier process sent.
  private(set) var isAccountSilent = false
  /// XEP-0060: whether our account checks what a node has to be.
  private(set) var hasPublishOptions = false
  /// Where the account has its bookmarks of rooms; nil: nowhere.
  var bookmarks: BookmarkPlace? { bookmarkPlace == .element && !offersStorage ? nil : bookmarkPlace }
  private var bookmarkPlace: BookmarkPlace?
  /// XEP-0049: whether accounts have private storage.
  private var offersStorage = false
  /// XEP-0054: whether accounts have cards.
  private(set) var hasCards = false
  /// XEP-0398: whether the server makes the card's photo of our avatar.
  private(set) var convertsAvatars = false
  /// XEP-0313.
  private(set) var hasArchive = false

  init(of jid: JID, _ requests: Requests, _ stream: ReliableStream, _ archive: Archive) {
    (self.jid, self.requests, self.stream, self.archive) = (jid, requests, stream, archive)
  }

  /// A new stream: nothing is known, because the server may be another one.
  func reset() {
    unknown = Set(Subject.allCases)
    (offersCarbons, hasCarbons, hasArchive, archive.ids) = (false, false, false, .claimed)
    (hasBlocking, takesReports, hasNodes, hasPublishOptions) = (false, false, false, false)
    (hasCards, convertsAvatars, bookmarkPlace, offersStorage) = (false, false, nil, false)
    isAccountSilent = false
  }

  var isKnown: Bool { unknown.isEmpty }

  /// XEP-0359: whether the account drops ids that others write in its name, and its archive writes its own.
  var keepsArchiveIDs: Bool { archive.ids == .trusted }

  func request() {
    for subject in Subject.allCases {
      requests.send(.features(subject)) {
        ServiceDiscovery.infoRequest(to: subject == .account ? jid : jid.server, id: $0)
      }
    }
  }

  /// Takes an answer, nil if it is unreadable or late; true if it was the last one awaited.
  func receive(of subject: Subject, _ info: DiscoInfo?) -> Bool {
    guard unknown.remove(subject) != nil else { return false }
    offersCarbons = offersCarbons || info?.has(Namespace.carbons) == true
    hasCards = hasCards || info?.has(VCardTemp.namespace) == true
    convertsAvatars = convertsAvatars || info?.has(AvatarConversion.feature) == true
    offersStorage = offersStorage || info.map(PrivateStorage.isOffered) ?? false
    switch subject {
    case .account: receive(info)
    case .server:
      hasBlocking = info?.has(BlockList.namespace) == true
      takesReports = info?.has(AbuseReport.namespace) == true
    }
    guard isKnown else { return false }
    guard offersCarbons else { return true }
    requests.ask {
      MessageCarbon.enableRequest(id: $0)
    } then: { [self] in
      if case .result = $0 { hasCarbons = true }
    }
    return true
  }

  /// A request stays without an answer; true if it was the last one awaited.
  func lost(_ subject: Subject) -> Bool {
    isAccountSilent = isAccountSilent || subject == .account
    return receive(of: subject, nil)
  }

  /// The account's own answer.
  private func receive(_ info: DiscoInfo?) {
    guard let info else {
      if !keepsArchiveIDs { archive.ids = .ignored }
      return
    }
    hasNodes = info.identities.contains { $0.category == "pubsub" && $0.type == "pep" }
    hasPublishOptions = hasNodes && info.has(PubSub.publishOptions)
    bookmarkPlace = BookmarkPlace(info, hasPublishOptions: hasPublishOptions)
    hasArchive = info.has(Namespace.archive)
    archive.ids = !hasArchive ? .ignored : info.has(Namespace.stanzaIDs) ? .trusted : .claimed
    stream.note(keepsArchiveIDs: keepsArchiveIDs)
  }

  /// A stream is resumed on which an earlier process may have left the request unanswered: it is sent again, and until
  /// then the log's value counts.
  func resume(keepsArchiveIDs: Bool?) {
    if let keepsArchiveIDs, unknown.contains(.account) { archive.ids = keepsArchiveIDs ? .trusted : .claimed }
  }
}

/// The place of an account's bookmarks of rooms, the one that its other clients use.
enum BookmarkPlace {
  /// A node, with an item for each room (XEP-0402).
  case node
  /// One element for all rooms (XEP-0048), in the account's private storage (XEP-0049).
  case element

  /// Clients use the node if the account keeps the older bookmarks equal to it, else the element if the account keeps its
  /// two places equal (XEP-0411). If it does neither, a node that others cannot read is preferred.
  init(_ info: DiscoInfo, hasPublishOptions: Bool) {
    let isCompatible = info.has(RoomBookmark.compatible) || info.has(RoomBookmark.compatibleWithNode)
    let isNode = isCompatible || hasPublishOptions && !info.has(PrivateStorage.conversion)
    self = isNode ? .node : .element
  }
}
