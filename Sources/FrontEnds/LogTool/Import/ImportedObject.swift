import ConfabClient
import Clocks
import JSON
import LineProtocol
import Records

/// The members of a line's object, each taken as what it has to be.
struct ImportedObject {
  private let value: JSONValue
  private let addresses: ImportedAddresses

  init(_ line: [UInt8], _ addresses: ImportedAddresses) throws(LineProblem) {
    self.addresses = addresses
    do throws(JSONError) { value = try JSONParser.parse(line) } catch { throw LineProblem(error.reason) }
    guard value.members != nil else { throw LineProblem("the line is not a JSON object") }
  }

  /// A member that says something.
  func member(_ name: String) -> JSONValue? { value[present: name] }

  func text(_ name: String) throws(LineProblem) -> String? {
    try value[present: name].map { member throws(LineProblem) in try Self.text(member, name) }
  }

  /// A text that says something; an empty one is none.
  func name(_ name: String) throws(LineProblem) -> String? {
    try text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Its rank among those of one time that came out of the archive.
  func depth() throws(LineProblem) -> UInt32 {
    guard let member = value[present: "depth"] else { return 0 }
    guard let depth = member.integer.flatMap({ UInt32(exactly: $0) }), depth < MessageRecord.newestOrder else {
      throw LineProblem("'depth' is not a number from 0 to \(MessageRecord.newestOrder - 1)")
    }
    return depth
  }

  func flag(_ name: String) throws(LineProblem) -> Bool? {
    guard let member = value[present: name] else { return nil }
    guard let flag = member.bool else { throw LineProblem("'\(name)' is neither true nor false") }
    return flag
  }

  /// The key, in the form that `send key=` takes.
  func key() throws(LineProblem) -> String? {
    guard let key = try name("key") else { return nil }
    guard ValueKind.key.read(key) != nil else { throw LineProblem("'key' is not \(ValueKind.key.expectation)") }
    return key
  }

  /// Milliseconds since 1970.
  func time(_ name: String) throws(LineProblem) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else { throw LineProblem("'\(name)' is not an RFC 3339 time") }
    return time.milliseconds
  }

  func address(_ name: String, isBare: Bool) throws(LineProblem) -> String {
    guard let text = try text(name) else { throw LineProblem("'\(name)' is missing") }
    let address = try address(name, of: text)
    guard !isBare || !address.utf8.contains(UInt8(ascii: "/")) else { throw LineProblem("'\(name)' is not a bare JID") }
    return address
  }

  /// An address that a member says, prepared.
  func address(_ name: String, of text: String) throws(LineProblem) -> String {
    try naming(name) { () throws(LineProblem) in try addresses.address(text) }
  }

  /// An address that a member says, where it is this person's, whose bare JID comes back, too; nil: it is somebody else's.
  func person(
    _ name: String, _ text: String, being owner: String
  ) throws(LineProblem) -> (address: String, owner: String)? {
    try naming(name) { () throws(LineProblem) in try addresses.person(text, being: owner) }
  }

  private func naming<R>(_ name: String, _ body: () throws(LineProblem) -> R) throws(LineProblem) -> R {
    do throws(LineProblem) {
      return try body()
    } catch {
      throw error.endsAll ? error : LineProblem("'\(name)' is not a JID: \(error.reason)")
    }
  }

  /// The settings of a conversation; nil for a line about something else.
  func settings() throws(LineProblem) -> ImportedSettings? {
    try value[present: "settings"].map { member throws(LineProblem) in try ImportedSettings(member) }
  }

  func failure() throws(LineProblem) -> Failure? {
    guard let member = value[present: "failure"] else { return nil }
    guard member.members != nil else { throw LineProblem("'failure' is not an object") }
    func text(_ name: String) throws(LineProblem) -> String? {
      try member[present: name].map { value throws(LineProblem) in try Self.text(value, "failure." + name) }
    }
    guard let condition = try text("condition") else { throw LineProblem("'failure.condition' is missing") }
    guard Failure.conditions.contains(condition) else {
      throw LineProblem("'failure.condition' is \(TerminalText.quoted(condition)), not a condition of a failure")
    }
    return Failure(condition: condition, text: try text("text"))
  }

  static func text(_ value: JSONValue, _ name: String) throws(LineProblem) -> String {
    guard let text = value.string else { throw LineProblem("'\(name)' is not a string") }
    if let position = XMLText.firstForbidden(in: text) {
      throw LineProblem("'\(name)' contains a character that XML cannot carry, at \(position)")
    }
    return text
  }
}

extension JSONValue {
  /// A member that says something: `null` is as good as none.
  subscript(present name: String) -> JSONValue? {
    self[name].flatMap { $0 == .null ? nil : $0 }
  }
}
