import ConfabAccounts
import LineProtocol

/// Idempotency keys of files that are being copied: other requests with the same key wait until their message is
/// pending, or is none.
struct ReservedKeys {
  private var names: Set<String> = []

  /// Reserves the key of a request; returns its name, nil if the request has none.
  mutating func reserve(_ request: Request, of client: Client, _ context: RequestContext) -> String? {
    guard let name = Self.name(request, client, context) else { return nil }
    names.insert(name)
    return name
  }

  mutating func free(_ name: String) { names.remove(name) }

  /// True if the key of a request is reserved.
  func has(_ request: Request, of client: Client, _ context: RequestContext) -> Bool {
    guard !names.isEmpty, let name = Self.name(request, client, context) else { return false }
    return names.contains(name)
  }

  private static func name(_ request: Request, _ client: Client, _ context: RequestContext) -> String? {
    guard let key = request.string(.key), let account = try? context.account(of: request) else { return nil }
    return "\(account.number) \(key) \(client.socket.name ?? "")"
  }
}
