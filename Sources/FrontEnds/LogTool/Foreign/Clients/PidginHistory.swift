import Records

/// Pidgin's and Finch's logs (`~/.purple/logs/jabber/ACCOUNT/JID/2024-05-01.180000+0200CEST.html`, or `.txt`), one for each
/// time that a conversation was open; `JID.chat` is a room. A line has the time of day, and the file's name the day and
/// the zone. There are no ids, and corrections are messages of their own.
enum PidginHistory {
  static func read(
    _ path: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(HistoryFailure) {
    for file in try HistoryFiles.below(path) {
      guard let conversation = Conversation(file, surroundings) else { continue }
      guard var clock = PidginClock(HistoryFiles.name(of: file), surroundings.clock) else {
        sink.reject(ForeignPlace(file: file, line: 0), "its name is not a time")
        continue
      }
      try conversation.read(&clock, surroundings, &sink)
    }
  }

  /// One file.
  private struct Conversation {
    let file: String
    let jid: String
    let isRoom: Bool
    let isHTML: Bool
    /// The account's name as the path has it.
    let owner: String

    init?(_ file: String, _ surroundings: HistorySurroundings) {
      let parts = file.split(separator: "/").map(String.init)
      guard parts.count >= 3, file.hasSuffix(".html") || file.hasSuffix(".txt") else { return nil }
      let name = parts[parts.count - 2]
      guard name != ".system", name.contains("@") else { return nil }
      (self.file, isHTML, isRoom) = (file, file.hasSuffix(".html"), name.hasSuffix(".chat"))
      jid = PercentEscapes.decoded(isRoom ? String(name.dropLast(5)) : name)
      let account = PercentEscapes.decoded(parts[parts.count - 3])
      owner = account.contains("@") ? account : surroundings.owner ?? account
    }

    func read(
      _ clock: inout PidginClock, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
    ) throws(HistoryFailure) {
      var lines = try HistoryLines(file)
      var open: ForeignMessage?
      var ownNames: Set<String> = [owner, String(owner.prefix { $0 != "/" })]
      while let line = try lines.next() {
        let place = ForeignPlace(file: file, line: line.number)
        guard let text = line.bytes.flatMap({ String(validating: $0, as: UTF8.self) }) else {
          sink.reject(place, "it is not UTF-8, or too long")
          continue
        }
        if line.number == 1 {
          guard text.contains("Conversation with") || text.contains("<title>") || text.contains("<h") else {
            sink.reject(place, "it is not the beginning of a log of Pidgin")
            return
          }
          continue
        }
        let entry = isHTML ? PidginLine(html: text) : PidginLine(plain: text)
        guard let entry else {
          if !isHTML, !text.isEmpty { open?.text += "\n" + text }
          if isHTML, !text.isEmpty, !text.hasPrefix("</") { sink.reject(place, "it is not a line of a log of Pidgin") }
          continue
        }
        if let message = open { try sink.take(message) }
        open = nil
        guard let time = clock.time(entry.time) else {
          sink.reject(place, "its time is in a form of another language")
          continue
        }
        guard let name = entry.name else {
          sink.pass()
          continue
        }
        if entry.isSent { ownNames.insert(name) }
        let isMine = entry.isSent || ownNames.contains(name) || surroundings.isOwn(name, nil)
        var message = ForeignMessage(
          owner: owner, conversation: jid, isMine: isMine, time: time, text: entry.text, place: place)
        if isRoom { (message.kind, message.nick) = (.room, name) }
        if !isRoom, jid.contains("/") { message.kind = .occupant }
        open = message
      }
      if let message = open { try sink.take(message) }
    }
  }
}

/// The days of the times of day in a file.
struct PidginClock {
  private let clock: HistoryClock
  /// Seconds east of UTC that the file's name says.
  private let zone: Int64?
  /// Local seconds since 1970, when the conversation was opened and of the last line.
  private let start: Int64
  private var last: Int64

  /// - Parameter name: of the file.
  init?(_ name: String, _ clock: HistoryClock) {
    var digits = TimeDigits(Array(name.utf8)[...])
    guard let day = digits.date("-"), digits.skip("."), let seconds = digits.timeOfDay("") else { return nil }
    (self.clock, zone) = (clock, digits.zone())
    (start, last) = (day + seconds, day + seconds)
  }

  /// Milliseconds since 1970 of the next line; nil: it cannot be read.
  mutating func time(_ text: Substring) -> Int64? {
    guard let local = local(text) else { return nil }
    return zone.map { (local - $0) * 1000 } ?? clock.milliseconds(ofLocal: local)
  }

  private mutating func local(_ text: Substring) -> Int64? {
    var digits = TimeDigits(Array(text.utf8)[...])
    if let day = digits.date("-") {
      guard digits.skip(" ") || digits.skip("T"), let seconds = digits.timeOfDay(":") else { return nil }
      return day + seconds
    }
    digits = TimeDigits(Array(text.utf8)[...])
    guard var seconds = digits.timeOfDay(":") else { return nil }
    if digits.skip(" PM"), seconds < 43_200 { seconds += 43_200 }
    if text.hasSuffix(" AM"), seconds >= 43_200 { seconds -= 43_200 }
    var local = last - last % 86_400 + seconds
    if last <= start {
      // A room's history is of before.
      if local > start + 43_200 { local -= 86_400 } else if local < start - 43_200 { local += 86_400 }
    } else if local < last - 3600 {
      local += 86_400
    }
    last = local
    return local
  }
}
