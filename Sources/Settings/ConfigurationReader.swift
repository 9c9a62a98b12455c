/// Makes a configuration of the lines of its file, one after the other, up to the first error.
final class ConfigurationReader {
  /// What is between a header and the next one.
  private struct OpenSection {
    let kind: SettingSection
    let title: String
    let line: Int
    var draft = SettingKey.Draft()
    /// The lines of the keys that were there already.
    var lines: [String: Int] = [:]
  }

  private let file: String
  private let mode: UInt32
  private let environment: [String: String]
  private var lines: IniLines
  private var configuration = Configuration()
  private var section: OpenSection?
  /// The lines of the headers that were there already.
  private var titles: [String: Int] = [:]
  /// The accounts' titles by their addresses in lower case.
  private var addresses: [String: String] = [:]
  private var failure: ConfigurationError?

  init(file: String, contents: FileContents, environment: [String: String]) {
    self.file = file
    self.mode = contents.mode
    self.environment = environment
    lines = IniLines(contents.bytes)
  }

  func read() throws(ConfigurationError) -> Configuration {
    let isWhole = Inih.parse(nextLine: nextLine, entry: takeEntry)
    if let failure { throw failure }
    guard isWhole else { throw located(Mismatch(expected: "lines that the INI library can read")) }
    try closeSection()
    guard !configuration.accounts.isEmpty else {
      throw ConfigurationError(file: file, expected: "an [account NAME] section", found: "none")
    }
    return configuration
  }
}

// What the parser asks for and tells.
extension ConfigurationReader {
  /// Headers are looked at here: the parser says nothing of them.
  private func nextLine() -> ArraySlice<UInt8>? {
    guard failure == nil else { return nil }
    do throws(ConfigurationError) {
      guard let (line, title) = try checkedLine() else { return nil }
      if let title { try openSection(title) }
      return line
    } catch {
      failure = error
      return nil
    }
  }

  private func checkedLine() throws(ConfigurationError) -> (line: ArraySlice<UInt8>, title: String?)? {
    do throws(Mismatch) {
      guard let line = try lines.next() else { return nil }
      return (line, try IniHeader.name(of: line))
    } catch {
      throw located(error)
    }
  }

  private func takeEntry(name: String, value: String?) -> Bool {
    do throws(ConfigurationError) {
      guard let value, !name.isEmpty else {
        throw located(Mismatch(expected: "KEY = VALUE"), section: section?.title)
      }
      try store(name, value)
    } catch {
      failure = error
    }
    return failure == nil
  }
}

// Sections.
extension ConfigurationReader {
  private func openSection(_ title: String) throws(ConfigurationError) {
    try closeSection()
    do throws(Mismatch) {
      let kind = try SectionTitle.kind(of: title)
      if let line = titles.updateValue(lines.number, forKey: title) {
        throw Mismatch(expected: "this section once", found: "it on line \(line) already")
      }
      section = OpenSection(kind: kind, title: title, line: lines.number)
      section?.draft.account.name = SectionTitle.name(in: title)
    } catch {
      throw located(error, section: title)
    }
  }

  private func closeSection() throws(ConfigurationError) {
    guard let section else { return }
    self.section = nil
    if section.kind == .daemon { return configuration.daemon = section.draft.daemon }
    do throws(Mismatch) {
      try check(section.draft.account)
      configuration.accounts.append(section.draft.account)
    } catch {
      throw ConfigurationError(
        file: file, line: section.line, section: section.title, expected: error.expected, found: error.found)
    }
  }

  private func check(_ account: AccountSettings) throws(Mismatch) {
    if account.jid.isEmpty { throw Mismatch(expected: "the key jid", found: "none") }
    if account.passwordSources == 0 { throw Mismatch(expected: AccountSettings.passwordKeys, found: "none of them") }
  }
}

// Keys.
extension ConfigurationReader {
  private func store(_ name: String, _ value: String) throws(ConfigurationError) {
    guard var section else {
      throw located(Mismatch(expected: "a section such as [daemon] before it"), key: name)
    }
    self.section = nil
    do throws(Mismatch) {
      try store(name, value, in: &section)
    } catch {
      throw located(error, section: section.title, key: name)
    }
    self.section = section
  }

  private func store(_ name: String, _ value: String, in section: inout OpenSection) throws(Mismatch) {
    guard let key = SettingTable.key(name, in: section.kind), let store = key.store else {
      throw SectionTitle.unknownKey(name, in: section.kind)
    }
    if let line = section.lines.updateValue(lines.number, forKey: name), !key.isRepeatable {
      throw Mismatch(expected: "this key once", found: "it on line \(line) already")
    }
    if key.isSecret(value) { try checkMode() }
    try store(value, environment, &section.draft)
    try checkTogether(name, section)
  }

  private func checkMode() throws(Mismatch) {
    guard mode & 0o044 != 0 else { return }
    let octal = String(mode & 0o7777, radix: 8)
    throw Mismatch(
      expected: "a file that only its owner can read (mode 600)", found: "mode \(octal)")
  }

  /// What a key that was just read may not be together with.
  private func checkTogether(_ name: String, _ section: OpenSection) throws(Mismatch) {
    let account = section.draft.account
    if account.passwordSources > 1 { throw Mismatch(expected: AccountSettings.passwordKeys, found: "two of them") }
    guard section.kind == .account, name == "jid" else { return }
    if let other = addresses.updateValue(section.title, forKey: account.jid.lowercased()) {
      throw Mismatch(expected: "an address of its own", found: "that of [\(other)]")
    }
  }

  private func located(
    _ mismatch: Mismatch, section: String? = nil, key: String? = nil
  ) -> ConfigurationError {
    ConfigurationError(
      file: file, line: lines.number, section: section, key: key, expected: mismatch.expected, found: mismatch.found)
  }
}
