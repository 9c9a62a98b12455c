import Clocks
import ConfabAccounts
import JSON
import MessageLog
import TestSupport
import Testing

/// The engine over the real log, on a disk that fails, stops or loses what was not synced at any call.
@Suite("every call of the disk, in a script of messages both ways")
struct EveryCallTests {
  /// One run of the script.
  private final class Run {
    let disk = CrashingStorage()
    let harness: Harness
    let client: ClientID
    private(set) var answers: [String: JSONValue] = [:]
    /// The texts of messages that the server was told are stored.
    private(set) var acknowledged: Set<String> = []

    init(failing call: Int? = nil, forEver: Bool = false, cause: StorageError.Cause = .failed) throws {
      disk.fail(at: call, forEver: forEver, cause: cause)
      var server = ScriptedStream()
      server.resumption = "max='600'"
      server.acknowledges = true
      // Small segments: there are calls of every kind.
      harness = try Harness(disk: disk, segmentSize: 1_000, server: server)
      client = harness.connect()
      for step in 0..<5 {
        harness.send(client, "send tag=s\(step) bob@example.org s\(step)\n")
        harness.say("<message from='bob@example.org/x' id='i\(step)' type='chat'><body>i\(step)</body></message>")
        harness.receive("<r xmlns='urn:xmpp:sm:3'/>")
        if step == 2 { harness.send(client, "draft tag=draft bob@example.org half\n") }
        pass(.milliseconds(20))
      }
      pass(.seconds(6))
    }

    func pass(_ interval: Interval) {
      harness.pass(interval)
      for line in harness.takeLines(client) {
        if let tag = line["tag"]?.string { answers[tag] = line }
      }
      acknowledged.formUnion(
        harness.server.said.prefix(Int(harness.server.acknowledged)).compactMap {
          ScriptedStream.value(of: "id", in: $0.components("<message").dropFirst().first ?? "")
        })
    }

    /// The texts that were answered so.
    func sent(_ isWanted: (JSONValue) -> Bool) -> [String] {
      answers.filter { $0.key != "draft" && isWanted($0.value) }.map(\.key).sorted()
    }

    var stored: [String] { sent { $0["ok"]?.bool == true } }
    var refused: [String] { sent { ["storage", "no-space"].contains($0["error"]?.string) } }

    /// What the next process finds: nothing is lost that was promised, nothing is there that was refused, nothing is twice.
    func check(_ image: MemoryStorage.Content, _ comment: Comment) throws {
      let later = try Harness(on: MemoryStorage(image))
      let texts = later.ask(later.connect(), "history limit=1000 bob@example.org").compactMap {
        $0["message"]?["text"]?.string
      }
      #expect(Set(texts).count == texts.count, "\(comment): \(texts)")
      #expect(acknowledged.union(stored).isSubset(of: texts), "\(comment): \(acknowledged), \(stored), \(texts)")
      #expect(Set(refused).isDisjoint(with: texts), "\(comment): \(refused), \(texts)")
    }
  }

  /// The calls of a run in which nothing fails.
  private static let calls = (try? Run())?.disk.calls.count ?? 0

  @Test("is there when nothing fails")
  func calm() throws {
    let run = try Run()
    #expect(run.stored == ["s0", "s1", "s2", "s3", "s4"])
    #expect(run.acknowledged == ["i0", "i1", "i2", "i3", "i4"])
    #expect(Self.calls == 32)
    try run.check(run.disk.killImage, "calm")
  }

  @Test("fails once, and nobody notices", arguments: [StorageError.Cause.failed, .noSpace, .readOnly])
  func once(cause: StorageError.Cause) throws {
    for call in 1...Self.calls {
      let run = try Run(failing: call, cause: cause)
      #expect(run.stored == ["s0", "s1", "s2", "s3", "s4"], "call \(call)")
      #expect(run.acknowledged == ["i0", "i1", "i2", "i3", "i4"], "call \(call)")
      #expect(run.harness.connects == 1, "call \(call)")
      try run.check(run.disk.killImage, "call \(call)")
    }
  }

  @Test("fails for a minute, and all goes on by itself", arguments: [StorageError.Cause.failed, .noSpace, .readOnly])
  func aMinute(cause: StorageError.Cause) throws {
    for call in 1...Self.calls {
      let run = try Run(failing: call, forEver: true, cause: cause)
      run.pass(.seconds(60))
      #expect(!run.harness.serviceStatus.isEmpty)
      run.disk.fail(at: nil)
      run.pass(.seconds(60))
      #expect(Set(run.stored + run.refused).count == 5, "call \(call): every request has its answer")
      let answer = run.harness.ask(run.client, "send bob@example.org after").last
      #expect(answer?["ok"]?.bool == true, "call \(call)")
      #expect(run.harness.ask(run.client, "status").first?["account"]?["state"]?.string == "online", "call \(call)")
      try run.check(run.disk.killImage, "call \(call)")
    }
  }

  @Test("is the last of the machine", arguments: CrashingStorage.Fate.allCases)
  func crash(fate: CrashingStorage.Fate) throws {
    for call in 1...Self.calls {
      let run = try Run(failing: call, forEver: true)
      for seed in 1...3 as ClosedRange<UInt64> {
        try run.check(run.disk.crashImage(seed: seed, fate: fate), "call \(call), seed \(seed)")
      }
    }
  }
}
