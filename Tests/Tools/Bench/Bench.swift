import Glibc
import JSON
import TestSupport

/// What all workloads share: a folder, the programs as they ship, and how figures are printed.
struct Bench {
  /// Messages of the burst.
  let count: Int
  /// Sockets and configurations; the logs are in `data`.
  let folder: TemporaryFolder
  /// On the disk of the repository, which a user's disk is more like than /tmp, where that is in memory.
  let data: BenchData
  let confabd = Products.releaseFolder + "/confabd"
  let confab = Products.releaseFolder + "/confab"

  init(count: Int) throws {
    self.count = count
    folder = try TemporaryFolder("bench")
    data = try BenchData(Products.repository + "/.build/bench-\(getpid())")
  }

  /// A daemon with alice's account at a scripted server, or at a relay to it, started by nothing but fork and exec.
  func daemon(_ name: String, at server: ScriptedServer, port: UInt16, tls: String) throws -> Daemon {
    let account = Daemon.Account("alice", password: "secret-a", port: port, tls: tls, authority: server.authority)
    return try Daemon(
      name, in: folder, accounts: [account], logLevel: "warning", program: confabd, data: try data.makeFolder(name),
      supervised: false)
  }

  /// A daemon logged in to a scripted server of its own.
  func online(
    _ name: String, settings: [String] = [], environment: [String: String]? = nil
  ) throws -> (server: ScriptedServer, daemon: Daemon, client: SocketClient) {
    let server = try ScriptedServer(in: folder, arguments: ["--quiet"])
    let account = Daemon.Account(
      "alice", password: "secret-a", port: server.directTLSPort, tls: "direct", authority: server.authority)
    let daemon = try Daemon(
      name, in: folder, accounts: [account], settings: settings, logLevel: "warning", program: confabd,
      environment: environment, data: try data.makeFolder(name))
    let client = try daemon.client()
    let status = try client.request("status for=online timeout=60s", until: .seconds(90))
    guard status.isOK else { throw TestFailure("not online: \(status.data) \(status.final)\n\(daemon.log)") }
    return (server, daemon, client)
  }

  /// Prints one figure.
  func report(_ name: String, _ value: Double, _ unit: String, note: String = "") {
    let number = value.formatted(decimals: value < 10 ? 3 : value < 1000 ? 1 : 0)
    let left = "  " + name.padded(to: 46)
    print(left + number.leftPadded(to: 12) + " " + unit.padded(to: 10) + (note.isEmpty ? "" : " " + note))
  }
}

/// A folder on a real disk, removed with everything in it when the last reference goes.
final class BenchData: Sendable {
  private let path: String

  init(_ path: String) throws {
    guard unsafe mkdir(path, 0o700) == 0 else { throw TestFailure("mkdir \(path): errno \(errno)") }
    self.path = path
  }

  deinit {
    TestFiles.removeTree(path)
  }

  /// Makes a folder in it and returns its path.
  func makeFolder(_ name: String) throws -> String {
    guard unsafe mkdir(path + "/" + name, 0o700) == 0 else { throw TestFailure("mkdir \(name): errno \(errno)") }
    return path + "/" + name
  }

  /// The path of a file in it.
  func file(_ name: String) -> String { path + "/" + name }
}

extension Double {
  /// In decimal, with so many places.
  func formatted(decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int64((self * scale).rounded())
    guard decimals > 0 else { return "\(scaled)" }
    let fraction = "\(abs(scaled) % Int64(scale))"
    let sign = scaled < 0 ? "-" : ""
    return "\(sign)\(abs(scaled) / Int64(scale)).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
