import JSON
import LineProtocol

/// Finds the JIDs of contacts by their names.
struct NameLookup {
  private struct Contact {
    let jid: String
    /// In lower case.
    let name: String
    let account: String?
  }

  private var contacts: [Contact] = []

  /// True if an argument or option of the request may be a name.
  static func isNeeded(_ request: Request) -> Bool {
    !names(request.row.options.filter { $0.kind == .jid }.map { request.options[$0.name] }).isEmpty
      || !names(request.row.arguments.filter { $0.kind == .jid }.map { request.arguments[$0.name] }).isEmpty
  }

  private static func names(_ values: [Value?]) -> [String] {
    values.compactMap { if case .string(let word) = $0, !word.utf8.contains(UInt8(ascii: "@")) { word } else { nil } }
  }

  /// Adds a contact from a data line of `roster`.
  mutating func note(_ line: JSONValue) {
    guard let contact = line["contact"], let jid = contact["jid"]?.string, let name = contact["name"]?.string else {
      return
    }
    contacts.append(Contact(jid: jid, name: name.lowercased(), account: contact["account"]?.string))
  }

  /// The request with names replaced by JIDs.
  func resolve(_ request: Request) throws(UsageFailure) -> Request {
    var resolved = request
    for row in request.row.options where row.kind == .jid {
      resolved.options[row.name] = try resolve(request.options[row.name], &resolved)
    }
    for row in request.row.arguments where row.kind == .jid {
      resolved.arguments[row.name] = try resolve(request.arguments[row.name], &resolved)
    }
    return resolved
  }

  private func resolve(_ value: Value?, _ request: inout Request) throws(UsageFailure) -> Value? {
    guard case .string(let word)? = value, !word.utf8.contains(UInt8(ascii: "@")) else { return value }
    let found = contacts.filter { $0.name == word.lowercased() }
    let jids = Set(found.map(\.jid)).sorted()
    guard jids.count < 2 else {
      throw UsageFailure("several contacts are named '\(word)'; use one of their JIDs: \(jids.joined(separator: ", "))")
    }
    guard let jid = jids.first else {
      if word.utf8.contains(UInt8(ascii: ".")) { return value }
      throw UsageFailure("no contact is named '\(word)'; see 'confab roster', or add --jid if it is an address")
    }
    // If only one account has the contact, the name selects that account.
    if request.account == nil, found.count == 1 { request.account = found.first?.account }
    return .string(jid)
  }
}
