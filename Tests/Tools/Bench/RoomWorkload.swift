import Glibc
import JSON
import TestSupport

/// Rooms (XEP-0045): a join of 5,000 occupants, what is said beside what a person says, presences, and what was missed in
/// many rooms; beside libstrophe, which only parses the same bytes, and slixmpp. Then the start of somebody who is in many,
/// and what such a one costs while nobody speaks.
enum RoomWorkload {
  private static let service = "rooms.example.test"
  private static let room = "team@" + service
  private static let occupants = 5_000
  private static let presences = 10_000
  private static let messages = 10_000
  private static let rooms = 50

  static func run(_ bench: Bench) throws {
    let quiet = try QuietRooms(bench, service: service)
    try join(bench)
    try talk(bench)
    try missed(bench)
    try RoomStartWorkload.run(bench)
    try quiet.finish(bench)
  }

  private static func serve(_ server: ScriptedServer, occupants: Int, missed: Int = 0) throws {
    try server.command(
      "rooms",
      [
        JSONMember("service", .string(service)), JSONMember("occupants", .integer(Int64(occupants))),
        JSONMember("missed", .integer(Int64(missed))),
      ])
  }

  private static func join(_ client: SocketClient, _ room: String) throws {
    let answer = try client.request("join wait=joined timeout=60s \(room)", until: .seconds(90))
    guard answer.isOK else { throw TestFailure("\(room): \(answer.final)") }
  }

  private static func cpu(_ before: ProcessUsage, _ after: ProcessUsage) -> Double {
    Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1e9
  }

  // MARK: - Occupants

  private static func join(_ bench: Bench) throws {
    let (server, daemon, client) = try bench.online("rooms-join")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    try serve(server, occupants: occupants)
    let before = try ProcessUsage(of: process)
    try join(client, room)
    let after = try ProcessUsage(of: process)
    bench.report("join of \(occupants) occupants: CPU", cpu(before, after), "s", note: "(at most 0.25)")
    let growth = Double(after.anonymousKiB - before.anonymousKiB) / 1024
    bench.report("join of \(occupants) occupants: anonymous growth", growth, "MiB", note: "(at most 2)")
    let away = presence(of: "speaker$n")
    bench.report(
      "\(presences) presences of occupants: CPU", try storm(away, server, process), "s", note: "(at most 0.4)")
    let (peer, strophe) = try StrophePeer(bench).online(bench)
    bench.report("libstrophe, parse only: the same", try storm(away, peer, strophe.processID), "s")
  }

  private static func presence(of nick: String) -> String {
    "<presence from='\(room)/\(nick)'><show>dnd</show><status>in a meeting</status>"
      + "<x xmlns='http://jabber.org/protocol/muc#user'><item affiliation='none' role='participant'/></x></presence>"
  }

  private static func storm(_ presence: String, _ server: ScriptedServer, _ process: Int32) throws -> Double {
    let before = try ProcessUsage(of: process)
    try server.flood(presence, count: presences)
    _ = try Burst.measure(count: 1, server, process)
    return cpu(before, try ProcessUsage(of: process))
  }

  // MARK: - Messages

  private static func talk(_ bench: Bench) throws {
    let person = try archived(bench)
    let parsed = try Parsed(bench, room)
    let (server, daemon, client) = try bench.online("rooms-talk")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    try serve(server, occupants: 20)
    try join(client, room)
    let said = try Burst.measure(count: bench.count, server, process, first: 1, room: room)
    let written = try Burst.measure(count: bench.count, person.server, person.process)
    bench.report("a room's message: CPU", said.cpuPerMessage, "us")
    bench.report("libstrophe, parse only: the same", parsed.said, "us")
    bench.report("slixmpp: the same", try slixmpp(bench), "us")
    bench.report("beside libstrophe", said.cpuPerMessage / parsed.said, "")
    bench.report("beside a person's", said.cpuPerMessage / written.cpuPerMessage, "", note: "(at most 1.2)")
    bench.report("libstrophe: beside a person's", parsed.said / parsed.written, "")
    bench.report("libstrophe: out of the archive, beside a live one", parsed.archived / parsed.said, "")
    let unread = try client.request("unread in=\(room)").final["unread"]?.integer
    guard unread == Int64(bench.count) else { throw TestFailure("\(unread ?? 0) messages of the room are unread") }
  }

