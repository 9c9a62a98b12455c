package import Clocks
package import Records

/// Facts about an account's server.
package final class ServerState {
  /// The last login, which no later one may be weaker than; nil: there was none, or it is forgotten.
  package internal(set) var login: LoginRecord?
  /// The offer of the server at the last login; nil if there was none.
  package internal(set) var lastOffer: OfferRecord?
  /// How far each archive is here that was ever asked, by the bare JID whose it is; nil: the account's own.
  package internal(set) var archives: [String?: ArchiveRecord] = [:]
  /// When nothing could be taken from the server last, where it may have kept less than it should have; nil: nothing is
  /// missing.
  package internal(set) var gap: GapRecord?
  /// When a session took live messages last: what the server stored for us since then is not older.
  package internal(set) var lastLive: Timestamp?
  /// Hosts, each with a port, that slots of the upload service have named, the newest last.
  package private(set) var uploadHosts: [UploadHostRecord] = []

  /// How far the account's own archive is here.
  package var archive: ArchiveRecord? { archives[nil] }

  private static let mostUploadHosts = 64

  func apply(_ host: UploadHostRecord) {
    uploadHosts.removeAll { $0 == host }
    uploadHosts.append(host)
    if uploadHosts.count > Self.mostUploadHosts { uploadHosts.removeFirst() }
  }
}
