/// Runs the commands that print passwords; handed in, so that this layer starts nothing itself.
package protocol PasswordCommands: Sendable {
  /// The first bytes of the command's standard output; the caller wipes them.
  func output(of command: String, limit: Int) throws(PasswordCommandError) -> [UInt8]
}

/// Why a command printed no password.
package struct PasswordCommandError: Error, Equatable, Sendable {
  /// The reason as a phrase: `exit status 1`.
  package var reason: String
  /// The end of what it wrote to standard error.
  package var complaint: [UInt8]

  package init(reason: String, complaint: [UInt8] = []) {
    (self.reason, self.complaint) = (reason, complaint)
  }

  /// The failure as a mismatch for the error, with the last line of the program's complaint.
  fileprivate var mismatch: Mismatch {
    let lines = complaint.split { $0 == 0x0A || $0 == 0x0D }
    let last = lines.last { line in line.contains { $0 > 0x20 } }.map { String(decoding: $0, as: UTF8.self) }
    let why = last.map { ": " + Printable.text($0, limit: 200) } ?? ""
    return Mismatch(expected: "a command that prints a password", found: reason + why)
  }
}

extension AccountSettings {
  /// Longest password in a file or of a command, in bytes.
  package static let longestPassword = 4096

  /// The keys that say what the password is, as a phrase.
  static let passwordKeys = "password, password-file or password-command"

  /// How many of them are there; one is right.
  var passwordSources: Int {
    [password != nil, passwordFile != nil, passwordCommand != nil].count { $0 }
  }

  /// The account's password: from the configuration, or from its file or command, anew each time.
  ///
  /// - Throws: an error about the file or the command; it shows nothing of the password. A file that everybody can
  ///   read is refused. Its group may: that is how the access list of a credential of systemd shows in the mode.
  package func password(
    files: any SettingsFiles, commands: any PasswordCommands
  ) throws(ConfigurationError) -> Secret {
    if let password { return password }
    do throws(Mismatch) {
      if let passwordCommand { return try Self.runPasswordCommand(passwordCommand, commands) }
      guard let path = passwordFile else { throw Mismatch(expected: Self.passwordKeys, found: "none of them") }
      return try Self.readPassword(path, files)
    } catch {
      throw ConfigurationError(
        file: passwordFile ?? "", section: "account \(name)",
        key: passwordCommand == nil ? "password-file" : "password-command", expected: error.expected,
        found: error.found)
    }
  }

  /// The first line of what the command prints.
  private static func runPasswordCommand(
    _ command: String, _ commands: any PasswordCommands
  ) throws(Mismatch) -> Secret {
    var output: [UInt8]
    do throws(PasswordCommandError) {
      // One byte more shows that it is too long.
      output = try commands.output(of: command, limit: longestPassword + 1)
    } catch {
      throw error.mismatch
    }
    defer { output.wipe() }
    var line = Array(output.prefix { $0 != UInt8(ascii: "\n") })
    defer { line.wipe() }
    try check(line)
    return Secret(line)
  }

  private static func readPassword(
    _ path: String, _ files: any SettingsFiles
  ) throws(Mismatch) -> Secret {
    var contents: FileContents
    do throws(SettingsFileError) {
      contents = try files.contents(of: path, limit: longestPassword + 1)
    } catch .tooLong {
      throw tooLong
    } catch {
      throw error.mismatch("a password file")
    }
    defer { contents.bytes.wipe() }
    if contents.mode & 0o004 != 0 {
      let octal = String(contents.mode & 0o7777, radix: 8)
      throw Mismatch(expected: "a file that others cannot read (mode 600)", found: "mode \(octal)")
    }
    if let problem = files.openness(of: path) {
      throw Mismatch(expected: "a file that only its owner can change", found: problem)
    }
    if contents.bytes.last == UInt8(ascii: "\n") { contents.bytes.removeLast() }
    try check(contents.bytes)
    return Secret(contents.bytes)
  }

  private static var tooLong: Mismatch {
    Mismatch(expected: "a password of at most \(longestPassword) bytes", found: "a longer one")
  }

  private static func check(_ bytes: [UInt8]) throws(Mismatch) {
    if bytes.isEmpty { throw Mismatch(expected: "a password", found: "nothing") }
    if bytes.count > longestPassword { throw tooLong }
    if bytes.contains(0) { throw Mismatch(expected: "a password", found: "a NUL byte") }
    if bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      throw Mismatch(expected: "a password in one line", found: "a line end in it")
    }
    if String(validating: bytes, as: UTF8.self) == nil {
      throw Mismatch(expected: "a password in UTF-8", found: "other bytes")
    }
  }
}
