import Clocks
public import JSON

/// Writes the lines that go to clients. Each call writes one whole line; the tag is last.
@usableFromInline package enum Answer {
  /// The final line of a request that was done; `members` adds what the verb answers.
  package static func ok(
    _ tag: RequestTag?, into writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void = { _ in }
  ) {
    line(tag, into: &writer) { writer in
      writer.member("ok", true)
      members(&writer)
    }
  }

  /// The final line of a request that was not done, or not to its end; `members` adds `id`, `state` and the like.
  package static func error(
    _ failure: RequestFailure, into writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void = { _ in }
  ) {
    line(failure.tag, into: &writer) { writer in
      writer.member("ok", false)
      writer.member("error", failure.code.rawValue)
      writer.member("reason", failure.reason)
      if let argument = failure.argument { writer.member("argument", argument) }
      if let position = failure.position { writer.member("position", position) }
      if let limit = failure.limit { writer.member("limit", limit) }
      if let interval = failure.retryAfter { writer.member("retry_after", interval.description) }
      members(&writer)
    }
  }

  /// A data line, `{"NAME":{...}}`.
  package static func data(
    _ name: StaticString, _ tag: RequestTag?, into writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void
  ) {
    beginData(name, into: &writer)
    members(&writer)
    endData(tag, into: &writer)
  }

  /// The beginning of a data line, behind which its members are written.
  @inlinable package static func beginData(_ name: StaticString, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key(name)
    writer.beginObject()
  }

  /// The end of a data line.
  package static func endData(_ tag: RequestTag?, into writer: inout JSONWriter) {
    writer.endObject()
    end(tag, into: &writer)
  }

  /// An event line; `sequence` only where the event is durable, and for `caught-up`.
  package static func event(
    _ kind: EventKind, sequence: UInt64? = nil, _ tag: RequestTag?, into writer: inout JSONWriter,
    _ members: (inout JSONWriter) -> Void = { _ in }
  ) {
    line(tag, into: &writer) { writer in
      writer.member("event", kind.rawValue)
      if let sequence { writer.member("seq", sequence) }
      members(&writer)
    }
  }

  private static func line(_ tag: RequestTag?, into writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
    writer.beginObject()
    members(&writer)
    end(tag, into: &writer)
  }

  private static func end(_ tag: RequestTag?, into writer: inout JSONWriter) {
    switch tag {
    case .string(let text): writer.member("tag", text)
    case .integer(let number): writer.member("tag", number)
    case nil: break
    }
    writer.endObject()
    writer.endLine()
  }
}

/// The first line on every connection.
package struct Greeting: Equatable, Sendable {
  /// The daemon's version.
  package var version: String
  /// The log's UUID.
  package var log: String
  /// The newest durable sequence number.
  package var last: UInt64
  /// The rights of this socket.
  package var rights: Rights
  /// Bytes of files that may wait to be uploaded.
  package var spoolSize: Int

  package init(version: String, log: String, last: UInt64, rights: Rights, spoolSize: Int) {
    (self.version, self.log, self.last, self.rights) = (version, log, last, rights)
    self.spoolSize = spoolSize
  }

  /// Writes the line.
  package func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("confab", 1)
    writer.member("version", version)
    writer.member("log", log)
    writer.member("last", last)
    writer.member("rights", rights.rawValue)
    writer.object("limits") { limits in
      limits.member("line", Limits.line)
      limits.member("text", Limits.text)
      limits.member("page", Limits.page)
      limits.member("keys", Limits.keys)
      limits.member("files", spoolSize)
    }
    writer.endObject()
    writer.endLine()
  }
}
