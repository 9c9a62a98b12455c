import LineProtocol
package import Pictures
package import Records
package import XMPPExtensions

/// Names one order to read or write a file.
package struct FileTicket: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// Orders to files, carried out off the loop, one after the other: those for avatars, and those for other files.
package enum FileOrder: Sendable {
  /// Read all of what a front end's descriptor is open for, up to so many bytes, and close it: `.read`. It has to be a
  /// regular file or a file in memory, and not empty.
  case read(DescriptorID, limit: Int)
  /// Keep this picture: `.done`. The oldest of others make room for it.
  case keepAvatar(Avatar)
  /// Open the picture with this hash for reading, for a client, if it is kept and whole: `.avatar`.
  case openAvatar(hash: String, for: ClientID)
  /// Copy what these descriptors are open for, each a regular file or a file in memory and not empty, durably, and
  /// close them: `.spooled`. All or none are there afterwards. `.tooLong`: they can never be; `.noRoom`: not now.
  case spool([DescriptorID], SpoolPlan)
  /// Open a copy for reading: `.opened`.
  case openSpooled(String)
  /// Keep copies in the cache, as fetched from where they are now: `.done`.
  case keepSpooled([SpooledCopy], cacheSize: Int)
  /// Remove copies: `.done`.
  case dropSpooled([String])
  /// Remove all copies but these: `.done`.
  case sweepSpool(keeping: [String])
  /// Make an empty file for what is about to be fetched: `.opened`.
  case makeFetched(String)
  /// Keep that file, which is whole, in the cache, as this one of a message: `.done`. `.wrongHash`: it is another, and
  /// nothing has changed.
  case keepFetched(String, as: FetchedFile, cacheSize: Int)
  /// Open a file of the cache for a client, and check it: `.fetched`.
  case openFetched(FetchedFile, for: ClientID)
  /// Name the messages that files of the cache are kept for: `.messages`.
  case listFetched
  /// Remove the files of the cache that are kept for these messages: `.done`.
  case forgetFetched([UInt64])
  /// Remove a file that is not whole: `.done`.
  case dropFetched(String)
  /// Find how many bytes may still be written where the log is: `.freeSpace`.
  case measureFreeSpace

  /// The client that its outcome's descriptor is for.
  package var client: ClientID? {
    switch self {
    case .openAvatar(_, let client), .openFetched(_, let client): client
    default: nil
    }
  }

  /// The descriptors that it takes.
  package var descriptors: [DescriptorID] {
    switch self {
    case .read(let descriptor, _): [descriptor]
    case .spool(let descriptors, _): descriptors
    default: []
    }
  }
}

/// How files are copied before they are sent.
package struct SpoolPlan: Sendable {
  /// The names of the copies.
  package var names: [String]
  /// The name of each file for others; nil: its own.
  package var name: String?
  /// The most bytes of all copies that there are.
  package var limit: Int
  /// JPEGs are copied without what says where they were taken.
  package var stripsMetadata: Bool

  package init(names: [String], name: String?, limit: Int, stripsMetadata: Bool) {
    (self.names, self.name, self.limit, self.stripsMetadata) = (names, name, limit, stripsMetadata)
  }
}

/// A copy that is uploaded, of a file of this message.
package struct SpooledCopy: Sendable {
  package let name: String
  /// `Attachment.identity`
  package let identity: String
  package let message: UInt64
}

/// A file of a message, by what others say of it.
package struct FetchedFile: Sendable {
  /// `Attachment.identity`
  package let identity: String
  package let message: UInt64
  /// It has to have all of them.
  package let hashes: [FileHash]
  /// The copy in the spool of a file that waits to be uploaded, which has no address yet.
  package var copy: String?
  /// The file in the cache that was fetched just now: whole, not yet durable, and not yet named by its address.
  package var fresh: String?
}

/// How an order ended.
package enum FileOutcome: Sendable {
  case done
  case read([UInt8])
  /// The descriptor cannot be used, for this reason.
  case unusable(String)
  /// There are more bytes than allowed.
  case tooLong
  /// No more copies of files may wait.
  case noRoom
  case avatar(OpenAvatar)
  case spooled([MeasuredFile])
  case opened(DescriptorID)
  case fetched(MeasuredFile, DescriptorID)
  case messages([UInt64])
  case freeSpace(UInt64)
  /// Its bytes do not match a hash.
  case wrongHash
  /// It is not there.
  case missing
  /// The limit of descriptors that are open for all clients, or for this one, is reached.
  case tooMany
  /// The disk is full.
  case noSpace
  /// The disk or the system failed, in words.
  case failed(String)
}

/// Facts that the bytes of a file say.
package struct MeasuredFile: Sendable, Equatable {
  /// For others, cleaned; nil: it has none of its own.
  package var name: String?
  /// The media type; nil: unknown.
  package var type: String?
  package var size: UInt64
  /// Pictures only.
  package var picture: PictureHeader?
  /// Copies only.
  package var hash: FileHash?

  package init(size: UInt64) { self.size = size }
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
  package func order(_ order: FileOrder, then: @escaping (FileOutcome) -> Void = { _ in }) {
    let ticket = FileTicket(freshNumber())
    fileWork[ticket] = then
    act(.file(ticket, order))
  }

  /// An order has ended.
  package func ended(_ ticket: FileTicket, _ outcome: FileOutcome) { fileWork.removeValue(forKey: ticket)?(outcome) }
}

/// A file for a client, open for reading.
package struct OpenFile: Sendable {
  package let descriptor: DescriptorID
  package let name: String?
  package let size: UInt64
  package let file: Attachment
  /// The record that says what the bytes say; 0: none. The answer comes once it is durable.
  package let facts: UInt64
}
