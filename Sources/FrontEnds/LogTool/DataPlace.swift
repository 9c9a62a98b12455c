import ConfabConfiguration
import Syscalls

/// Finds the log for a command.
struct DataPlace {
  let environment: [String: String]

  /// The path of the system's configuration; tests set another.
  var system = ConfigurationFile.system

  /// The data directory: the one in the configuration, which is looked up as the daemon does it, or else the one from
  /// the environment; nil if neither gives one. The system's service has a directory that only systemd knows, so its
  /// default is named here.
  ///
  /// - Parameter option: the file of `--config`, which must exist.
  func directory(configuration option: String?) throws(LogCommandFailure) -> String? {
    let file = option ?? userFile ?? system
    guard let text = try text(of: file, isNeeded: option != nil) else { return defaultDirectory }
    do throws(ConfigurationError) {
      let directory = try text.dataDirectory(of: file, environment: environment)
      return directory ?? (file == system && value("STATE_DIRECTORY") == nil ? Self.systemData : defaultDirectory)
    } catch {
      throw .configuration(error.description)
    }
  }

  /// The user's configuration, if there is one. A file that cannot be examined counts as present, so that reading it
  /// reports the error.
  private var userFile: String? {
    guard let file = ConfigurationFile.userPath(environment) else { return nil }
    do throws(Errno) { return try Paths.status(file) == nil ? nil : file } catch { return file }
  }

  private func text(of file: String, isNeeded: Bool) throws(LogCommandFailure) -> ConfigurationText? {
    let whole: WholeFile
    do throws(Errno) {
      whole = try WholeFile(path: file, limit: Configuration.longestFile)
    } catch {
      if error.isMissing, !isNeeded { return nil }
      throw .configuration("\(file) cannot be read: \(error.text)")
    }
    guard whole.bytes.count <= Configuration.longestFile, let text = String(validating: whole.bytes, as: UTF8.self)
    else { throw .configuration("\(file) is not a configuration: it is too long, or not UTF-8") }
    return ConfigurationText(text)
  }

  /// The directory that StateDirectory= in the system's unit names.
  private static let systemData = "/var/lib/confab"

  /// The daemon's default data directory.
  private var defaultDirectory: String? {
    if let directories = value("STATE_DIRECTORY") { return directories.split(separator: ":").first.map(String.init) }
    if let state = value("XDG_STATE_HOME") { return state + "/confab" }
    return value("HOME").map { $0 + "/.local/state/confab" }
  }

  private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}
