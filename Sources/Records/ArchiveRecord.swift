import Bytes

/// How far the archive of an account is here. It is written behind the messages that it speaks of, so that whoever reads
/// it has these; the last one counts.
package struct ArchiveRecord: Sendable, Equatable {
  package var account: UInt32
  /// Everything up to this message of the archive is here; what is not was not to be fetched. Nil: the archive was empty.
  package var anchor: Anchor?
  /// The first fetching goes backwards, and has come to this id; nil: it is at its end.
  package var floor: String?
  /// Nothing older than this is fetched: milliseconds since 1970; nil: all of it.
  package var horizon: Int64?
  /// Of the first fetching: how many pages and messages it took.
  package var pages: UInt32 = 0
  package var messages: UInt64 = 0
  /// The archive may have given new ids to its messages: archive ids in records before this one identify a message only
  /// together with its content. 0: never.
  package var idsSince: UInt64 = 0
  /// The archive was found to be another one than before: its lack of a message of mine from before this record proves
  /// nothing. 0: never.
  package var provesSince: UInt64 = 0

  /// A message of the archive.
  package struct Anchor: Sendable, Equatable {
    package var id: String
    /// As the archive stamps it: milliseconds since 1970.
    package var time: Int64
    /// When it stands here, where that is known: what follows it within its second stands behind it.
    package var place: Int64?

    package init(id: String, time: Int64, place: Int64? = nil) {
      (self.id, self.time, self.place) = (id, time, place)
    }
  }

  package init(account: UInt32) { self.account = account }
}

extension ArchiveRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    if let anchor {
      writer.string(2, anchor.id)
      writer.int(3, anchor.time)
      if let place = anchor.place { writer.int(8, place) }
    }
    if let floor { writer.string(4, floor) }
    if let horizon { writer.int(5, horizon) }
    if pages > 0 { writer.uint(6, UInt64(pages)) }
    if messages > 0 { writer.uint(7, messages) }
    if idsSince > 0 { writer.uint(20, idsSince) }
    if provesSince > 0 { writer.uint(21, provesSince) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: anchor = Anchor(id: try reader.string(), time: 0)
      case 3: anchor?.time = try reader.int()
      case 4: floor = try reader.string()
      case 5: horizon = try reader.int()
      case 6: pages = try reader.uint(UInt32.self)
      case 7: messages = try reader.uint()
      case 8: anchor?.place = try reader.int()
      case 20: idsSince = try reader.uint()
      case 21: provesSince = try reader.uint()
      default: break
      }
    }
  }
}
