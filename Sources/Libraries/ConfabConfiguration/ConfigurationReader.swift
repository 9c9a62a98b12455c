/// Makes a configuration of the lines of its file, one after the other, up to the first error.
final class ConfigurationReader {
  /// The lines between a header and the next one.
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
  private let files: any SettingsFiles
  private var lines: IniLines
  private var configuration = Configuration()
  private var section: OpenSection?
  /// The lines of the headers that were there already.
  private var titles: [String: Int] = [:]
  /// The accounts' titles by their addresses in lower case, and the sockets' by their paths.
  private var addresses: [String: String] = [:]
  private var socketPaths: [String: String] = [:]
  private var failure: ConfigurationError?

  init(file: String, contents: FileContents, environment: [String: String], files: any SettingsFiles) {
    self.file = file
    self.mode = contents.mode
    self.environment = environment
    self.files = files
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
    try checkSocketAccounts()
    for index in configuration.sockets.indices where configuration.sockets[index].access.isOwnersAlone {
      configuration.sockets[index].access = configuration.daemon.access
    }
    return configuration
  }
}

// Checks behind the last section.
extension ConfigurationReader {
  private func checkSocketAccounts() throws(ConfigurationError) {
    let names = Set(configuration.accounts.map(\.name))
    for socket in configuration.sockets {
      guard let unknown = socket.accounts.first(where: { !names.contains($0) }) else { continue }
      throw ConfigurationError(
        file: file, section: "socket \(socket.name ?? "")", key: "account",
        expected: "the name of an [account NAME] section", found: Printable.quoted(unknown))
    }
  }
}

// The parser's callbacks.
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
      let kind = try SectionHeading.kind(of: title)
      if let line = titles.updateValue(lines.number, forKey: title) {
        throw Mismatch(expected: "this section once", found: "it on line \(line) already")
      }
      section = OpenSection(kind: kind, title: title, line: lines.number)
      section?.draft.account.name = SectionHeading.name(in: title)
      section?.draft.socket.name = SectionHeading.name(in: title)
      section?.draft.hook.name = SectionHeading.name(in: title)
    } catch {
      throw located(error, section: title)
    }
  }

  private func closeSection() throws(ConfigurationError) {
    guard let section else { return }
    self.section = nil
    do throws(Mismatch) {
      try take(section.draft, of: section.kind)
    } catch {
      throw ConfigurationError(
        file: file, line: section.line, section: section.title, expected: error.expected, found: error.found)
    }
  }

  private func take(_ draft: SettingKey.Draft, of kind: SettingSection) throws(Mismatch) {
    switch kind {
    case .daemon:
      configuration.daemon = draft.daemon
      configuration.daemon.access = draft.access
    case .account:
      try check(draft.account)
      configuration.accounts.append(draft.account)
    case .socket: configuration.sockets.append(try socket(of: draft))
    case .hook:
      try check(draft.hook)
      configuration.hooks.append(draft.hook)
    }
  }

  private func socket(of draft: SettingKey.Draft) throws(Mismatch) -> SocketSettings {
    var socket = draft.socket
    socket.access = draft.access
    guard socket.path != nil else { throw Mismatch(expected: "the key path", found: "none") }
    guard let rights = draft.rights else {
      throw Mismatch(expected: "the key rights (\(ValueKind.rights.expected))", found: "none")
    }
    socket.rights = rights
    if rights != .send, !socket.recipients.isEmpty || socket.rate != nil {
      throw Mismatch(expected: "to and rate only with rights = send", found: "rights = \(rights.rawValue)")
    }
    return socket
  }

  private func check(_ hook: HookSettings) throws(Mismatch) {
    if hook.events.isEmpty { throw Mismatch(expected: "the key on", found: "none") }
    if hook.command.isEmpty { throw Mismatch(expected: "the key command", found: "none") }
    if configuration.hooks.count == HookSettings.most {
      throw Mismatch(expected: "at most \(HookSettings.most) hooks", found: "one more")
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
    guard let key = SettingTable.key(name, in: section.kind) else {
      throw SectionHeading.unknownKey(name, in: section.kind)
    }
    if let line = section.lines.updateValue(lines.number, forKey: name), !key.isRepeatable {
      throw Mismatch(expected: "this key once", found: "it on line \(line) already")
    }
    let isSecret = key.isSecret(value)
    defer { if isSecret { value.wipeStorage() } }
    if isSecret { try checkMode() }
    try key.store(value, environment, &section.draft)
    try lookUpGroup(&section.draft)
    try checkTogether(name, section)
  }

  private func checkMode() throws(Mismatch) {
    guard mode & 0o044 != 0 else { return }
    let octal = String(mode & 0o7777, radix: 8)
    throw Mismatch(
      expected: "a file that only its owner can read (mode 600)", found: "mode \(octal)")
  }

  private func lookUpGroup(_ draft: inout SettingKey.Draft) throws(Mismatch) {
    guard let name = draft.group.take() else { return }
    guard let id = files.groupID(of: name) else {
      throw Mismatch(expected: "a group of this system", found: Printable.quoted(name))
    }
    draft.access.group = SocketGroup(name: name, id: id)
  }

  /// Checks that the key just read does not exclude an earlier one.
  private func checkTogether(_ name: String, _ section: OpenSection) throws(Mismatch) {
    let account = section.draft.account
    if account.passwordSources > 1 { throw Mismatch(expected: AccountSettings.passwordKeys, found: "two of them") }
    switch (section.kind, name) {
    case (.account, "jid"):
      try claim(account.jid.lowercased(), "an address of its own", in: \.addresses, for: section)
    case (.daemon, "socket"): try claim(path: section.draft.daemon.socket, for: section)
    case (.socket, "path"): try claim(path: section.draft.socket.path, for: section)
    default: break
    }
  }

  private func claim(path: String?, for section: OpenSection) throws(Mismatch) {
    try claim(SocketSettings.plainPath(path ?? ""), "a path of its own", in: \.socketPaths, for: section)
  }

  /// Two sections may not have the same of something.
  private func claim(
    _ value: String, _ expected: String, in taken: ReferenceWritableKeyPath<ConfigurationReader, [String: String]>,
    for section: OpenSection
  ) throws(Mismatch) {
    if let other = self[keyPath: taken].updateValue(section.title, forKey: value) {
      throw Mismatch(expected: expected, found: "that of [\(other)]")
    }
  }

  private func located(
    _ mismatch: Mismatch, section: String? = nil, key: String? = nil
  ) -> ConfigurationError {
    ConfigurationError(
      file: file, line: lines.number, section: section, key: key, expected: mismatch.expected, found: mismatch.found)
  }
}
