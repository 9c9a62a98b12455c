/// Status and headers of a response, taken line by line.
package struct ResponseHead: Equatable, Sendable {
  /// 0 before the first line.
  package private(set) var status = 0
  /// The first of its kind each, without white space around it.
  package private(set) var contentType: String?
  package private(set) var location: String?
  /// The body's codings beyond chunks, which nobody asked for, change the length of what comes.
  package private(set) var hasForeignCoding = false
  /// The length of the body in bytes, if the server states it.
  package private(set) var contentLength: UInt64?
  private(set) var hasTwoLengths = false

  package init() {}

  /// True if it is the last one: statuses below 200 announce another.
  package var isFinal: Bool { status >= 200 }

  /// Takes a line with or without its end.
  ///
  /// - Returns: whether it was the empty line behind the headers.
  package mutating func take(_ line: some Collection<UInt8>) -> Bool {
    let line = Array(line).trimmed
    if line.isEmpty { return true }
    if line.starts(with: "HTTP/".utf8) {
      self = ResponseHead()
      status = line.split(separator: 0x20).dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    } else if let colon = line.firstIndex(of: 0x3A) {
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      takeHeader(name, String(decoding: Array(line[(colon + 1)...]).trimmed, as: UTF8.self))
    }
    return false
  }

  private mutating func takeHeader(_ name: String, _ value: String) {
    switch name {
    case "content-type": contentType = contentType ?? value
    case "location": location = location ?? value
    case "transfer-encoding": hasForeignCoding = hasForeignCoding || value.lowercased() != "chunked"
    case "content-length":
      let length = UInt64(value)
      hasTwoLengths = hasTwoLengths || length == nil || contentLength.map { $0 != length } ?? false
      contentLength = length
    default: break
    }
  }
}

extension Array<UInt8> {
  /// Without white space and control characters at its ends.
  fileprivate var trimmed: [UInt8] {
    Array(drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed())
  }
}
