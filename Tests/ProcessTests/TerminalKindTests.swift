import TestSupport
import Testing

/// `confab` where tmux is not all that stands between it and a person: it works there, and gives the terminal back.
@Suite("Kinds of terminals")
struct TerminalKindTests {
  /// The text on the screen, and the words before the command.
  enum Kind: String, CaseIterable {
    case screen, console
    case slowLink = "slow link"

    /// The program that runs in tmux, around a shell.
    func command(_ folder: TemporaryFolder) throws -> [String] {
      let shell = ["bash", "--norc", "--noprofile", "-i"]
      switch self {
      case .screen:
        let settings = try folder.write("screenrc", "altscreen on\nstartup_message off\n")
        return ["screen", "-U", "-c", settings, "-S", "confab"] + shell
      case .console: return shell
      case .slowLink: return ["/usr/bin/python3", "-B", Products.support("slow_link.py"), "300"] + shell
      }
    }

    var prefix: String { self == .console ? "TERM=linux " : "" }
  }

  @Test("the UI opens, takes keys and letters, and leaves a shell as it was", arguments: Kind.allCases)
  func use(kind: Kind) throws {
    let folder = try TemporaryFolder("kind")
    let sockets = try folder.makeFolder("screens")
    let terminal = try TmuxTerminal(
      try kind.command(folder), in: folder,
      environment: ["HOME": folder.path, "PS1": "ready> ", "SCREENDIR": sockets])
    try terminal.wait(for: "ready>")
    try terminal.type(
      "cd; stty -g >before; \(kind.prefix)\(Products.program("confab")) --socket \(folder.file("none")); "
        + "echo status $?; stty -g >after; echo over")
    try terminal.press("Enter")
    try terminal.wait(for: "the first screen") { $0.hasPrefix(" Conversations") }
    try terminal.press("F1")
    try terminal.wait(for: "Keys and commands")
    try terminal.type("ünread")
    try terminal.wait(for: " ünread ")
    try terminal.resize(columns: 60, lines: 20)
    try terminal.wait(for: "a narrower pop-up") { screen in
      screen.contains(" ünread ") && screen.split(separator: "\n").allSatisfy { $0.count <= 60 }
    }
    try terminal.press("C-g")
    try terminal.wait(for: "the list again") { !$0.contains("Keys and commands") }
    try terminal.press("C-q")
    try terminal.wait(for: "status 0", "\nover\nready>")
    #expect(TestFiles.text(folder.file("before")) == TestFiles.text(folder.file("after")))
    #expect(TestFiles.text(folder.file("before"))?.isEmpty == false)
    // No answer of the terminal was typed.
    #expect(try !terminal.screen().contains("rgb:"))
    #expect(try terminal.variable("cursor_flag") == "1" && terminal.variable("mouse_any_flag") == "0")
  }
}
