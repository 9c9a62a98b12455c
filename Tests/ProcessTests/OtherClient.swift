import TestSupport

/// A terminal with another person's client in it.
struct OtherClient {
  let terminal: TmuxTerminal
  /// Its home directory.
  let home: String

  /// - Parameter columns: the width of the terminal, which is named by it.
  init(_ command: [String], in folder: TemporaryFolder, home: String, columns: Int) throws {
    let environment = ["HOME": home, "XDG_DATA_HOME": home + "/.local/share", "XDG_CONFIG_HOME": home + "/.config"]
    terminal = try TmuxTerminal(command, in: folder, columns: columns, lines: 40, environment: environment)
    self.home = home
  }

  func enter(_ line: String) throws {
    if !line.isEmpty { try terminal.type(line) }
    try terminal.press("Enter")
  }

  /// profanity, logged in.
  static func profanity(
    _ name: String, password: String, at server: Prosody, in folder: TemporaryFolder
  ) throws -> OtherClient {
    let client = try OtherClient(["profanity"], in: folder, home: folder.makeFolder("profanity"), columns: 160)
    try client.terminal.wait(for: "Profanity")
    try client.enter("/connect \(name)@example.test server 127.0.0.1 port \(server.startTLSPort) tls trust")
    try client.terminal.wait(for: "Enter password")
    try client.enter(password)
    try client.terminal.wait(for: "logged in successfully")
    return client
  }

  /// mcabber, logged in; it keeps its history in `histo` below its home.
  static func mcabber(
    _ name: String, password: String, at server: Prosody, in folder: TemporaryFolder
  ) throws -> OtherClient {
    let home = try folder.makeFolder("mcabber")
    let settings = [
      "jid = \(name)@example.test", "password = \(password)", "server = 127.0.0.1", "port = \(server.startTLSPort)",
      "tls = 1", "ssl_ignore_checks = 1", "tls_ignore_checks = 1", "logging = 1", "logging_dir = \(home)/histo/",
    ]
    let file = home + "/mcabberrc"
    try TestFiles.write(file, Array(settings.map { "set \($0)\n" }.joined().utf8), mode: 0o600)
    let client = try OtherClient(["mcabber", "-f", file], in: folder, home: home, columns: 161)
    try client.terminal.wait(for: "Your status has been set")
    return client
  }
}
