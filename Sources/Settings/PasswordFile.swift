extension AccountSettings {
  /// Longest password in a file, in bytes.
  package static let longestPassword = 4096

  /// The account's password, from the configuration or from its file, which is read anew each time.
  ///
  /// - Throws: an error about the password file; it shows nothing of what is in it. A file that everybody can read is
  ///   refused. Its group may: that is how the access list of a credential of systemd shows in the mode.
  package func password(files: any SettingsFiles) throws(ConfigurationError) -> Secret {
    if let password { return password }
    do throws(Mismatch) {
      guard let path = passwordFile else { throw Mismatch(expected: "password or password-file", found: "neither") }
      return try Self.readPassword(path, files)
    } catch {
      throw ConfigurationError(
        file: passwordFile ?? "", section: "account \(name)", key: "password-file", expected: error.expected,
        found: error.found)
    }
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
