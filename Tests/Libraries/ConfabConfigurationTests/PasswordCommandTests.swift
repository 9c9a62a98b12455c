import Testing

@testable import ConfabConfiguration
@Suite("Passwords of commands")
struct PasswordCommandTests {
  private func password(_ output: Result<String, PasswordCommandError>) throws(ConfigurationError) -> Secret {
    var account = AccountSettings(name: "home", jid: "a@b")
    account.passwordCommand = "pass show xmpp"
    return try account.password(files: MemoryFiles(), commands: ScriptedCommands(output: output))
  }

  private func complaint(_ output: Result<String, PasswordCommandError>) -> String? {
    do throws(ConfigurationError) {
      _ = try password(output)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("are the first line of what is printed")
  func firstLine() throws {
    for output in ["secret", "secret\n", "secret\nlogin: alice\nurl: x\n", "secret\n\0\u{7}"] {
      #expect(try password(.success(output)) == Secret(Array("secret".utf8)))
    }
    #expect(try password(.success(" two words \n")) == Secret(Array(" two words ".utf8)))
    let longest = String(repeating: "x", count: 4096)
    #expect(try password(.success(longest + "\nmore")) == Secret(Array(longest.utf8)))
  }

  @Test(
    "may be wrong",
    arguments: [
      ("", "a password, found nothing"), ("\nsecret\n", "a password, found nothing"),
      ("secret\r\n", "a password in one line, found a line end in it"), ("a\0b\n", "a password, found a NUL byte"),
      (String(repeating: "x", count: 4097), "a password of at most 4096 bytes, found a longer one"),
      (String(repeating: "x", count: 9999) + "\n", "a password of at most 4096 bytes, found a longer one"),
    ])
  func wrong(output: String, expected: String) {
    #expect(complaint(.success(output)) == "[account home] password-command: expected " + expected)
  }

  @Test(
    "do not come where the command fails, with the last thing it said",
    arguments: [
      ("", ""), ("\n  \n", ""), ("no such key", ": no such key"), ("first\nlast\n \n", ": last"),
      ("a\u{1B}[31mb\u{202E}\n", ": a\\u{1B}[31mb\\u{202E}"), ("\u{7}\r\n", ""),
      (String(repeating: "y", count: 300), ": " + String(repeating: "y", count: 200) + "…"),
    ])
  func failure(complaint words: String, expected: String) {
    let error = PasswordCommandError(reason: "exit status 2", complaint: Array(words.utf8))
    #expect(
      complaint(.failure(error))
        == "[account home] password-command: expected a command that prints a password, found exit status 2" + expected)
  }

  @Test("are asked for with the key")
  func key() throws {
    let account = try read("[account a]\njid = a@b\npassword-command = pass show 'x y' | head -1\n").accounts.first
    #expect(account?.passwordCommand == "pass show 'x y' | head -1")
  }
}
