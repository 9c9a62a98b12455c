import Glibc
import TestSupport

/// The peer that we are measured beside: a client on libstrophe that logs in as alice and throws everything away
/// (Tests/Support/strophe_peer.c).
struct StrophePeer {
  private let program: String

  /// Compiles it.
  init(_ bench: Bench) throws {
    program = bench.folder.file("strophe_peer")
    let build = "cc -O2 -o \(program) \(Products.support("strophe_peer.c")) $(pkg-config --cflags --libs libstrophe)"
    let built = try Program.run(["sh", "-c", build])
    guard built.status == .exited(0) else { throw TestFailure("strophe_peer: \(built.errorText)") }
  }

  /// Starts it by nothing but fork and exec; it logs in by itself.
  func start(port: UInt16, tls: String = "direct", authority: String) throws -> ChildProcess {
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    return try ChildProcess(
      [program, "alice@example.test", "secret-a", "\(port)", authority, tls], input: null, output: null, error: 2,
      supervised: false)
  }

  /// Starts it at a scripted server of its own, and waits until it is bound.
  func online(_ bench: Bench) throws -> (server: ScriptedServer, process: ChildProcess) {
    let server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    let process = try start(port: server.directTLSPort, authority: server.authority)
    try server.event("bound")
    return (server, process)
  }
}
