import Glibc
import TestSupport

/// The peer that scripts use today: it logs in for each message. It knows PLAIN only, so its server offers that, and it
/// puts white space in front of its second stream header.
struct GoSendXMPP {
  let server: ScriptedServer
  private let account: [String]
  private let environment: [String: String]
  private let text: String

  /// With a server of its own.
  init(_ bench: Bench) throws {
    server = try ScriptedServer(in: bench.folder, mechanisms: ["PLAIN"], arguments: ["--quiet", "--lenient"])
    account = [
      "go-sendxmpp", "--tls", "--jserver", "127.0.0.1:\(server.directTLSPort)", "--username", "alice@example.test",
      "--password", "secret-a",
    ]
    let home = try bench.folder.makeFolder("go-sendxmpp-\(server.directTLSPort)")
    environment = ProcessEnvironment.current.merging(
      ["SSL_CERT_FILE": server.authority, "HOME": home]
    ) { $1 }
    text = home + "/text"
    try TestFiles.write(text, Array("backup done\n".utf8))
  }

  /// Sends one message; what that takes in all.
  func send() throws -> (wall: Double, cpu: Double) {
    try TimedProgram.run(account + ["bob@example.test"], environment: environment, input: text)
  }

  /// Starts one that listens, logs in by itself and prints what comes.
  func listen() throws -> ChildProcess {
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    return try ChildProcess(
      account + ["--listen"], environment: environment, input: null, output: null, error: 2, supervised: false)
  }
}
