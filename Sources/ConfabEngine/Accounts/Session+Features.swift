import Clocks
import XMPPCore
import XMPPExtensions

/// What our own server and our own account can do, asked with the session's first words.
struct OwnFeatures {
  /// Who can.
  enum Subject: CaseIterable {
    /// The domain.
    case server
    /// Our bare JID: the archive is its.
    case account
  }

  /// Who has not answered yet.
  var unknown = Set(Subject.allCases)
  /// XEP-0280: the server offers copies; they are on.
  var offersCarbons = false
  var hasCarbons = false
  /// XEP-0313.
  var hasArchive = false
  /// XEP-0359: the account drops ids that others write in its name, and its archive writes its own.
  var keepsArchiveIDs = false

  /// How far an id in our archive's name is trusted.
  var archiveIDs: IncomingMessage.ArchiveIDs {
    if keepsArchiveIDs { return .trusted }
    return hasArchive || unknown.contains(.account) ? .claimed : .ignored
  }
}

extension Session {
  func askFeatures() {
    for subject in OwnFeatures.Subject.allCases {
      let id = iqs.register(.features(subject), at: effects.now.instant)
      send(ServiceDiscovery.infoRequest(to: subject == .account ? ownBare : ownBare.server, id: id))
    }
  }

  /// One of them answered; nil: with nothing that can be read, or not in time.
  func receiveFeatures(of subject: OwnFeatures.Subject, _ info: DiscoInfo?) {
    guard features.unknown.remove(subject) != nil else { return }
    // Some servers announce their copies on one side, some on the other.
    features.offersCarbons = features.offersCarbons || info?.has(Namespace.carbons) == true
    if subject == .account, let info {
      features.hasArchive = info.has(Namespace.archive)
      features.keepsArchiveIDs = features.hasArchive && info.has(Namespace.stanzaIDs)
      noteArchiveIDs()
    }
    guard features.unknown.isEmpty else { return }
    if features.offersCarbons {
      send(MessageCarbon.enableRequest(id: iqs.register(.carbons, at: effects.now.instant)))
    }
    if areDoubtsWaiting { settleDoubts() }
    beginArchive()
  }
}
