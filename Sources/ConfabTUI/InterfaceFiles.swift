import Clocks
import ConfabClient
import Settings
import Syscalls
import TerminalUI

/// Where the UI finds its socket, its settings, its words.
struct InterfaceFiles {
  /// Bytes of `tui.conf` that are read.
  private static let longestSettings = 1 << 20

  let options: InterfaceOptions
  let variables: [String: String]

  init(_ options: InterfaceOptions, variables: [String: String] = ProcessEnvironment.variables()) {
    self.options = options
    self.variables = variables
  }

  func variable(_ name: String) -> String? { variables[name] }

  func socketPath() -> SocketPath.Choice {
    SocketPath.choose(option: options.socket, variable: variable) { ((try? Paths.status($0)) ?? nil) != nil }
  }

  /// For the editor's file: the user's own folder of this session, else the one of all.
  var temporaryFolder: String {
    [variable("XDG_RUNTIME_DIR"), variable("TMPDIR")].compactMap(\.self).first(where: Paths.isWritableDirectory)
      ?? "/tmp"
  }

  /// `tui.conf` as it is now, beside the user's configuration of the daemon.
  func settings() -> SettingsFile {
    guard let folder = ConfigurationFile.userPath(variables).map(Paths.parent) else { return SettingsFile() }
    let path = folder + "/tui.conf"
    do throws(Errno) {
      // To open a pipe would wait for its writer.
      if try Paths.status(path)?.kind == .other {
        return SettingsFile(errors: ["\(path): expected a file of settings, found a pipe or a device"])
      }
      let file = try Files.openForReading(path)
      guard let bytes = try Files.readAll(file.raw, limit: Self.longestSettings) else {
        return SettingsFile(errors: ["\(path): expected a file of settings, found more than a megabyte"])
      }
      let (settings, errors) = UISettingsReader.read(bytes, file: path)
      return SettingsFile(settings, errors: errors.map(\.description))
    } catch {
      guard !error.isMissing else { return SettingsFile(missing: path) }
      return SettingsFile(errors: ["\(path): expected a file of settings, found: \(error.text)"])
    }
  }

  func environment() -> ApplicationEnvironment {
    ApplicationEnvironment(
      offset: { LocalTime.offset(atSecondsSince1970: $0.milliseconds / 1000) }, words: Self.words,
      token: (try? Entropy.token()) ?? String(ProcessEnvironment.processID), socket: socketPath().path,
      account: options.account ?? "")
  }

  /// In the order of the user's locale; the day comes first where it is not installed.
  private static var words: DateWords {
    // The locale C has the order of the United States, and nobody has chosen it.
    let isChosen = ["LC_ALL", "LC_TIME", "LANG"].compactMap { ProcessEnvironment.variable($0) }.first { !$0.isEmpty }
    guard let isChosen, isChosen.prefix(while: { $0 != "." }) != "C", isChosen != "POSIX" else { return .english }
    guard let formats = LocaleFormats.of() else { return .english }
    return DateWords(dateFormat: formats.date, timeFormat: formats.time)
  }
}
