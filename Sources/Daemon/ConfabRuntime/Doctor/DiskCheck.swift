import LineProtocol
import Syscalls

/// Checks the free space of the disk, and how long a sync takes: each `ok` of the daemon waits for one.
enum DiskCheck {
  /// Less is soon used up.
  private static let little: UInt64 = 100 << 20
  /// Less does not hold the next segment's reservation.
  private static let tooLittle: UInt64 = 2 << 20
  /// Milliseconds; a rotating disk takes 30.
  private static let slow: Int64 = 300

  /// - Parameter data: the data directory; if its `log` is a link, the disk that the link leads to is checked.
  static func run(_ data: String) -> Check {
    let isLinked = (try? Paths.linkStatus(data + "/log"))??.kind == .link
    return check(isLinked ? data + "/log" : data)
  }

  private static func check(_ data: String) -> Check {
    let isThere = (try? Paths.status(data)) != nil
    let place = isThere ? data : Paths.existing(above: data)
    do throws(Errno) {
      let free = try Files.freeBytes(place)
      if free < tooLittle {
        return Check(
          .disk, .wrong, "\(place) has \(size(free)) left: nothing can be stored", advice: "free space there")
      }
      let time = isThere ? try syncTime(in: data) : nil
      return judge(place, free, time)
    } catch {
      return Check(
        .disk, .wrong, "nothing can be written to \(place): \(error.text)",
        advice: error.isDenied ? "run confab doctor as the daemon's user or as root" : "check the disk: dmesg, df")
    }
  }

  private static func judge(_ place: String, _ free: UInt64, _ time: Int64?) -> Check {
    let synced = time.map { "; 4 KiB were written and synced in \($0) ms" } ?? ""
    let text = "\(place) has \(size(free)) left\(synced)"
    if free < little { return Check(.disk, .warning, text, advice: "free space there") }
    if let time, time > slow {
      return Check(.disk, .warning, text, advice: "the disk is slow or busy; each message waits that long for its ok")
    }
    return Check(.disk, .ok, text)
  }

  /// Milliseconds that a write and its fdatasync take, in a file of its own beside the log.
  private static func syncTime(in directory: String) throws(Errno) -> Int64 {
    let folder = try Files.openDirectory(directory)
    let name = ".doctor-\(ProcessEnvironment.processID)"
    let file = try Files.open(name, in: folder.raw, .createNew)
    defer { try? Files.remove(name, in: folder.raw) }
    let start = SystemClock.monotonicMilliseconds
    try Files.write(file.raw, [UInt8](repeating: 0x20, count: 4096), at: 0)
    try Files.syncData(file.raw)
    return SystemClock.monotonicMilliseconds - start
  }

  /// `12 GiB`, `300 MiB`
  private static func size(_ bytes: UInt64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
    let unit = units.first { bytes >> UInt64($0.0) >= 10 } ?? (10, "KiB")
    return "\(bytes >> UInt64(unit.0)) \(unit.1)"
  }
}
