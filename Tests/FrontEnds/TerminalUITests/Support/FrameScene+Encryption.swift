import TerminalUI

/// Encryption in recorded frames.
extension FrameScene {
  func showEncryption(_ ui: Harness) {
    ui.press("Enter")
    ui.answerHistory(Self.sealed)
    ui.press("Alt-End")
    ui.answer(
      ui.take("encrypt"),
      final: EncryptionScene.state("auto", "some devices of the contact are left out", devices: 2, usable: 1))
    switch self {
    case .devices:
      ui.press("Alt-Shift-D")
      ui.answer(ui.takeAll("devices").last, EncryptionScene.bobs.map { #""device":\#($0)"# })
    default: ui.line(EncryptionScene.event("new", EncryptionScene.device(4711, "tablet", trust: "undecided")))
    }
  }

  private static let sealed = [
    message(1, "can you read this?", -90, #""encrypted":{"scheme":"omemo","trust":"verified"}"#),
    message(
      2, "", -80,
      #""encrypted":{"scheme":"omemo","error":"no-session"},"plain":"Encrypted with OMEMO; this message cannot be read here.""#
    ),
    message(3, "and this, from my new tablet", -70, #""encrypted":{"scheme":"omemo","trust":"undecided"}"#),
    message(4, "this one is for everybody on the way", -60, #""unencrypted":true"#),
    message(
      5, "yes, all but one", mine: true, -50,
      #""encrypted":{"scheme":"omemo","trust":"verified","skipped":["bob@example.org/31415"]}"#),
  ]

  private static func message(
    _ id: UInt64, _ text: String, mine: Bool = false, _ minutes: Int, _ members: String
  ) -> String {
    Harness.message(id, text, mine: mine, minutes: minutes, opens: id == 1, state: "delivered")
      .replacing(#""opens_section""#, with: members + #","opens_section""#)
  }
}
