import ConfabClient
import JSON
import LineProtocol

/// Answers about the encryption end to end.
extension HumanOutput {
  /// The text for a final line; nil if there is nothing to say, or it is about something else.
  func encryptionDone(_ object: JSONValue, _ request: Request) -> String? {
    let jid = TerminalText.clean(request.string(.jid) ?? "")
    let device = request.id(.id).map(String.init) ?? ""
    switch request.verb {
    case .encrypt: return rows.encryption(object)
    case .trust where request.string(.verified) == "yes":
      return "verified: messages to \(jid) are encrypted to this key"
    case .trust: return "trusted: messages to \(jid) are encrypted to this key"
    case .distrust: return "distrusted: messages to \(jid) are not encrypted to this key any more"
    case .verify: return "verified: the keys in the address"
    case .fingerprint: return fingerprint(object)
    case .deviceRemove: return "device \(device) is on no list of yours any more"
    case .sessionReset: return "\(device.isEmpty ? "new sessions begin" : "a new session begins") with \(jid)"
    default: return nil
    }
  }

  /// The key for people, the number of the device, and the address for another client.
  private func fingerprint(_ object: JSONValue) -> String? {
    guard let digits = rows.text(object, "fingerprint") else { return nil }
    let lines = [
      "fingerprint  " + rows.fingerprint(digits), "device       \(rows.number(object, "device"))",
      rows.text(object, "uri").map { "address      " + $0 },
    ]
    return lines.compactMap { $0 }.joined(separator: "\n")
  }
}
