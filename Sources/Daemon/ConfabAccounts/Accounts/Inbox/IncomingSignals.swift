import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

/// The signals of one stanza, about other messages or its sender.
struct IncomingSignals {
  let all: [MessageSignal]
  let from: JID
  /// In a copy: to whom it went.
  let to: JID?
  /// In a room: who sends them to all.
  private(set) var author: Author?
  /// When it was sent, if it comes out of the archive.
  private(set) var time: Timestamp?
  private(set) var archiveID: String?

  init(_ signals: [MessageSignal], from: JID, to: JID?, by author: Author? = nil) {
    (all, self.from, self.to, self.author) = (signals, from, to, author)
  }

  /// True if all signals hold only at the moment when they are sent.
  var areEphemeral: Bool { all.allSatisfy(\.isEphemeral) }

  /// These signals as a copy out of our archive.
  func archived(_ copy: ForwardedMessage, _ archiveID: String) -> Self {
    var archived = self
    (archived.time, archived.archiveID) = (copy.time, archiveID)
    return archived
  }
}
