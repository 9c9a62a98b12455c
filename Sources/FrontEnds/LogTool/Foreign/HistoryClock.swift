import Clocks

/// Converts the local times of logs to UTC.
struct HistoryClock {
  /// Seconds east of UTC at a time.
  let offset: (Timestamp) -> Int
  /// The zone in words.
  let name: String

  /// Milliseconds since 1970 of a local time, given in seconds as if it were UTC. A time that a clock showed twice is the
  /// second one.
  func milliseconds(ofLocal seconds: Int64) -> Int64 {
    var time = seconds
    for _ in 0..<2 { time = seconds - Int64(offset(Timestamp(milliseconds: time * 1000))) }
    return time * 1000
  }
}

/// A cursor over the digits of a log's time.
struct TimeDigits {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>) { (self.bytes, index) = (bytes, bytes.startIndex) }

  /// The bytes that remain.
  var rest: ArraySlice<UInt8> { bytes[index...] }

  /// Takes a number of exactly this many digits; nil if there are fewer.
  mutating func number(_ count: Int) -> Int? {
    guard bytes.endIndex - index >= count else { return nil }
    var value = 0
    for byte in bytes[index..<index + count] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    index += count
    return value
  }

  /// Takes this text; false if the bytes do not begin with it.
  mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.endIndex - index >= count else { return false }
    let isEqual = text.withUTF8Buffer { unsafe bytes[index..<index + count].elementsEqual($0) }
    if isEqual { index += count }
    return isEqual
  }

  /// Takes `YYYY?MM?DD`, each separator being `between`; seconds since 1970 at its midnight.
  mutating func date(_ between: StaticString) -> Int64? {
    guard let year = number(4), year > 0, skip(between), let month = number(2), (1...12).contains(month), skip(between),
      let day = number(2), (1...CivilDate.length(ofMonth: month, year: Int64(year))).contains(day)
    else { return nil }
    return CivilDate.days(year: Int64(year), month: month, day: day) * 86_400
  }

  /// Takes `hh?mm?ss`, in seconds.
  mutating func timeOfDay(_ between: StaticString) -> Int64? {
    guard let hour = number(2), hour < 24, skip(between), let minute = number(2), minute < 60, skip(between),
      let second = number(2), second <= 60
    else { return nil }
    return Int64(hour * 3600 + minute * 60 + second)
  }

  /// Takes `+hh`, `+hhmm` or `+hh:mm`, or `Z`; seconds east of UTC.
  mutating func zone() -> Int64? {
    if skip("Z") { return 0 }
    let isWest = skip("-")
    guard isWest || skip("+"), let hour = number(2), hour < 24 else { return nil }
    _ = skip(":")
    let minute = number(2) ?? 0
    guard minute < 60 else { return nil }
    return Int64(hour * 3600 + minute * 60) * (isWest ? -1 : 1)
  }

  /// Takes `.` and digits, in milliseconds; 0 if there are none.
  mutating func fraction() -> Int64 {
    guard skip(".") else { return 0 }
    var (value, scale): (Int64, Int64) = (0, 100)
    while let digit = number(1) {
      value += Int64(digit) * scale
      scale /= 10
    }
    return value
  }
}
