extension ConfigurationText {
  /// The data directory, from the key `data` of the section `daemon`; nil if the key is absent. Other errors in the
  /// file are ignored, and passwords that only the daemon may read are not needed to look at the log.
  ///
  /// - Parameters:
  ///   - file: the name used in errors.
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

  /// The value of a key as written.
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
