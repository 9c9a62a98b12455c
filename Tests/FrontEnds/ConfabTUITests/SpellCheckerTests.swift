import Reactor
import Syscalls
import TerminalUI
import TestSupport
import Testing

@testable import ConfabTUI

@Suite("The thread that checks words")
struct SpellCheckerTests {
  /// Events of a checker, so many.
  private func events(
    _ count: Int, _ body: (SpellChecker) throws -> Void
  ) throws -> [ApplicationEvent] {
    let loop = try EventLoop()
    var events: [ApplicationEvent] = []
    let mailbox = loop.makeMailbox { (event: ApplicationEvent) in events.append(event) }
    try body(SpellChecker(dictionaryPath: nil, mailbox))
    let deadline = Deadline.seconds(60)
    while events.count < count {
      guard !deadline.hasPassed else { throw TestFailure("\(events)") }
      try loop.turn(block: false)
    }
    return events
  }

  @Test("a word is right if one of the languages has it")
  func languages() throws {
    let found = try events(2) { checker in
      try checker.check(["hello", "Grüße", "helo"], in: ["en_US", "de_DE"])
      try checker.suggest("helo", in: ["en_US", "de_DE"])
    }
    #expect(found.first == .spelled(["hello": true, "Grüße": true, "helo": false]))
    guard case .suggestions("helo", let words)? = found.last else { throw TestFailure("\(found)") }
    #expect(words.contains("hello"))
  }

  @Test("a dictionary that is missing is said once, and then every word is right")
  func missing() throws {
    let found = try events(3) { checker in
      try checker.check(["helo"], in: ["zz_ZZ"])
      try checker.check(["wrold"], in: ["zz_ZZ"])
    }
    #expect(
      found == [
        .failed("Spelling: no dictionary zz_ZZ is installed."), .spelled(["helo": true]), .spelled(["wrold": true]),
      ])
  }

  @Test("suggestions of several languages take turns")
  func interleaved() {
    #expect(SpellChecker.interleaved([["a", "b", "c"], ["x", "a"]]) == ["a", "x", "b", "c"])
    #expect(SpellChecker.interleaved([]) == [])
  }
}
