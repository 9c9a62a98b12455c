import Settings
import Syscalls

/// Where the log is that a command is about.
struct DataPlace {
  let environment: [String: String]

  /// Where the administrator's configuration is. Tests have another one.
  var system = ConfigurationFile.system

  /// The data directory: that of the configuration, which is looked for as the daemon does it; else that of the
  /// environment; nil where that has none either. The system's service has its own, of which systemd tells nobody else.
  ///
  /// - Parameter option: the file of `--config`, which must be there.
  func directory(configuration option: String?) throws(LogCommandFailure) -> String? {
    let file = option ?? userFile ?? system
    guard let text = try text(of: file, isNeeded: option != nil) else { return usual }
    do throws(ConfigurationError) {
      let directory = try text.dataDirectory(of: file, environment: environment)
      return directory ?? (file == system && value("STATE_DIRECTORY") == nil ? Self.systemData : usual)
    } catch {
      throw .configuration(error.description)
    }
  }

  /// The user's own, if there is one. What cannot be looked at counts as there, so that reading it says why.
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
    else { throw .configuration("\(file) is no configuration: it is too long, or not UTF-8") }
    return ConfigurationText(text)
  }

  /// The directory that StateDirectory= in the system's unit names.
  private static let systemData = "/var/lib/confab"

  /// Where the daemon keeps its data if its configuration does not say otherwise.
  private var usual: String? {
    if let directories = value("STATE_DIRECTORY") { return directories.split(separator: ":").first.map(String.init) }
    if let state = value("XDG_STATE_HOME") { return state + "/confab" }
    return value("HOME").map { $0 + "/.local/state/confab" }
  }

  private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}
