import HelperProtocol
import JSON
import TerminalUI

/// Scenes with files and avatars.
extension FrameScene {
  /// Beside a conversation with somebody who has none.
  func showAvatar(_ ui: Harness) {
    openTwo(ui)
    let asked = ui.takeAll("avatar")
    let known = #""ok":true,"type":"image/png","size":900,"width":64,"height":64,"hash":"abc""#
    ui.answer(asked.first { $0["jid"]?.string == "bob@example.org" }, final: known)
    let cells = (1...8).map { DrawnCell("▀", foreground: 0x1E_1E1E * $0, background: 0x1E_0A00 * $0) }
    guard case .drawAvatar(let hash, let request)? = ui.actions.last else { return }
    ui.handle(.drewAvatar(Drawing(columns: 4, rows: 2, content: .cells(cells)), hash: hash, request))
  }

  func showFiles(_ ui: Harness) {
    ui.press("Enter")
    ui.answerHistory([
      Self.message(1, "the plan", -90, [Self.file("plan.pdf", "application/pdf", 81_920)]),
      Self.message(2, "", mine: true, -80, (1...2).map { Self.file("party-\($0).jpg", "image/jpeg", 2_500_000, 4000) }),
      Self.message(3, "all of them", -70, (1...9).map { Self.file("cat-\($0).gif", "image/gif", 12_345 * $0, 64) }),
    ])
  }

  /// Two pictures that are fetched, and the menu of the first one.
  func showFetching(_ ui: Harness) {
    showFiles(ui)
    ui.press("Alt-Up", "Alt-Up", "Enter", "Enter", "Down", "Enter", "Esc")
    ui.line(
      #"{"event":"transfer","conversation":"bob@example.org","id":2,"index":0,"done":1200000,"total":2500000}"#)
    ui.press("Alt-Up", "Alt-Up", "Enter", "Enter")
  }

  private static func file(_ name: String, _ type: String, _ size: Int, _ pixels: Int = 0) -> String {
    let shape = pixels > 0 ? #","width":\#(pixels),"height":\#(pixels),"animated":\#(type == "image/gif")"# : ""
    return #"{"url":"https://example.org/\#(name)","name":"\#(name)","type":"\#(type)","size":\#(size)\#(shape)}"#
  }

  private static func message(
    _ id: UInt64, _ text: String, mine: Bool = false, _ minutes: Int, _ files: [String]
  ) -> String {
    Harness.message(id, text, mine: mine, minutes: minutes, opens: id == 1)
      .replacing(
        #""opens_section""#, with: #""attachments":[\#(files.joined(separator: ","))],"opens_section""#)
  }
}
