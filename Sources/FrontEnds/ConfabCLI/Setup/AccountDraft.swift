import ConfabConfiguration
import Syscalls

/// The account that is to be set up, with the configuration that it goes into.
struct AccountDraft {
  let name: String
  /// The configuration's file, without symbolic links.
  let file: String
  /// The path of the file for the password.
  let passwordFile: String
  /// Nil if there is no file yet.
  private let existing: ConfigurationText?
  /// True if this replaces an account of the same name.
  private let replaces: Bool
  /// Lines of the section beyond address and password.
  private var keys: [String]
  private let home: String?

  static let firstName = "home"
  private static let longestFile = 1 << 20

  init(_ request: LocalRequest, environment: [String: String]) throws(SetupFailure) {
    name = request.options["name"] ?? Self.firstName
    guard AccountSettings.isName(name) else {
      throw SetupFailure("--name must be 1 to 32 letters, digits, - or _, not '\(name)'", .usage)
    }
    file = try Self.file(request, environment)
    passwordFile = Paths.parent(of: file) + "/password-" + name
    existing = try Self.read(file)
    keys = try Self.keys(request)
    home = environment["HOME"]
    replaces = request.has("replace")
    try checkName()
    try checkFolder()
  }

  /// Returns this account as a draft against the configuration that is in the file now.
  func inPresentFile() throws(SetupFailure) -> AccountDraft {
    let present = AccountDraft(self, existing: try Self.read(file))
    try present.checkName()
    return present
  }

  private init(_ other: AccountDraft, existing: ConfigurationText?) {
    (name, file, passwordFile, self.existing) = (other.name, other.file, other.passwordFile, existing)
    (replaces, keys, home) = (other.replaces, other.keys, other.home)
  }

  /// The server that the person has named, instead of the one that DNS or the command line names.
  mutating func setServer(_ server: String) {
    keys = keys.filter { !$0.hasPrefix("server = ") } + ["server = \(server)"]
  }

  /// Nothing is overwritten that was not meant.
  private func checkName() throws(SetupFailure) {
    guard !replaces else { return }
    if existing?.has("account \(name)") == true {
      throw SetupFailure(
        "\(file) already has an account '\(name)': replace it with --replace, or add another with --name=OTHER",
        asking: .name)
    }
    if (try? Paths.status(passwordFile)) != nil {
      throw SetupFailure("\(passwordFile) already exists: overwrite it with --replace")
    }
  }

  /// Refuses a folder that others can change, as the daemon does, and one in which this user cannot write.
  private func checkFolder() throws(SetupFailure) {
    let folder = Paths.existing(above: file)
    // Root sets accounts up for others, too.
    let status = [file, folder].lazy.compactMap { (try? Paths.status($0)) ?? nil }.first
    let user = ProcessEnvironment.userID == 0 ? status?.owner ?? 0 : ProcessEnvironment.userID
    if let problem = FileTrust.problem(withConfiguration: file, user: user) {
      throw SetupFailure("\(problem.description); nothing was written")
    }
    guard Paths.isWritableDirectory(folder) else {
      throw SetupFailure(
        "\(file) cannot be written: \(folder) is no directory that you can write; name another with --config FILE")
    }
  }

  /// The whole configuration with the account in it.
  func configuration(jid: String) -> String {
    var text = existing ?? ConfigurationText("")
    text.put("account \(name)", lines(jid: jid, passwordFile: shortened(passwordFile)))
    return text.text
  }

  /// The part that a login needs.
  func trial(jid: String, passwordFile: String) -> String {
    var text = ConfigurationText(existing?.section("daemon") ?? "")
    text.put("account \(name)", lines(jid: jid, passwordFile: passwordFile))
    return text.text
  }

  private func lines(jid: String, passwordFile: String) -> [String] {
    ["jid = \(jid)", "password-file = \(passwordFile)"] + keys
  }

  /// `~/…` below the home.
  private func shortened(_ path: String) -> String {
    guard let home, home.hasPrefix("/"), path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }
}

extension AccountDraft {
  private static func file(_ request: LocalRequest, _ environment: [String: String]) throws(SetupFailure) -> String {
    guard let path = request.options["config"] ?? ConfigurationFile.userPath(environment), !path.isEmpty else {
      throw SetupFailure("HOME is not set; name the configuration with --config FILE", .usage)
    }
    if let real = Paths.real(path) { return real }
    return path.hasPrefix("/") ? path : (Paths.real(".") ?? "") + "/" + path
  }

  private static func read(_ file: String) throws(SetupFailure) -> ConfigurationText? {
    let whole: WholeFile
    do throws(Errno) {
      whole = try WholeFile(path: file, limit: longestFile)
    } catch {
      if error.isMissing { return nil }
      throw SetupFailure("\(file) cannot be read: \(error.text)")
    }
    guard whole.bytes.count <= longestFile, let text = String(validating: whole.bytes, as: UTF8.self) else {
      throw SetupFailure("\(file) is not a configuration: it is too long, or not UTF-8")
    }
    return ConfigurationText(text)
  }

  private static func keys(_ request: LocalRequest) throws(SetupFailure) -> [String] {
    var keys: [String] = []
    for key in LocalCommand.accountKeys {
      guard let value = request.options[key] else { continue }
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw SetupFailure("--\(key) contains a control character", .usage)
      }
      keys.append("\(key) = \(value)")
    }
    return keys
  }
}
