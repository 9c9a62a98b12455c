extension Configuration {
  /// Longest configuration, in bytes.
  package static let longestFile = 1 << 20

  /// Reads and checks a configuration file. Files that it names are not looked at.
  ///
  /// - Parameters:
  ///   - path: as `ConfigurationFile.path` gives it.
  ///   - environment: for `${NAME}` and `~/`.
  /// - Throws: the first error in the order of the lines.
  package static func read(
    path: String, environment: [String: String], files: any SettingsFiles
  ) throws(ConfigurationError) -> Configuration {
    var contents: FileContents
    do throws(SettingsFileError) {
      contents = try files.contents(of: path, limit: longestFile)
    } catch {
      let mismatch = error.mismatch("a configuration file")
      throw ConfigurationError(file: path, expected: mismatch.expected, found: mismatch.found)
    }
    // There may be a password in it.
    defer { contents.bytes.wipe() }
    return try ConfigurationReader(file: path, contents: contents, environment: environment, files: files).read()
  }
}
