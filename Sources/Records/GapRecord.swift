import Bytes

/// For a time nothing could be stored, so that nothing was taken from an account's server: it may have kept less of it than
/// it should have.
package struct GapRecord: Sendable, Equatable {
  package var account: UInt32
  /// Since when nothing was taken, in milliseconds since 1970; nil: nothing is missing.
  package var since: Int64?
  /// Until when; nil: what the server kept is not known yet. With it, nobody can tell any more.
  package var until: Int64?
  /// The stream that could have brought it is over.
  package var isStreamOver = false

  package init(account: UInt32, since: Int64? = nil, until: Int64? = nil) {
    (self.account, self.since, self.until) = (account, since, until)
  }
}

extension GapRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    if let since { writer.int(2, since) }
    if let until { writer.int(3, until) }
    if isStreamOver { writer.uint(4, 1) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: since = try reader.int()
      case 3: until = try reader.int()
      case 4: isStreamOver = try reader.uint() != 0
      default: break
      }
    }
  }
}
