package import JSON

/// Devices that encrypt, for people.
extension RowFormat {
  /// `bob@example.org  phone  device 27183  verified  seen 2026-11-20 09:10`, and on a line of its own the fingerprint
  /// in eight groups.
  func device(_ device: DeviceRow) -> String {
    let facts = style.row([
      style.clean(device.jid), device.label.isEmpty ? nil : style.paint(style.clean(device.label), .bold),
      "device \(device.id)", style.paint(device.trustWords, ink(device)), device.isActive ? nil : "not on a list",
      device.lastSeen.map { "seen \(clock.stamp($0))" },
    ])
    guard !device.fingerprint.isEmpty else { return facts }
    return facts + (style.isSpoken ? ", fingerprint " : "\n    ") + fingerprint(device.fingerprint)
  }

  /// `c5a1f0de 01234567 …`
  package func fingerprint(_ digits: String) -> String {
    DeviceRow.groups(style.clean(digits)).joined(separator: " ")
  }

  private func ink(_ device: DeviceRow) -> TextStyle.Ink {
    if device.isBroken { return .red }
    return switch device.trust {
    case .verified, .trusted: .green
    case .blind, nil: .dim
    case .undecided: .yellow
    case .distrusted: .red
    }
  }

  /// The event `device` in a sentence: `device 27183 (phone) is new: verified`.
  package func change(of device: DeviceRow, _ change: String) -> String {
    let label = device.label.isEmpty ? "" : " (\(style.clean(device.label)))"
    let key = device.fingerprint.isEmpty ? "" : ", \(style.clean(device.fingerprint))"
    let words =
      switch change {
      case "new": "is new: \(device.trustWords)\(key)"
      case "gone": "is gone"
      case "key-changed": "got another key published, which is not used; it had\(key.dropFirst())"
      default: "is \(device.trustWords)\(key)"
      }
    return "device \(device.id)\(label) \(words)"
  }

  /// The answer of `encrypt` in a sentence: `encrypted: the contact has devices; 2 of 3 devices are used; the policy is auto`.
  package func encryption(_ state: JSONValue) -> String? {
    guard let policy = text(state, "encrypt") else { return nil }
    let isActive = state["active"]?.bool == true
    let reason = text(state, "reason").map { ": " + $0 } ?? ""
    let devices = number(state, "devices")
    let used = devices == 0 ? "" : "; \(number(state, "usable")) of \(Self.counted(devices, "device")) used"
    return "\(isActive ? "encrypted" : "not encrypted")\(reason)\(used); the policy is \(policy)"
  }
}
