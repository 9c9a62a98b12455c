import Glibc
import LogFiles
import MessageLog
import Records
import TestSupport

/// What there is in a log, found by reading all of it.
struct LogCensus {
  private(set) var records = 0
  private(set) var messages = 0
  /// Of the longest conversation.
  private(set) var longest = 0
  /// Bytes of the messages' own texts, names and ids.
  private(set) var content = 0
  /// Bytes of the frames of all records, batches included.
  private(set) var log: UInt64 = 0
  /// Bytes of what is derived.
  private(set) var derived = 0
  /// CPU time to find all records and check them, in microseconds: as the system's cache was, and with all of it there.
  private(set) var firstScan = 0.0
  private(set) var scan = 0.0

  init(_ folder: String) throws {
    let storage = try DataDirectory.open(folder).storage(readOnly: true)
    for scan in [\LogCensus.firstScan, \.scan] {
      let start = Self.cpu
      var recovery = try Recovery(of: storage, log: nil, mode: .readOnly)
      let log = try recovery.run { _ in }
      self[keyPath: scan] = Self.cpu - start
      (records, self.log) = (Int(log.report.records), log.report.bytes)
    }
    var (messages, content, longest) = (0, 0, 0)
    var again = try Recovery(of: storage, log: nil, mode: .readOnly)
    _ = try again.run { frame in
      guard case .message(let message)? = try? frame.record() else { return }
      messages += 1
      content += Generate.content(of: message)
      if message.jid == Scale.longest { longest += 1 }
    }
    (self.messages, self.content, self.longest) = (messages, content, longest)
    derived = ["checkpoint", "index", "ids"].reduce(0) { $0 + Self.blocks(of: folder + "/" + $1) }
  }

  private static func blocks(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  /// CPU time of this process in microseconds.
  private static var cpu: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}

extension LogFrame {
  /// The record in it.
  fileprivate func record() throws -> Record {
    let kind = kind
    return try withPayload { payload in try Record(kind: kind, payload: payload) }
  }
}

/// Disk, and how fast it is read where everything has to be.
enum ScaleDisk {
  static func run(_ scale: Scale) throws {
    let (bench, census) = (scale.bench, scale.census)
    let messages = Double(max(1, census.messages))
    bench.report("texts, names and ids, a message", Double(census.content) / messages, "B")
    bench.report("log, a message", Double(census.log) / messages, "B")
    let ratio = Double(census.log) / Double(max(1, census.content))
    bench.report("log against texts, names and ids", ratio, "", note: "(at most 1.25; aim 1.1)")
    bench.report("indexes, a message", Double(census.derived) / messages, "B", note: "(at most 48)")
    let records = Double(census.records)
    let (first, rate) = (records / max(1, census.firstScan), records / max(1, census.scan))
    bench.report("recovery scan, a CPU second", rate, "M records", note: "(at least 10; aim 15)")
    bench.report("the first one, with what the disk took", first, "M records")
  }
}
