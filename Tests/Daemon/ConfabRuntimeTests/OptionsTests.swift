import TestSupport
import Testing

@testable import ConfabRuntime

@Suite("Options of the daemon")
struct OptionsTests {
  @Test(
    "an error in the command line names the wrong word",
    arguments: [
      (["--bogus"], "unknown option '--bogus'"),
      (["--check", "run"], "confabd takes only options, not 'run'"),
      (["--config"], "--config needs a FILE"), (["--login"], "--login needs --doctor"),
      (["--parent", "x"], "--parent needs a PID"),
    ])
  func misuse(arguments: [String], reason: String) {
    #expect(throws: Options.Misuse(description: reason)) { try Options(arguments) }
  }

  @Test("an error names the wrong word, without control characters")
  func program() throws {
    let done = try Program.run([Products.program("confabd"), "--bo\u{1B}[2Jgus"])
    #expect(done.status == .exited(64) && done.errorText.hasPrefix("confabd: unknown option '--bo?[2Jgus'\n"))
  }
}
