import Screen
import Syscalls
import Testing

@testable import ConfabTUI

/// One at a time: a process has one way back, and libtinfo one description.
@Suite("The terminal is borrowed", .serialized)
struct TerminalLeaseTests {
  @Test("terminfo names the alternate screen, keys and colours of common terminals")
  func descriptions() throws {
    let xterm = try Terminfo(name: "xterm-256color")
    #expect(xterm.enterScreen.contains("\u{1B}[?1049h") && xterm.leaveScreen.contains("\u{1B}[?1049l"))
    #expect(xterm.colours == 256)
    #expect(xterm.keys[Array("\u{1B}OA".utf8)] == Key(.up))
    let linux = try Terminfo(name: "linux")
    #expect(linux.keys[Array("\u{1B}[[A".utf8)] == Key(.function(1)))
    #expect(linux.colours == 8)
    // Pauses are not written as text.
    #expect(!(try Terminfo(name: "vt100")).enterKeys.contains("$<"))
  }

  @Test(
    "a terminal that cannot be drawn on is refused with its name",
    arguments: [("", "TERM is not set"), ("no-such-terminal", "'no-such-terminal'"), ("dumb", "'dumb'")])
  func refused(name: String, words: String) {
    do throws(Terminfo.Failure) {
      _ = try Terminfo(name: name)
      Issue.record("\(name) is taken")
    } catch {
      #expect(error.reason.contains(words))
    }
  }

  @Test("leaving undoes each mode, the last one first, and brings the attributes back")
  func leaving() throws {
    let terminal = try PseudoTerminal()
    let before = try TerminalAttributes(of: terminal.device.raw)
    do {
      var lease = try TerminalLease.borrow(terminal.device.raw, try Terminfo(name: "xterm-256color"))
      #expect(!(try TerminalAttributes(of: terminal.device.raw)).isEqual(before))
      #expect(lease.entering.contains("\u{1B}[?1049h") && lease.entering.contains("\u{1B}[?2004h"))
      try lease.add(TerminalMode.clusters.set, undo: TerminalMode.clusters.reset)
      try lease.add(TerminalMode.mouse.set, undo: TerminalMode.mouse.reset)
      try lease.remove(undo: TerminalMode.mouse.reset)
      #expect(terminal.output() == "")
    }
    let output = terminal.output()
    #expect(try TerminalAttributes(of: terminal.device.raw).isEqual(before))
    let marks = [
      "\u{1B}[?12l\u{1B}[?25h", "\u{1B}[?2027l", "\u{1B}[?1004l", "\u{1B}[?2004l", "\u{1B}[1;1H\u{1B}[2J",
      "\u{1B}[?1049l",
    ]
    let places = marks.map { output.firstRange(of: $0)?.lowerBound }
    #expect(
      places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(output)")
    #expect(!output.contains(TerminalMode.mouse.reset))
  }

  @Test("answers that are still to come are thrown away, but nothing else that was typed")
  func answers() throws {
    let terminal = try PseudoTerminal()
    for awaits in [true, false] {
      var lease = try TerminalLease.borrow(terminal.device.raw, try Terminfo(name: "xterm"))
      lease.setAwaitsAnswers(awaits)
      try terminal.type("typed\n")
      lease.giveBack()
      let rest = try Descriptors.read(terminal.device.raw, atMost: 100)
      #expect(rest == (awaits ? nil : Array("typed\n".utf8)))
    }
  }

  @Test("a terminal that was given back is taken again with all modes; giving it back twice writes nothing more")
  func again() throws {
    let terminal = try PseudoTerminal()
    let before = try TerminalAttributes(of: terminal.device.raw)
    var lease = try TerminalLease.borrow(terminal.device.raw, try Terminfo(name: "xterm"))
    lease.giveBack()
    #expect(try TerminalAttributes(of: terminal.device.raw).isEqual(before))
    #expect(terminal.output().contains("\u{1B}[?1049l"))
    lease.giveBack()
    #expect(terminal.output() == "")
    // A mode that is noted meanwhile is set with the others.
    try lease.add(TerminalMode.clusters.set, undo: TerminalMode.clusters.reset)
    #expect(terminal.output() == "")
    try lease.take()
    #expect(lease.entering.hasSuffix(TerminalMode.clusters.set))
    #expect(!(try TerminalAttributes(of: terminal.device.raw)).isEqual(before))
    lease.giveBack()
    #expect(terminal.output().contains(TerminalMode.clusters.reset))
  }
}

@Suite("Bytes from and to the terminal")
struct TerminalConnectionTests {
  @Test("the size is the terminal's; one that does not know it is 80 by 24")
  func size() throws {
    let terminal = try PseudoTerminal(columns: 100, lines: 40)
    let connection = TerminalConnection(taking: try terminal.duplicate())
    #expect(connection.size == (100, 40))
    terminal.resize(columns: 0, lines: 0)
    #expect(connection.size == (80, 24))
  }

  @Test("nothing to read is no end; a terminal that has gone away is one, for reading and for writing")
  func end() throws {
    var terminal: PseudoTerminal? = try PseudoTerminal()
    guard let device = try terminal?.duplicate() else { return }
    try TerminalControl.setRaw(device.raw, before: TerminalAttributes(of: device.raw))
    let connection = TerminalConnection(taking: device)
    #expect(connection.read() == .nothing)
    try terminal?.type("\u{1B}[A")
    #expect(connection.read() == .bytes(Array("\u{1B}[A".utf8)))
    terminal = nil
    #expect(connection.read() == .end)
    connection.append([0x41])
    #expect(!connection.flush())
  }

  @Test("what the terminal does not take waits, and goes out in order")
  func pending() throws {
    let terminal = try PseudoTerminal()
    let device = try terminal.duplicate()
    try TerminalControl.setRaw(device.raw, before: TerminalAttributes(of: device.raw))
    let connection = TerminalConnection(taking: device)
    let text = (0..<20_000).map { String($0) }.joined(separator: " ")
    connection.append(Array(text.utf8))
    #expect(connection.flush())
    #expect(connection.hasPending)
    connection.append(Array("end".utf8))
    var shown = ""
    while connection.hasPending {
      shown += terminal.output()
      #expect(connection.flush())
    }
    shown += terminal.output()
    #expect(shown == text + "end")
  }

  @Test("late answers are read and thrown away, up to the one that ends them")
  func drained() throws {
    let terminal = try PseudoTerminal()
    let device = try terminal.duplicate()
    try TerminalControl.setRaw(device.raw, before: TerminalAttributes(of: device.raw))
    let connection = TerminalConnection(taking: device)
    try terminal.type("\u{1B}[?6c")
    var seen: [UInt8] = []
    connection.drain(milliseconds: 10_000) { bytes in
      seen += bytes
      return seen.last == UInt8(ascii: "c")
    }
    #expect(seen == Array("\u{1B}[?6c".utf8))
    #expect(connection.read() == .nothing)
  }
}
