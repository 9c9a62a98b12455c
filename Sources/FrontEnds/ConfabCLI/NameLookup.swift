import JSON
import LineProtocol

/// Finds the JIDs of contacts and of rooms by their names.
struct NameLookup {
  private struct Named {
    let jid: String
    /// In lower case.
    let name: String
    let account: String?
  }

  private var all: [Named] = []

  /// True if an argument or option of the request may be a name.
  static func isNeeded(_ request: Request) -> Bool {
    !names(in: request).isEmpty
  }

  private static func names(in request: Request) -> [String] {
    let options = request.row.options.filter { $0.kind == .jid }.map { request.options[$0.name] }
    let arguments = request.row.arguments.filter { $0.kind == .jid }.map { request.arguments[$0.name] }
    return (options + arguments).compactMap {
      if case .string(let word) = $0, !word.utf8.contains(UInt8(ascii: "@")) { word } else { nil }
    }
  }

  /// Adds a contact or a room from a data line of `roster` or `rooms`.
  mutating func note(_ line: JSONValue) {
    guard let named = line["contact"] ?? line["room"], let jid = named["jid"]?.string, let name = named["name"]?.string
    else { return }
    all.append(Named(jid: jid, name: name.lowercased(), account: named["account"]?.string))
  }

  /// True if each name of the request is one of those that were added, or may be a domain.
  func knowsAll(of request: Request) -> Bool {
    Self.names(in: request).allSatisfy { name in
      name.utf8.contains(UInt8(ascii: ".")) || all.contains { $0.name == name.lowercased() }
    }
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
    let found = all.filter { $0.name == word.lowercased() }
    let jids = Set(found.map(\.jid)).sorted()
    guard jids.count < 2 else {
      throw UsageFailure(
        "several contacts or rooms are named '\(word)'; use one of their JIDs: \(jids.joined(separator: ", "))")
    }
    guard let jid = jids.first else {
      if word.utf8.contains(UInt8(ascii: ".")) { return value }
      throw UsageFailure(
        "no contact or room is named '\(word)'; see 'confab roster' and 'confab rooms', or add --jid if it is an address"
      )
    }
    // If only one account has it, the name selects that account.
    if request.account == nil, found.count == 1 { request.account = found.first?.account }
    return .string(jid)
  }
}
