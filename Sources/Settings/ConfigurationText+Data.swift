extension ConfigurationText {
  /// The data directory, by the key `data` of the section `daemon`: what else is wrong with the file, and passwords that
  /// only the daemon may read, do not matter to who looks at its log. Nil where the key is not there.
  ///
  /// - Parameters:
  ///   - file: for errors.
  ///   - environment: for `${NAME}` and `~/`.
  package func dataDirectory(
    of file: String, environment: [String: String]
  ) throws(ConfigurationError) -> String? {
    guard let text = value(of: "data", in: "daemon"), let store = SettingTable.key("data", in: .daemon)?.store else {
      return nil
    }
    var draft = SettingKey.Draft()
    do throws(Mismatch) {
      try store(text, environment, &draft)
    } catch {
      throw ConfigurationError(
        file: file, section: "daemon", key: "data", expected: error.expected, found: error.found)
    }
    return draft.daemon.data
  }

  /// The value of a key as it stands there.
  private func value(of key: String, in title: String) -> String? {
    guard let section = section(title) else { return nil }
    var lines = section.split(separator: "\n").map { Array($0.utf8)[...] }[...]
    var found: String?
    _ = Inih.parse(nextLine: { lines.popFirst() }) { name, value in
      if name == key { found = value }
      return found == nil
    }
    return found
  }
}
