import Glibc
import JSON
import TestSupport
import Testing

/// An editor or a bad copy took bytes out of the newest segment, or put some in: what stands behind is where no batch
/// says that it is.
@Suite("Bytes missing in the newest part of the log")
struct MissingBytesTests {
  /// A sound segment.
  private struct Segment {
    let bytes: [UInt8]
    /// Where each frame is, by its order, and which of them begin a batch.
    private(set) var frames: [Range<Int>] = []
    private(set) var batches: [Int] = []

    init(_ path: String) throws {
      let all = try #require(TestFiles.read(path))
      var end = 64
      while all[end + 4] != 0 {
        var (length, size) = (Int(all[end + 8] & 0x7F), 9)
        if all[end + 8] >= 0x80 { (length, size) = (length | Int(all[end + 9]) << 7, 10) }
        if all[end + 4] == 0xFF { batches.append(frames.count) }
        frames.append(end..<end + size + length)
        end += size + length
      }
      bytes = Array(all[..<end])
    }

    /// A place inside of a frame of the batch at a position, the first one being its own.
    func place(batch: Int, frame: Int) -> Int {
      let range = frames[batches[batch < 0 ? batches.count + batch : batch] + frame]
      return range.lowerBound + range.count / 2
    }

    /// The texts whose records are whole where a stretch is changed.
    func left(of texts: [String], changed range: Range<Int>) -> [String] {
      let whole = frames.filter { $0.upperBound <= range.lowerBound || range.upperBound <= $0.lowerBound }
      return texts.filter { text in
        whole.contains { bytes[$0].firstRange(of: Array("(\(text))".utf8)) != nil }
      }
    }
  }

  private struct Told {
    let daemon: Daemon
    let texts: [String]
    let segment: Segment
    let path: String
  }

  /// A daemon that is not running any more, with a log of messages that it has acknowledged one by one and many at a time.
  private func withLog(inOrder: Bool = false, _ body: (Told) throws -> Void) throws {
    try withDaemon { daemon, client in
      let texts = (1...60).map { "message \($0)" }
      for text in texts[..<20] { try client.ask("send bob@example.test (\(text))") }
      for text in texts[20..<40] { try client.send("send bob@example.test (\(text))") }
      for _ in 20..<40 { #expect(try client.answer().isOK) }
      for text in texts[40...] { try client.ask("send bob@example.test (\(text))") }
      if inOrder { #expect(try daemon.terminate() == .exited(0)) } else { try daemon.kill() }
      let path = daemon.dataPath + "/log/00000000000000000001.log"
      try body(Told(daemon: daemon, texts: texts, segment: try Segment(path), path: path))
    }
  }

  /// Starts with other bytes in a stretch, and looks at what is served.
  private func check(_ told: Told, _ range: Range<Int>, with more: [UInt8], isCut: Bool, _ name: String) throws {
    var bytes = told.segment.bytes
    bytes.replaceSubrange(range, with: more)
    try TestFiles.write(told.path, bytes + [UInt8](repeating: 0, count: 10_000))
    let left = told.segment.left(
      of: told.texts, changed: isCut ? range.lowerBound..<told.segment.bytes.count : range)
    let verified = try Program.run([Products.program("confab"), "log", "verify", "--data", told.daemon.dataPath])
    #expect(verified.status == .exited(isCut ? 0 : 1), "\(name): \(verified.text)")
    #expect(verified.text.contains("never acknowledged") == isCut, "\(name): \(verified.text)")
    try told.daemon.start()
    let client = try told.daemon.client()
    let texts = try client.historyWithBob().map { $0.text("text") }
    #expect(texts == left.map { "(\($0))" }, "\(name)")
    #expect(try client.request("search limit=100 message").data.count == texts.count, "\(name)")
    let damaged = try client.request("status").final["damaged"]
    #expect((damaged == nil) == isCut && (isCut || damaged?["places"]?.integer == 1), "\(name)")
    try client.ask("send bob@example.test (new)")
    try told.daemon.kill()
    // And once more, with nothing else to go by.
    for file in ["checkpoint", "index"] { _ = unsafe unlink(told.daemon.dataPath + "/" + file) }
    try told.daemon.start()
    #expect(try told.daemon.client().historyWithBob().map { $0.text("text") } == texts + ["(new)"], "\(name)")
    try told.daemon.kill()
    for file in ["checkpoint", "index"] { _ = unsafe unlink(told.daemon.dataPath + "/" + file) }
    // A log that ended early got a new UUID, and a segment of its own.
    for name in TestFiles.names(in: told.daemon.dataPath + "/log") where !told.path.hasSuffix(name) {
      _ = unsafe unlink(told.daemon.dataPath + "/log/" + name)
    }
  }

  @Test("what was acknowledged before is there, but for what was touched; only the very last batch may be cut")
  func places() throws {
    try withLog { told in
      let segment = told.segment
      let (middle, last) = (segment.batches.count / 2, segment.frames.last?.upperBound ?? 0)
      #expect(segment.batches.count > 30)
      let record = segment.place(batch: middle, frame: 1)
      let batch = segment.place(batch: middle, frame: 0)
      try check(told, record..<record + 3, with: [], isCut: false, "within a record")
      try check(told, batch..<batch + 5, with: [], isCut: false, "in the head of a batch")
      let next = segment.place(batch: middle + 2, frame: 1)
      try check(told, record..<next, with: [], isCut: false, "over two batches")
      let early = segment.place(batch: 2, frame: 1)
      try check(told, early..<record, with: [], isCut: false, "a third of it")
      let lastButOne = segment.place(batch: -2, frame: 1)
      try check(told, lastButOne..<lastButOne + 1, with: [], isCut: false, "in the last batch but one")
      try check(told, last - 3..<last - 2, with: [], isCut: true, "in the very last")
      try check(told, record..<record, with: [0x0A], isCut: false, "a line feed more")
      let end = segment.frames[segment.batches[segment.batches.count - 1]].lowerBound
      try check(told, end..<end, with: [0x0D, 0x0A], isCut: false, "something before the last batch")
    }
  }

  @Test("a checkpoint that was written before is of no use then, and hides nothing", arguments: [true, false])
  func checkpoint(isLess: Bool) throws {
    try withLog(inOrder: true) { told in
      let place = told.segment.place(batch: 10, frame: 1)
      let range = place..<place + (isLess ? 2 : 0)
      try check(told, range, with: isLess ? [] : [9, 9], isCut: false, "less: \(isLess)")
      #expect(told.daemon.log.contains("ignored the checkpoint: its last record is not where it says"))
    }
  }

  @Test("anywhere, any number of bytes less or more")
  func anywhere() throws {
    try withLog { told in
      var chance = Chance("bytes missing in the newest part of the log")
      let end = told.segment.frames[told.segment.batches[told.segment.batches.count - 1]].lowerBound
      for _ in 0..<Chance.count("CONFAB_CUTS", usual: 6) {
        let frame = told.segment.frames[chance.draw(3...told.segment.frames.count - 8)]
        let isLess = chance.draw(0...1) == 0
        let place = chance.draw(frame.lowerBound + 1...frame.upperBound - 1)
        let count = min(chance.draw(1...300), end - place)
        let range = place..<place + (isLess ? count : 0)
        let more = isLess ? [] : (0..<count).map { _ in UInt8(chance.draw(1...254)) }
        try check(told, range, with: more, isCut: false, "seed \(chance.seed): \(range), \(more.count) more")
      }
    }
  }
}
