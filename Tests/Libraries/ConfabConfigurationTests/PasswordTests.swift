import Testing

@testable import ConfabConfiguration
@Suite("Passwords")
struct PasswordTests {
  private func password(
    _ bytes: [UInt8], mode: UInt32 = 0o600
  ) throws(ConfigurationError) -> Secret {
    var account = AccountSettings(name: "home", jid: "a@b")
    account.passwordFile = "/p"
    let files = MemoryFiles(["/p": FileContents(bytes: bytes, mode: mode, owner: 0)])
    return try account.password(files: files, commands: ScriptedCommands())
  }

  private func complaint(_ body: () throws(ConfigurationError) -> Secret) -> String? {
    do throws(ConfigurationError) {
      _ = try body()
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    "a file's is the file without its final newline",
    arguments: [("secret", "secret"), ("secret\n", "secret"), (" two words \n", " two words "), ("密码", "密码")])
  func file(contents: String, expected: String) throws {
    #expect(try password(Array(contents.utf8)) == Secret(Array(expected.utf8)))
  }

  @Test("the longest has 4,096 bytes, with or without a newline")
  func longest() throws {
    let bytes = [UInt8](repeating: 0x78, count: 4096)
    #expect(try password(bytes) == Secret(bytes))
    #expect(try password(bytes + [0x0A]) == Secret(bytes))
  }

  @Test(
    "what is in a file may be wrong",
    arguments: [
      ([], "a password, found nothing"), ([0x0A], "a password, found nothing"),
      (Array("one\ntwo\n".utf8), "a password in one line, found a line end in it"),
      (Array("one\n\n".utf8), "a password in one line, found a line end in it"),
      (Array("one\r\n".utf8), "a password in one line, found a line end in it"),
      ([0x61, 0], "a password, found a NUL byte"), ([0xFF], "a password in UTF-8, found other bytes"),
      ([UInt8](repeating: 0x78, count: 4097), "a password of at most 4096 bytes, found a longer one"),
      ([UInt8](repeating: 0x78, count: 100_000), "a password of at most 4096 bytes, found a longer one"),
    ] as [([UInt8], String)])
  func wrong(bytes: [UInt8], expected: String) {
    let error = complaint { () throws(ConfigurationError) in try password(bytes) }
    #expect(error == "/p: [account home] password-file: expected " + expected)
  }

  @Test("a file may be missing or closed to us")
  func unreadable() {
    var account = AccountSettings(name: "home", jid: "a@b")
    account.passwordFile = "/p"
    let missing = complaint { [account] () throws(ConfigurationError) in
      try account.password(files: MemoryFiles(), commands: ScriptedCommands())
    }
    #expect(missing == "/p: [account home] password-file: expected a password file, found none")
    let files = MemoryFiles(failures: ["/p": .failed("Permission denied")])
    let denied = complaint { [account] () throws(ConfigurationError) in
      try account.password(files: files, commands: ScriptedCommands())
    }
    #expect(
      denied == "/p: [account home] password-file: expected a password file that can be read, found Permission denied")
  }

  @Test("the configuration's own is taken without a file")
  func inline() throws {
    let files = MemoryFiles()
    #expect(
      try read(rightAccount).accounts.first?.password(files: files, commands: ScriptedCommands())
        == Secret(Array("secret".utf8)))
    #expect(files.reads.isEmpty)
  }

  @Test("a file that everybody can read is refused, one of our group's is not")
  func everybody() throws {
    for mode: UInt32 in [0o600, 0o440, 0o640] { _ = try password([0x78], mode: mode) }
    #expect(
      complaint { () throws(ConfigurationError) in try password([0x78], mode: 0o644) }
        == "/p: [account home] password-file: expected a file that others cannot read (mode 600), found mode 644")
  }

  @Test("a configuration with one is its owner's alone", arguments: [0o644, 0o640, 0o604, 0o660] as [UInt32])
  func mode(_ mode: UInt32) {
    let octal = String(mode, radix: 8)
    #expect(
      ConfabConfigurationTests.complaint(rightAccount, mode: mode)
        == "/c:3: [account home] password: expected a file that only its owner can read (mode 600), found mode \(octal)"
    )
    #expect(
      ConfabConfigurationTests.complaint(rightAccount.replacing("password = ", with: "password-file = /"), mode: mode)
        == nil)
  }

  @Test("none is shown in an error or a description")
  func hidden() throws {
    let texts = [
      "[account a]\npassword = hunter2\npassword = hunter2\n", "[account a]\nhunter2\n", "hunter2\n",
      "[account a]\npassword = hunter2\npassword-file = /x\n", "[account a]\npassword = hunter2\0\n",
      "[account a]\npassword = hunter2\njid = x\n",
    ]
    for text in texts { #expect(ConfabConfigurationTests.complaint(text)?.contains("hunter2") == false) }
    let configuration = try read(rightAccount)
    var dumped = ""
    dump(configuration, to: &dumped)
    #expect(!"\(configuration) \(String(reflecting: configuration)) \(dumped)".contains("secret\""))
    #expect("\(Secret([1]))" == "(secret)")
  }

  @Test("secrets are equal by all their bytes")
  func equality() {
    #expect(Secret([1, 2]) == Secret([1, 2]))
    #expect(Secret([1, 2]) != Secret([1, 3]))
    #expect(Secret([1, 2]) != Secret([1]))
    #expect(Secret([]) == Secret([]))
    #expect(Secret([1, 2]).bytes == [1, 2])
  }
}