  /// CPU microseconds of libstrophe for a message: a person's, one said in a room, and one out of the room's archive.
  private struct Parsed {
    let (written, said, archived): (Double, Double, Double)

    init(_ bench: Bench, _ room: String) throws {
      let (server, process) = try StrophePeer(bench).online(bench)
      let cost = { (room: String?, isArchived: Bool) in
        try Burst.measure(count: bench.count, server, process.processID, room: room, isArchived: isArchived)
          .cpuPerMessage
      }
      // The first of all takes what memory it needs.
      _ = try cost(nil, false)
      (written, said, archived) = (try cost(nil, false), try cost(room, false), try cost(room, true))
    }
  }

  /// CPU microseconds of slixmpp for a message of the room; of fewer, because it takes long.
  private static func slixmpp(_ bench: Bench) throws -> Double {
    let server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    try serve(server, occupants: 20)
    let peer = try HelperProcess(
      "slixmpp_peer.py", ["\(server.directTLSPort)", server.authority, room], log: bench.folder.file("slixmpp.log"))
    guard let process = try peer.event("joined")["pid"]?.integer else { throw TestFailure("slixmpp_peer.py: no pid") }
    return try Burst.measure(count: bench.count / 10, server, pid_t(process), room: room).cpuPerMessage
  }

  /// A daemon that nobody talks to in rooms. As the room, its account has an archive.
  private static func archived(_ bench: Bench) throws -> (server: ScriptedServer, daemon: Daemon, process: Int32) {
    let server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    try server.command("archive")
    let daemon = try bench.daemon("rooms-person", at: server, port: server.directTLSPort, tls: "direct")
    let online = try daemon.client().request("status for=online timeout=60s", until: .seconds(90))
    guard online.isOK, let process = daemon.processID else { throw TestFailure("not online: \(online.final)") }
    return (server, daemon, process)
  }

  // MARK: - Catching up

  /// What was said in many rooms while nobody was there, beside as many live messages.
  private static func missed(_ bench: Bench) throws {
    let (server, daemon, client) = try bench.online("rooms-missed")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    try serve(server, occupants: 20)
    for number in 0..<rooms { try join(client, "room\(number)@\(service)") }
    let nothing = try comeBack(client, process, unread: 0)
    try serve(server, occupants: 20, missed: messages / rooms)
    let all = try comeBack(client, process, unread: messages)
    let live = try Burst.measure(count: messages, server, process, room: "room0@" + service)
    let each = (all - nothing) * 1e6 / Double(messages)
    bench.report("\(rooms) rooms, nothing missed: CPU of a login", nothing, "s")
    bench.report("\(messages) messages missed in \(rooms) rooms: CPU each", each, "us")
    bench.report("beside a live one", each / live.cpuPerMessage, "", note: "(at most 1.3)")
  }

  /// The CPU seconds of a new stream, until so much is unread.
  private static func comeBack(_ client: SocketClient, _ process: Int32, unread: Int) throws -> Double {
    _ = try client.request("disconnect")
    let before = try ProcessUsage(of: process)
    _ = try client.request("connect")
    let online = try client.request("status for=online timeout=60s", until: .seconds(90))
    guard online.isOK else { throw TestFailure("not online: \(online.final)") }
    for _ in 0..<600 {
      usleep(100_000)
      // What this asks is part of the cost: little, until all are joined.
      let joined = try client.request("rooms limit=\(rooms)").data.count { $0["room"]?.text("state") == "joined" }
      guard joined == rooms else { continue }
      let count = try client.request("unread").final["unread"]?.integer
      if count == Int64(unread) { return cpu(before, try ProcessUsage(of: process)) }
    }
    throw TestFailure("not all of \(unread) messages came")
  }
}
