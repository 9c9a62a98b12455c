import JSON
import TerminalUI

/// An encrypted conversation with Bob, and devices.
enum EncryptionScene {
  static let digits = "c5a1f0de0123456789abcdef00112233445566778899aabbccddeeff01234567"

  static func device(
    _ id: Int, _ label: String, trust: String = "blind", jid: String = "bob@example.org", more: String = ""
  ) -> String {
    let digits = "\(digits.dropLast(4))\(String(id).suffix(4))"
    let label = label.isEmpty ? "" : #","label":"\#(label)""#
    return
      #"{"jid":"\#(jid)","id":\#(id)\#(label),"fingerprint":"\#(digits)","trust":"\#(trust)","versions":["0.3"],"active":true,"session":"ok"\#(more)}"#
  }

  static let bobs = [
    device(27183, "phone", trust: "verified", more: #","last_seen":"2026-11-20T09:00:00.000Z""#),
    device(31415, "", trust: "undecided"),
  ]

  static func state(
    _ policy: String = "auto", isActive: Bool = true, _ reason: String = "the contact has devices", devices: Int = 2,
    usable: Int = 2
  ) -> String {
    #""ok":true,"encrypt":"\#(policy)","active":\#(isActive),"reason":"\#(reason)","devices":\#(devices),"usable":\#(usable)"#
  }

  /// The conversation is open, and the daemon has said how it is encrypted.
  static func opened(_ state: String = state(), columns: Int = 100, lines: Int = 24) -> Harness {
    let ui = Harness.opened(columns: columns, lines: lines)
    ui.answerHistory(Harness.two)
    ui.answer(ui.take("encrypt"), final: state)
    return ui
  }

  static func event(_ change: String, _ device: String) -> String {
    let jid = device.contains("alice@") ? "alice@example.org" : "bob@example.org"
    return #"{"event":"device","seq":9,"jid":"\#(jid)","change":"\#(change)","device":\#(device)}"#
  }
}
