package import JSON
import LineProtocol
import Records

/// The lines of answers, as bytes.
extension Request {
  /// The final line where all went well.
  func ok(_ members: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
    var writer = JSONWriter()
    Answer.ok(tag, into: &writer, members)
    return writer.bytes
  }

  /// The final line of a request that was not done.
  func error(_ failure: RequestFailure, _ members: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
    var failure = failure
    failure.tag = failure.tag ?? tag
    return failure.line(members)
  }

  /// A data line.
  func data(_ name: StaticString, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    Answer.data(name, tag, into: &writer, members)
    return writer.bytes
  }
}

extension RequestFailure {
  /// The final line that reports it.
  package func line(_ members: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
    var writer = JSONWriter()
    Answer.error(self, into: &writer, members)
    return writer.bytes
  }
}
