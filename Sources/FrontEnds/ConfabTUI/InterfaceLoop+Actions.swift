import Screen
import Syscalls
import TerminalUI

/// Performs the application's actions.
extension InterfaceLoop {
  func perform(_ action: ApplicationAction) {
    switch action {
    case .send(let bytes): daemon?.send(bytes)
    case .pass(let request): pass(request)
    case .lookAt(let paths, let key): look(at: paths, key)
    case .preview(let path, let request): preview(path, request)
    case .list(let folder): dispatch(.folder(transfers.list(folder)))
    case .keep(let file): keep(file)
    case .draw(let file, let request, let key): draw(file, request, key)
    case .drawAvatar(let hash, let request): drawAvatar(hash, request)
    case .connect: daemon?.connect()
    case .bell: write(TerminalSequences.bell)
    case .notice(let title, let text): notify(title, text)
    case .run(let command): run(command)
    case .terminal(let command): host(Self.waitingForKey(command), nil)
    case .mouse(let isOurs): setMouse(isOurs)
    case .copy(let text): copy(text)
    case .edit(let text): edit(text)
    case .checkSpelling(let words, let languages): try? spelling.check(words, in: languages)
    case .suggestSpelling(let word, let languages): try? spelling.suggest(word, in: languages)
    case .readSettings:
      let file = files.settings()
      setMouse(file.settings.hasMouse)
      dispatch(.settings(file))
    case .keepPanes(let keys): files.panes.write(keys)
    case .suspend: suspend()
    case .repaint: repaint()
    case .quit: stop(0)
    }
  }

  private func run(_ command: [String]) {
    do throws(Errno) {
      try programs.start(command)
    } catch {
      dispatch(.failed("\(command.first ?? "") cannot be started: \(error.text)"))
    }
  }

  private func notify(_ title: String, _ text: String) {
    switch application.settings.notices.sequence {
    case .none: break
    case .osc9: writeThrough(TerminalSequences.notice9("\(title): \(text)"))
    case .osc777: writeThrough(TerminalSequences.notice777(title: title, text))
    case .osc99: writeThrough(TerminalSequences.notice99(id: 1, title: title, text))
    }
  }

  /// Writes strings (OSC) to the terminal, through tmux or GNU screen if we are within one.
  private func writeThrough(_ strings: String) {
    let isInTmux = files.variable("TMUX") != nil
    let isInScreen = files.variable("STY") != nil
    write(
      isInTmux
        ? TerminalSequences.throughTmux(strings) : isInScreen ? TerminalSequences.throughScreen(strings) : strings)
  }

  /// tmux takes texts for the clipboard only from itself by default.
  private func copy(_ text: String) {
    let isInScreen = files.variable("STY") != nil
    write(
      isInScreen
        ? TerminalSequences.throughScreen(TerminalSequences.clipboard(text)) : TerminalSequences.clipboard(text))
    guard files.variable("TMUX") != nil else { return }
    try? programs.start(["tmux", "load-buffer", "-w", "-"], input: Array(text.utf8))
  }

  private func edit(_ text: String) {
    guard let file = try? EditorFile(text, folder: files.temporaryFolder), host(file.command, file) else {
      return dispatch(.edited(nil))
    }
  }

  /// Lends the terminal to a program until that has ended; false if it cannot be started.
  @discardableResult
  private func host(_ command: [String], _ file: EditorFile?) -> Bool {
    guard !programs.hasGuest else { return false }
    lend()
    do throws(Errno) {
      try programs.host(command, file)
      return true
    } catch {
      retake()
      return false
    }
  }

  /// Runs a command and waits for a key, so that its output stays until it is read.
  private static func waitingForKey(_ command: [String]) -> [String] {
    let own = command.first.flatMap { Paths.beside([$0, "../../bin/" + $0]) }
    let command = own.map { [$0] + command.dropFirst() } ?? command
    return ["/bin/sh", "-c", #""$@"; printf '\n[Enter goes back to the conversations.] '; read -r line"#, "sh"]
      + command
  }
}
