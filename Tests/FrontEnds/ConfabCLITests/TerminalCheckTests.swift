import LineProtocol
import Testing

@testable import ConfabCLI

@Suite("The doctor's look at the terminal")
struct TerminalCheckTests {
  private static let good = ["TERM": "xterm-256color", "LANG": "en_GB.UTF-8"]

  private func checks(_ environment: [String: String], tmux: [String]? = nil) -> [Check] {
    TerminalCheck(environment: Self.good.merging(environment) { $1 }, ask: { _ in tmux }).checks
  }

  @Test("A good terminal lacks nothing, and without one nothing is checked")
  func good() {
    #expect(checks([:]).map(\.outcome) == [.ok])
    #expect(checks(["TERM": "dumb"]).isEmpty)
  }

  @Test("A locale without letters beyond ASCII, and NO_COLOR, are named")
  func environment() {
    #expect(checks(["LANG": "C"]).first?.advice == "export LANG=C.UTF-8")
    #expect(checks(["NO_COLOR": "1"]).first?.advice == "unset NO_COLOR")
  }

  @Test("Each option of tmux that harms is named with the line to add")
  func tmux() {
    let usual = ["focus-events off", "escape-time 500", "set-clipboard off", #"default-terminal "screen""#]
    let found = checks(["TMUX": "/tmp/x,1,0"], tmux: usual)
    #expect(found.map(\.outcome) == [.warning, .warning, .warning, .warning])
    #expect(found.first?.advice == "in ~/.tmux.conf: set -g focus-events on")
    let better = ["focus-events on", "escape-time 20", "set-clipboard external", "default-terminal tmux-256color"]
    #expect(checks(["TMUX": "/tmp/x,1,0"], tmux: better).map(\.outcome) == [.ok])
    #expect(checks([:], tmux: usual).map(\.outcome) == [.ok], "outside of tmux its options do not matter")
  }
}
