import Clocks
import ConfabClient
import ConfabConfiguration
import Syscalls
import TerminalUI

/// Finds the UI's socket, settings and dictionaries.
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

  var panes: PaneFile { PaneFile(variables) }

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
      token: (try? Entropy.token()) ?? String(ProcessEnvironment.processID), socket: shown(ownSocket),
      account: options.account ?? "", who: options.who ?? "", home: variable("HOME") ?? "",
      configuration: shown(ConfigurationFile.userPath(variables) ?? "~/.config/confab/confab.conf"),
      panes: panes.read())
  }

  /// The socket of this user's daemon, if there is one, or the path that it would have.
  private var ownSocket: String {
    let choice = socketPath()
    guard choice.isDefault, ((try? Paths.status(choice.path)) ?? nil) == nil else { return choice.path }
    return variable("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 + "/confab/socket" } ?? choice.path
  }

  /// A path below the home as people write it.
  private func shown(_ path: String) -> String {
    guard let home = variable("HOME"), home.hasPrefix("/"), path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
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
