package import JSON

/// One line from the daemon, as it came and as JSON.
package struct ReceivedLine: Equatable, Sendable {
  /// Without its LF.
  package var bytes: [UInt8]
  /// An object, always.
  package var object: JSONValue

  /// The kind of a line.
  package enum Kind: Equatable, Sendable {
    /// `{"ok":true,...}`
    case done
    /// `{"ok":false,"error":CODE,...}`
    case refused(code: String, reason: String)
    /// An event line, by the value of `event`.
    case event(String)
    /// A data line, `{"message":{...}}`.
    case data
  }

  /// nil if the line is no JSON object: then the other end is no confabd.
  package init?(_ bytes: [UInt8]) {
    guard let object = try? JSONParser.parse(bytes, maximumDepth: 32), case .object = object else { return nil }
    self.bytes = bytes
    self.object = object
  }

  package var kind: Kind {
    if let ok = object["ok"]?.bool {
      return ok ? .done : .refused(code: object["error"]?.string ?? "", reason: object["reason"]?.string ?? "")
    }
    return object["event"]?.string.map(Kind.event) ?? .data
  }
}
