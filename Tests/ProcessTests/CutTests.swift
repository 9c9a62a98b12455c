import JSON
import TestSupport
import Testing

/// Links that break, at any byte, while two daemons talk by a real server: both logs hold every message once, in order.
/// CONFAB_CUTS says how often; CONFAB_SEED repeats a run.
@Suite("Cut at any place", .serialized)
struct CutTests {
  private static let count = Chance.count("CONFAB_CUTS", usual: 40)
  private static let isLong = count > 40

  @Test("at every stage of a login, of one that resumes and of one that does not")
  func stages() throws {
    let folder = try TemporaryFolder("stages")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      var cuts = try Cuts(of: prosody, prosody.directTLSPort, in: folder)
      let sizes = try [true, false].map { try cuts.size(ofNew: $0) }
      for place in 0..<Self.count / 2 {
        for (size, isNew) in zip(sizes, [true, false]) {
          let step = size * 2 / Self.count
          try cuts.drop(isNew: isNew, limits: [place * step + cuts.chance.draw(1...step)])
        }
      }
      try cuts.expectAll()
    }
  }

  @Test("in the middle of the talk")
  func traffic() throws {
    let folder = try TemporaryFolder("cuts")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      try cutTraffic(try Cuts(of: prosody, prosody.directTLSPort, in: folder), Self.count)
    }
  }

  @Test("in the middle of an encrypted talk")
  func encrypted() throws {
    let folder = try TemporaryFolder("encrypted-cuts")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let cuts = try Cuts(of: prosody, prosody.directTLSPort, in: folder, encryption: "always")
      try cutTraffic(cuts, Self.count / 2)
      try cuts.talk.expectAllEncrypted()
    }
  }

  /// Where it is asked for a stream twice at once it loses what it had for it: its archive has that.
  @Test("in the middle of the talk, at ejabberd")
  func ejabberd() throws {
    let folder = try TemporaryFolder("cuts")
    try folder.reportingLogs {
      let server = try Ejabberd(in: folder)
      try cutTraffic(try Cuts(of: server, server.directTLSPort, in: folder), Self.count / 4, .asArchived)
    }
  }

  private func cutTraffic(_ cuts: Cuts, _ count: Int, _ order: Talk.Order = .asSaid) throws {
    var cuts = cuts
    try cuts.drop(isNew: false, limits: (0..<count).map { _ in cuts.chance.draw(1...12_000) })
    try cuts.expectAll(order)
  }

  @Test("a link over which nothing comes any more", arguments: isLong ? [true, false] : [true])
  func halfOpen(killed: Bool) throws {
    let folder = try TemporaryFolder("frozen")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let cuts = try Cuts(of: prosody, prosody.directTLSPort, in: folder)
      let alice = cuts.talk.talkers[0]
      let watcher = try alice.daemon.client()
      try watcher.ask("watch kinds=connection")
      for _ in 0..<3 {
        try cuts.proxy.freeze()
        for talker in cuts.talk.talkers { try talker.say(10) }
        if killed {
          try alice.kill()
          try alice.start()
        } else {
          _ = try watcher.event("connection") { $0.text("reason").contains("30 seconds") }
        }
        try alice.daemon.client().waitUntilOnline()
        #expect(try alice.daemon.client().account().text("reason").hasPrefix("resumed"))
        // A stream on which nothing is answered twice is not resumed any more: the server has to have answered.
        try alice.settle()
        try alice.waitUntilSent()
      }
      try cuts.expectAll()
    }
  }

  @Test("a Prosody that comes back, with and without its state", arguments: [false, true], [false, true])
  func restarted(killed: Bool, forgets: Bool) throws {
    let folder = try TemporaryFolder("restarts")
    let rounds = Self.isLong ? 10 : 2
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      var chance = Chance("restarts of Prosody")
      let talk = try Talk(at: prosody, in: folder, seed: chance.seed)
      for _ in 0..<rounds {
        try talk.say(&chance, upTo: 20)
        // What it was the only one to know would be lost with its state.
        if forgets { try talk.expectAll() } else { chance.pause(upTo: 100) }
        if killed { try prosody.kill() } else { try prosody.stop() }
        try talk.say(&chance)
        if forgets { try prosody.forget() }
        try prosody.start()
        for talker in talk.talkers {
          try talker.connect()
          try talker.daemon.client().waitUntilOnline()
        }
      }
      try talk.say(&chance)
      if forgets { return try talk.expectAll() }
      try talk.expectAll { try prosody.archive(of: $0) }
      // It breaks down in the middle of one message at most; SIGTERM interrupts it there, too.
      let kept = try talk.talkers.map { try prosody.archive(of: $0.name) }
      #expect(kept.allSatisfy { $0.count >= talk.count - rounds }, "CONFAB_SEED=\(talk.seed)")
    }
  }
}

/// A talk in which alice's link is cut.
private struct Cuts {
  let proxy: CountingProxy
  let talk: Talk
  var chance: Chance
  private let watcher: SocketClient
  private let asker: SocketClient

  init(
    of server: some AccountServer, _ port: UInt16, in folder: TemporaryFolder, encryption: String = "never"
  ) throws {
    proxy = try CountingProxy(to: port, in: folder)
    chance = Chance("cuts at \(type(of: server))")
    talk = try Talk(at: server, in: folder, seed: chance.seed, through: proxy.port, encryption: encryption)
    (watcher, asker) = (try talk.talkers[0].daemon.client(), try talk.talkers[0].daemon.client())
    try watcher.ask("watch kinds=connection,message")
  }

  /// See `Talk.expectAll`; the proxy is there as long as that takes.
  func expectAll(_ order: Talk.Order = .asSaid) throws {
    try withExtendedLifetime(proxy) { try talk.expectAll(order) }
  }

  /// How many bytes pass at a login.
  mutating func size(ofNew isNew: Bool) throws -> Int {
    try drop(isNew: isNew, limits: [])
    let traffic = try proxy.count().traffic
    return traffic.sent + traffic.received
  }

  /// Ends the link; the next ones end after so many bytes each. Both talk until one lasts.
  mutating func drop(isNew: Bool, limits: [Int]) throws {
    let last = try proxy.count().connections + limits.count
    try proxy.limit(limits)
    if isNew { try asker.ask("disconnect") } else { try proxy.cut() }
    try talk.say(&chance, upTo: 3)
    // The chance may have been that nobody speaks: each message is what the next one waits for.
    try talk.talkers[0].say(1)
    var turns = 0
    while try !isOnline() || proxy.count().connections <= last {
      // One message for each: what the link itself does would make ever more of them.
      guard try watcher.line()?["message"] != nil else { continue }
      turns += 1
      try talk.talkers[turns % 2].say(1)
    }
  }

  /// Says whether she is; if not, she makes no pause.
  private func isOnline() throws -> Bool {
    let state = try asker.account().text("state")
    if state == "waiting" || state == "stopped" { try asker.ask("connect") }
    return state == "online"
  }
}
