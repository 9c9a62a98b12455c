import ConfabClient
import ConfabConfiguration
/// Address and password: of the person at the terminal, or the first two lines of standard input.
struct SetupQuestions {
  let console: Console

  struct Answers {
    var jid: String
    var password: [UInt8]
    /// nil: DNS or the command line names it.
    var server: String?
  }

  /// - Parameter check: says what is wrong with an address, before a password is asked for.
  func ask(_ check: (String) throws(SetupFailure) -> Void) throws(SetupFailure) -> Answers {
    guard let ask = console.ask else { return try read(check) }
    var question = "Your address (such as alice@example.org): "
    while true {
      let jid = try address(ask(question, false))
      do throws(SetupFailure) {
        try check(jid)
        return Answers(jid: jid, password: try password(ask("Its password (not shown): ", true)))
      } catch {
        guard error.question == .address else { throw error }
        console.complain("confab: " + TerminalText.clean(error.reason, .shown))
        question = "Your address again (Enter gives up): "
      }
    }
  }

  /// Asks for the name of a further account; nil: nobody is there to be asked.
  func name(besides taken: String) throws(SetupFailure) -> String? {
    guard let ask = console.ask else { return nil }
    return try address(ask("There is an account '\(taken)' already. A name for another one (Enter gives up): ", false))
  }

  /// Asks again for what was wrong, and for nothing else; false: nobody is there to be asked, or no other answer helps.
  func askAgain(after failure: SetupFailure, _ answers: inout Answers) throws(SetupFailure) -> Bool {
    guard let ask = console.ask, let question = failure.question else { return false }
    console.complain("confab: " + TerminalText.clean(failure.reason, .shown))
    switch question {
    case .name: return false
    case .password: answers.password = try password(ask("Its password again (not shown; Enter gives up): ", true))
    case .address: answers.jid = try address(ask("Your address again (Enter gives up): ", false))
    case .server:
      let other = try address(ask("Its server (HOST or HOST:PORT), or the address again (Enter gives up): ", false))
      if other.contains("@") { (answers.jid, answers.server) = (other, nil) } else { answers.server = other }
    }
    return true
  }

  private func read(_ check: (String) throws(SetupFailure) -> Void) throws(SetupFailure) -> Answers {
    let input = console.readInput(AccountSettings.longestPassword + 4096) ?? []
    let lines = input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    let jid = try address(lines.first.map(Array.init))
    try check(jid)
    guard lines.count > 1 else {
      throw SetupFailure("standard input must have two lines: the address and the password", .usage)
    }
    return Answers(jid: jid, password: try password(Array(lines[1])))
  }

  private func address(_ line: [UInt8]?) throws(SetupFailure) -> String {
    guard let line else { throw SetupFailure("setup was cancelled; nothing was written") }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw SetupFailure("the address is not UTF-8", .badText)
    }
    let trimmed = text.drop { $0.isWhitespace }
    let jid = String(trimmed.reversed().drop { $0.isWhitespace }.reversed())
    guard !jid.isEmpty else { throw SetupFailure("the answer is empty; nothing was written", .badText) }
    return jid
  }

  private func password(_ line: [UInt8]?) throws(SetupFailure) -> [UInt8] {
    guard let line else { throw SetupFailure("setup was cancelled; nothing was written") }
    guard !line.isEmpty else { throw SetupFailure("the password is empty; nothing was written", .badText) }
    guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw SetupFailure(
        "the password has a control character in it, such as a carriage return, which no login takes; nothing was written",
        .badText)
    }
    return line
  }
}
