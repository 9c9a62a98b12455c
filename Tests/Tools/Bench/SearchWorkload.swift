import Glibc
import JSON
import LogFiles
import MessageLog
import Records
import Syscalls
import TestSupport

/// `search` in a log of SEARCH_MIB (an environment variable; 1024 by default) of records: a word that is nowhere, and one that
/// is everywhere; beside `rg -i -c -j1` over the same texts, a line each.
enum SearchWorkload {
  private static let runs = 5

  static func run(_ bench: Bench) throws {
    let size = ProcessEnvironment.variables()["SEARCH_MIB"].flatMap { Int($0) } ?? 1024
    let data = try bench.data.makeFolder("search")
    let texts = bench.data.file("texts")
    let count = try SearchHistory.write(mebibytes: size, to: data, texts: texts)
    let daemon = try Daemon(
      "search", in: bench.folder, logLevel: "warning", program: bench.confabd, data: data, supervised: false)
    let client = try daemon.client()
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    bench.report("messages", Double(count), "", note: "(\(size) MiB of log)")
    try waitForRest(of: process)
    let words = [("a rare word", "zyzzyva"), ("one in Cyrillic", "зюзюка"), ("two of Chinese", "罕字")]
    for (name, word) in words {
      try compare(name, word, texts, process, client, bench)
    }
    let common = try (0..<runs * 5).map { _ in try timed("search limit=50 the", client) }
    bench.report("a common word's newest 50: wall, median", common.median / 1000, "ms", note: "(at most 5)")
  }

  /// The log was made without what the daemon derives from it: that is made first, some of it in a pause of ten seconds.
  private static func waitForRest(of process: pid_t) throws {
    var (quiet, used) = (0, Int64(0))
    for _ in 0..<180 where quiet < 12 {
      sleep(1)
      let now = try ProcessUsage(of: process).cpuNanoseconds
      quiet = now - used < 5_000_000 ? quiet + 1 : 0
      used = now
    }
    guard quiet == 12 else { throw TestFailure("the daemon does not come to rest") }
  }

  private static func compare(
    _ name: String, _ word: String, _ texts: String, _ process: pid_t, _ client: SocketClient, _ bench: Bench
  ) throws {
    var (ours, theirs): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
      // It finds one, so that its status is 0: the last line holds every word.
      theirs.append(try TimedProgram.run(["rg", "-i", "-c", "-j1", word, texts]).cpu)
      let before = try ProcessUsage(of: process).cpuNanoseconds
      _ = try timed("search \(word)", client)
      ours.append(Double(try ProcessUsage(of: process).cpuNanoseconds - before) / 1000)
    }
    bench.report("\(name): rg -i -c -j1, CPU, median", theirs.median / 1000, "ms")
    bench.report("\(name): search, CPU, median", ours.median / 1000, "ms")
    bench.report("\(name): ratio", ours.median / theirs.median, "", note: "(at most 2.0; aim 1.0)")
  }

  private static func timed(_ request: String, _ client: SocketClient) throws -> Double {
    try Stopwatch.measure {
      let answer = try client.request(request, until: .seconds(120))
      guard answer.isOK, !answer.data.isEmpty else { throw TestFailure("\(request): \(answer.final)") }
    }
  }
}

/// Messages as people write them, in three scripts, and a few of every kind that a log has.
private enum SearchHistory {
  private static let latin = Array(
    """
    the and you that was for are with his they this have from one had word but not what all were when your can said there \
    use each which she how their will other about out many then them these some her would make like him into time has look \
    two more write see number way could people than first water been call who oil now find long down day did get come made \
    may part over new sound take only little work know place year live back give most very after thing our just name good \
    sentence man think say great where help through much before line right too mean old any same tell boy follow came want \
    show also around form three small set put end does another well large must big even such because turn here why ask went
    """.split(whereSeparator: \.isWhitespace)
  ).map(String.init)
  private static let cyrillic =
    "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой ты год от так о для Привет Да Нет"
    .split(separator: " ").map(String.init)
  private static let chinese = "你好 我们 今天 天气 很好 吃饭 了吗 明天 见面 谢谢 不客气 中国 朋友 工作 学习".split(separator: " ").map(String.init)

  /// The same numbers each time.
  private struct Dice {
    var state: UInt64 = 1
    mutating func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  /// Writes a log of about this size, and its texts to a file; how many messages it has.
  static func write(mebibytes: Int, to data: String, texts: String) throws -> Int {
    var directory = try DataDirectory.create(data)
    guard try directory.lock() else { throw TestFailure("the log is in use") }
    let storage = try directory.storage(readOnly: false)
    let identity = try directory.identity(in: storage, random: (0..<16).map { $0 })
    var recovery = try Recovery(of: storage, log: identity.uuid, mode: .readWrite)
    var writer = try recovery.run { _ in }.makeWriter(uuid: identity.uuid)
    let account = Record.account(AccountRecord(number: 1, name: "alice", jid: "alice@\(Certificates.host)"))
    writer.append(kind: account.kind) { account.encode(into: &$0) }
    guard let file = unsafe fopen(texts, "w") else { throw TestFailure("\(texts): errno \(errno)") }
    defer { unsafe fclose(file) }
    var (dice, count, written) = (Dice(), 0, 0)
    while written < mebibytes << 20 {
      let record = Record.message(message(count, text(&dice)))
      if case .message(let message) = record { unsafe fputs(message.text + "\n", file) }
      writer.append(kind: record.kind) { record.encode(into: &$0) }
      count += 1
      guard count % 20_000 == 0 else { continue }
      written += try flush(&writer, storage)
    }
    let last = Record.message(message(count, "zyzzyva зюзюка 罕字 the"))
    unsafe fputs("zyzzyva зюзюка 罕字 the\n", file)
    writer.append(kind: last.kind) { last.encode(into: &$0) }
    _ = try flush(&writer, storage)
    return count + 1
  }

  private static func flush(_ writer: inout LogWriter, _ storage: FileStorage) throws -> Int {
    var written = 0
    while let batch = writer.takeBatch() {
      try batch.perform(on: storage)
      written += batch.byteCount
      writer.completed(batch)
    }
    return written
  }

  /// 80 bytes on average: half of them Latin, the rest Cyrillic and Chinese.
  private static func text(_ dice: inout Dice) -> String {
    let kind = dice.next(below: 10)
    let words = kind < 6 ? latin : kind < 8 ? cyrillic : chinese
    var text = ""
    let length = 20 + dice.next(below: 120)
    while text.utf8.count < length { text += (text.isEmpty ? "" : " ") + words[dice.next(below: words.count)] }
    return text
  }

  private static func message(_ number: Int, _ text: String) -> MessageRecord {
    let jid = "friend\(number * number % 300)@example.org"
    var message = MessageRecord(
      account: 1, jid: jid, peer: jid + "/phone", time: 1_700_000_000_000 + Int64(number) * 20_000)
    message.text = text
    message.stanzaID = "id-\(number)"
    return message
  }
}
