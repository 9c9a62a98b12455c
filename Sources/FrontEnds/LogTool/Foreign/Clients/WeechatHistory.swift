import Records

/// WeeChat's logs (`~/.local/share/weechat/logs`), of plugins that name a buffer by a JID:
/// `2024-05-01 18:00:00<TAB>nick<TAB>text` in `python.SERVER.bob@example.org.weechatlog`. Times are local, authors are nicks
/// alone: mine by the table of nicks or my JID's local part. There are no ids.
enum WeechatHistory {
  private static let ending = ".weechatlog"
  /// Prefixes of lines that are no messages.
  private static let notices: Set = ["-->", "<--", "--", "=!=", "***"]

  static func read(
    _ path: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(HistoryFailure) {
    for file in try HistoryFiles.below(path) {
      let name = HistoryFiles.name(of: file)
      guard name.hasSuffix(ending), let jid = jid(name.dropLast(ending.count), surroundings) else { continue }
      let isRoom = try isRoom(file, jid, surroundings)
      var lines = try HistoryLines(file)
      var open: ForeignMessage?
      while let line = try lines.next() {
        let place = ForeignPlace(file: file, line: line.number)
        guard let bytes = line.bytes, let entry = Entry(bytes, surroundings.clock) else {
          if line.bytes?.isEmpty != true { sink.reject(place, "it is not a line of a log, or not UTF-8") }
          continue
        }
        if entry.prefix.isEmpty, open?.time == entry.time {
          open?.text += "\n" + entry.text
          continue
        }
        if let message = open { try sink.take(message) }
        open = message(entry, jid, isRoom, surroundings, place)
        if open == nil { sink.pass() }
      }
      if let message = open { try sink.take(message) }
    }
  }

  /// The JID of a log's conversation: behind the plugin and the server, or what the table has for that.
  private static func jid(_ name: Substring, _ surroundings: HistorySurroundings) -> String? {
    let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard let plugin = parts.first, plugin == "python" || plugin == "xmpp", parts.count > 1 else { return nil }
    let names = [parts[parts.count - 1], name.dropFirst(plugin.count + 1)].map(String.init)
    return names.lazy.compactMap { surroundings.nicks[$0] }.first ?? names.first { $0.contains("@") }
  }

  /// True of a log with joinings, or with three authors.
  private static func isRoom(
    _ file: String, _ jid: String, _ surroundings: HistorySurroundings
  ) throws(HistoryFailure) -> Bool {
    if surroundings.isRoom(jid) { return true }
    var lines = try HistoryLines(file)
    var authors: Set<String> = []
    while authors.count < 3, let line = try lines.next() {
      guard let entry = line.bytes.flatMap({ Entry($0, surroundings.clock) }), !entry.prefix.isEmpty,
        !notices.contains(entry.prefix), entry.prefix != " *"
      else { continue }
      authors.insert(entry.prefix)
    }
    return authors.count > 2
  }

  private static func message(
    _ entry: Entry, _ jid: String, _ isRoom: Bool, _ surroundings: HistorySurroundings, _ place: ForeignPlace
  ) -> ForeignMessage? {
    guard !notices.contains(entry.prefix), !entry.prefix.isEmpty else { return nil }
    var (nick, text) = (entry.prefix, entry.text)
    if nick == " *" {
      // An action: the nick is the first word of the text.
      guard let end = text.firstIndex(of: " ") else { return nil }
      (nick, text) = (String(text[..<end]), "/me " + text[text.index(after: end)...])
    } else if let sign = nick.first, "@+%&~".contains(sign) {
      nick.removeFirst()
    }
    guard !nick.isEmpty else { return nil }
    var message = ForeignMessage(
      owner: surroundings.owner, conversation: jid, isMine: surroundings.isOwn(nick, surroundings.owner),
      time: entry.time, text: text, place: place)
    if isRoom { (message.kind, message.nick) = (.room, nick) }
    return message
  }

  private struct Entry {
    let time: Int64
    let prefix: String
    let text: String

    init?(_ line: [UInt8], _ clock: HistoryClock) {
      var digits = TimeDigits(line[...])
      guard let day = digits.date("-"), digits.skip(" "), let seconds = digits.timeOfDay(":"), digits.skip("\t"),
        let rest = String(validating: digits.rest, as: UTF8.self), let tab = rest.firstIndex(of: "\t")
      else { return nil }
      time = clock.milliseconds(ofLocal: day + seconds)
      (prefix, text) = (String(rest[..<tab]), String(rest[rest.index(after: tab)...]))
    }
  }
}
