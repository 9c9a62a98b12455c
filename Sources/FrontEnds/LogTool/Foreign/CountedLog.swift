/// Entries of logs as mcabber and poezio write them: `MR 20240501T18:00:00Z 002 text`, where 002 lines of the text follow.
/// Their times are UTC.
struct CountedLog: ~Copyable {
  struct Entry {
    /// `MR`, `MS`, `MI` and others.
    var kind: String
    /// Milliseconds since 1970.
    var time: Int64
    var text: String
    var place: ForeignPlace
  }

  private var lines: HistoryLines
  /// The first byte of a line that continues a text, which is no part of it: poezio's are indented.
  private let indent: UInt8?

  init(_ path: String, indent: UInt8? = nil) throws(HistoryFailure) {
    lines = try HistoryLines(path)
    self.indent = indent
  }

  /// The next entry that can be read; nil at the end. What cannot be read goes to the sink.
  mutating func next(_ sink: inout any HistorySink) throws(HistoryFailure) -> Entry? {
    while let line = try lines.next() {
      let place = ForeignPlace(file: lines.path, line: line.number)
      guard let bytes = line.bytes, let head = Head(bytes) else {
        if line.bytes?.isEmpty != true { sink.reject(place, "it is not the beginning of an entry") }
        continue
      }
      var text = head.text
      guard try readMore(head.lineCount, &text) else {
        sink.reject(place, "the file ends within this entry")
        continue
      }
      guard let text = String(validating: text, as: UTF8.self) else {
        sink.reject(place, "it is not UTF-8")
        continue
      }
      return Entry(kind: head.kind, time: head.time, text: text, place: place)
    }
    return nil
  }

  /// Adds so many lines to a text; false if the file ends before.
  private mutating func readMore(_ count: Int, _ text: inout [UInt8]) throws(HistoryFailure) -> Bool {
    for _ in 0..<count {
      guard let line = try lines.next(), let bytes = line.bytes else { return false }
      text.append(UInt8(ascii: "\n"))
      text += bytes.first == indent && indent != nil ? bytes.dropFirst() : bytes[...]
    }
    return true
  }

  /// The first line of an entry.
  private struct Head {
    let kind: String
    let time: Int64
    let lineCount: Int
    let text: [UInt8]

    init?(_ line: [UInt8]) {
      guard line.count >= 25, line[2] == UInt8(ascii: " ") else { return nil }
      kind = String(decoding: line[..<2], as: UTF8.self)
      var digits = TimeDigits(line[3...])
      guard let day = digits.date(""), digits.skip("T"), let seconds = digits.timeOfDay(":"), digits.skip("Z "),
        let count = digits.number(3), digits.skip(" ")
      else { return nil }
      (time, lineCount, text) = ((day + seconds) * 1000, count, Array(digits.rest))
    }
  }
}
