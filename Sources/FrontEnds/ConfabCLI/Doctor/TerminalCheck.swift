import LineProtocol
import Syscalls

/// Checks the terminal, and tmux in it, for features that the terminal UI needs.
struct TerminalCheck {
  let environment: [String: String]
  /// The lines that a command of the shell writes; nil if it fails.
  var ask: (String) -> [String]? = Self.run

  private static let patience: Int64 = 2000

  /// tmux's options that matter, their values at best, and the lines to add.
  private static let options: [(name: String, wanted: @Sendable (String) -> Bool, lack: String, line: String)] = [
    (
      "focus-events", { $0 == "on" }, "does not report whether you are there, so reading is guessed from keys",
      "set -g focus-events on"
    ),
    ("escape-time", { (Int($0) ?? 0) <= 50 }, "holds back Esc for half a second", "set -sg escape-time 20"),
    ("set-clipboard", { $0 != "off" }, "keeps copied text from the clipboard", "set -s set-clipboard external"),
    (
      "default-terminal", { $0.contains("256") || $0.contains("direct") }, "shows few colours",
      "set -g default-terminal tmux-256color"
    ),
  ]

  /// The checks, if a person is at a terminal; otherwise none.
  var checks: [Check] {
    guard let term = environment["TERM"], !term.isEmpty, term != "dumb" else { return [] }
    let own = [locale, colours].compactMap(\.self)
    let all = own + (environment["TMUX"]?.isEmpty == false ? tmux : [])
    return all.isEmpty ? [Check(.terminal, .ok, "the terminal (\(term)) lacks nothing")] : all
  }

  private var locale: Check? {
    let value = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let name = value.lowercased()
    guard !name.contains("utf-8"), !name.contains("utf8") else { return nil }
    return Check(
      .terminal, .warning, "the locale (\(value.isEmpty ? "none" : value)) has no letters beyond ASCII",
      advice: "export LANG=C.UTF-8")
  }

  private var colours: Check? {
    guard environment["NO_COLOR"]?.isEmpty == false else { return nil }
    return Check(.terminal, .warning, "NO_COLOR is set, so nothing has colours", advice: "unset NO_COLOR")
  }

  private var tmux: [Check] {
    guard let lines = ask("tmux show-options -gq; tmux show-options -sq") else { return [] }
    var values: [String: String] = [:]
    for line in lines {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { values[String(parts[0])] = parts[1].filter { $0 != "\"" } }
    }
    return Self.options.compactMap { option in
      guard let value = values[option.name], !option.wanted(value) else { return nil }
      return Check(
        .terminal, .warning, "tmux \(option.lack) (\(option.name) \(value))", advice: "in ~/.tmux.conf: \(option.line)")
    }
  }

  private static func run(_ command: String) -> [String]? {
    let command = ShellCommand(command + " 2>/dev/null", limits: .init(time: patience, output: 1 << 16))
    guard let done = try? command.run(), case .exited = done.termination else { return nil }
    return String(decoding: done.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
