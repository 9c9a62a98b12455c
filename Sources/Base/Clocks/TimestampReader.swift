extension Timestamp {
  /// Reads RFC 3339 and the DateTime of XEP-0082: `YYYY-MM-DDThh:mm:ss[.f…](Z|±hh:mm)`.
  ///
  /// `T` and `Z` may be lower case (RFC 3339 §5.6). A fraction may have any number of digits; those after the third
  /// are cut off. Second 60 is read as the second after it. Nil for anything else: a date that does not exist, no
  /// zone, `24:00`, an offset over 23:59, and times outside the years 0001 to 9999.
  ///
  /// - Parameter roundsUp: the first millisecond that is not before it, for what is a bound of times in milliseconds.
  public init?(rfc3339 text: String, roundsUp: Bool = false) {
    var reader = TimestampReader(bytes: Array(text.utf8))
    guard let milliseconds = reader.dateTime(), reader.next == nil else { return nil }
    self.init(milliseconds: milliseconds)
    guard (Timestamp.earliestWritten...Timestamp.latestWritten).contains(self) else { return nil }
    if roundsUp, reader.isFiner, self < Timestamp.latestWritten { self.milliseconds += 1 }
  }
}

/// A cursor over the text of one time; each step takes what it names or answers nil.
private struct TimestampReader {
  let bytes: [UInt8]
  private var place = 0
  /// The fraction says more than milliseconds.
  private(set) var isFiner = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The byte at which it stands; nil: the text is over.
  var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// The whole form, as milliseconds since 1970.
  mutating func dateTime() -> Int64? {
    guard let days = date(), take("T", or: "t"), let seconds = timeOfDay(), let fraction = fraction(),
      let offset = zone()
    else { return nil }
    return (days * 86_400 + seconds - offset) * 1000 + fraction
  }

  /// `YYYY-MM-DD` as days since 1970.
  private mutating func date() -> Int64? {
    guard let year = number(digits: 4, in: 1...9999), take("-"),
      let month = number(digits: 2, in: 1...12), take("-"),
      let day = number(digits: 2, in: 1...CivilDate.length(ofMonth: month, year: Int64(year)))
    else { return nil }
    return CivilDate.days(year: Int64(year), month: month, day: day)
  }

  /// `hh:mm:ss` as seconds.
  private mutating func timeOfDay() -> Int64? {
    guard let hour = number(digits: 2, in: 0...23), take(":"), let minute = number(digits: 2, in: 0...59),
      take(":"), let second = number(digits: 2, in: 0...60)
    else { return nil }
    return Int64(hour * 3600 + minute * 60 + second)
  }

  /// A point and digits as milliseconds, or 0 if there is no point.
  private mutating func fraction() -> Int64? {
    guard take(".") else { return 0 }
    var value: Int64 = 0
    var digits = 0
    while let digit = next, (0x30...0x39).contains(digit) {
      if digits < 3 { value = value * 10 + Int64(digit &- 0x30) } else if digit != 0x30 { isFiner = true }
      digits += 1
      place += 1
    }
    guard digits > 0 else { return nil }
    for _ in min(digits, 3)..<3 { value *= 10 }
    return value
  }

  /// `Z` or `±hh:mm` as seconds east of UTC.
  private mutating func zone() -> Int64? {
    if take("Z", or: "z") { return 0 }
    let east = take("+")
    guard east || take("-"), let hour = number(digits: 2, in: 0...23), take(":"),
      let minute = number(digits: 2, in: 0...59)
    else { return nil }
    let seconds = Int64(hour * 3600 + minute * 60)
    return east ? seconds : -seconds
  }

  private mutating func number(digits: Int, in range: ClosedRange<Int>) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = next, (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit &- 0x30)
      place += 1
    }
    return range.contains(value) ? value : nil
  }

  private mutating func take(_ scalar: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
    guard let byte = next, byte == UInt8(ascii: scalar) || other.map({ byte == UInt8(ascii: $0) }) == true
    else { return false }
    place += 1
    return true
  }
}
