import Glibc
import JSON
import TestSupport

/// The start of somebody who is in many rooms of a real Prosody, beside a client that joins as many in one write.
enum RoomStartWorkload {
  private static let rooms = 200
  private static let room = "room%d@rooms.example.test"
  private static let runs = 3

  static func run(_ bench: Bench) throws {
    let prosody = try Prosody(in: bench.folder, rooms: true)
    let account = Daemon.Account(
      "alice", password: "secret-a", port: prosody.directTLSPort, tls: "direct", authority: prosody.authority)
    let daemon = try Daemon(
      "rooms-start", in: bench.folder, accounts: [account], logLevel: "warning", program: bench.confabd,
      data: try bench.data.makeFolder("rooms-start"))
    let client = try daemon.client()
    _ = try client.request("status for=online timeout=60s", until: .seconds(90))
    for number in 0..<rooms {
      let answer = try client.request("join create=yes wait=joined timeout=60s room\(number)@rooms.example.test")
      guard answer.isOK else { throw TestFailure("room\(number): \(answer.final)") }
    }
    _ = try client.request("disconnect")
    var (ours, raw): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
      raw.append(try joined(prosody, bench))
      ours.append(try start(client))
    }
    let (own, other) = (ours.sorted()[runs / 2], raw.sorted()[runs / 2])
    bench.report("\(rooms) rooms at a start", own, "s")
    bench.report("\(rooms) joins in one write", other, "s")
    bench.report("beside these", own / other, "", note: "(at most 1.5)")
  }

  /// The seconds from `connect` until all rooms are joined on the new stream.
  private static func start(_ client: SocketClient) throws -> Double {
    let time = try Stopwatch.measure {
      _ = try client.request("connect")
      _ = try client.request("status for=online timeout=60s", until: .seconds(90))
      while try client.request("rooms").data.contains(where: { $0["room"]?.text("state") != "joined" }) {
        usleep(20_000)
      }
    }
    _ = try client.request("disconnect")
    return time / 1e6
  }

  private static func joined(_ prosody: Prosody, _ bench: Bench) throws -> Double {
    let helper = try HelperProcess(
      "raw_joins.py",
      [
        "--port", "\(prosody.directTLSPort)", "--authority", prosody.authority, "--user", "bob", "--password",
        "secret-b",
        "--room", room, "--count", "\(rooms)",
      ], log: bench.folder.file("raw_joins.log"))
    guard case .number(let seconds) = try helper.event("joined")["seconds"] else { throw TestFailure("no seconds") }
    return seconds
  }
}
