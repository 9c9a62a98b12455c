package import Pictures
package import XMPPExtensions

/// Names one order to read or write a file.
package struct FileTicket: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// Orders to files, carried out off the loop, one after the other.
package enum FileOrder: Sendable {
  /// Read all of what a front end's descriptor is open for, up to so many bytes, and close it: `.read`. It has to be a
  /// regular file or a file in memory, and not empty.
  case read(DescriptorID, limit: Int)
  /// Keep this picture: `.done`. The oldest of others make room for it.
  case keepAvatar(Avatar)
  /// Open the picture with this hash for reading, if it is kept and whole: `.avatar`.
  case openAvatar(hash: String)
}

/// How an order ended.
package enum FileOutcome: Sendable {
  case done
  case read([UInt8])
  /// The descriptor cannot be used, for this reason.
  case unusable(String)
  /// There are more bytes than allowed.
  case tooLong
  case avatar(OpenAvatar)
  /// It is not there.
  case missing
  /// As many descriptors are open for clients as may be.
  case tooMany
  /// The disk or the system failed, in words.
  case failed(String)
}

/// A picture that is kept, with a descriptor that is open for reading.
package struct OpenAvatar: Sendable {
  package let descriptor: DescriptorID
  package let hash: String
  package let header: PictureHeader
  package let byteCount: Int

  package init(_ avatar: Avatar, _ descriptor: DescriptorID) {
    self.descriptor = descriptor
    (hash, header, byteCount) = (avatar.hash, avatar.header, avatar.bytes.count)
  }
}

extension Effects {
  /// Has something done with files; `then` is called once.
  func order(_ order: FileOrder, then: @escaping (FileOutcome) -> Void) {
    let ticket = FileTicket(freshNumber())
    fileWork[ticket] = then
    act(.file(ticket, order))
  }

  /// An order has ended.
  func ended(_ ticket: FileTicket, _ outcome: FileOutcome) { fileWork.removeValue(forKey: ticket)?(outcome) }
}
