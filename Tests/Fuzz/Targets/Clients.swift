import ConfabAccounts
import JSON

/// The front ends: what they asked, and what they were answered.
final class Clients {
  /// They read what they are sent by themselves.
  var areQuick = true
  private(set) var all: [ClientID: FrontEnd] = [:]
  private var lastID: UInt64 = 0
  private var lastTag = 0

  /// One front end.
  final class FrontEnd {
    let id: ClientID
    /// What was asked and has no final line yet, by its tag.
    var asked: [String: String] = [:]
    /// Tags that have theirs.
    var answered: Set<String> = []
    /// What was asked behind bytes that nobody knows, or behind `quit`, may be part of something else.
    var isKnown = true
    var undrained = 0
    var untaken = 0
    var isPaused = false
    var partial: [UInt8] = []
    init(_ id: ClientID) { self.id = id }
  }

  /// The front end in this place; nil where there is none.
  func at(_ place: Int) -> FrontEnd? {
    let ids = all.keys.sorted { $0.number < $1.number }
    return ids.isEmpty ? nil : all[ids[place % ids.count]]
  }

  func connect() -> Event? {
    guard all.count < 4 else { return nil }
    lastID += 1
    let id = ClientID(lastID)
    all[id] = FrontEnd(id)
    return .client(id, .connected(Caller(user: 1000)))
  }

  func forgetAll() { all = [:] }

  /// A request with a tag of its own, of a template with `%` where options stand.
  func ask(_ client: FrontEnd, _ template: String) -> Event {
    lastTag += 1
    let tag = "t\(lastTag)"
    let words = template.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    let line = words.count == 2 ? "\(words[0])tag=\(tag) \(words[1])\n" : "\(template) tag=\(tag)\n"
    if client.isKnown { client.asked[tag] = line }
    if template.hasPrefix("quit") { client.isKnown = false }
    return .client(client.id, .received(Array(line.utf8)))
  }

  func send(_ client: FrontEnd, _ bytes: [UInt8]) -> Event {
    client.isKnown = false
    return .client(client.id, .received(bytes))
  }

  func close(_ client: FrontEnd) -> Event {
    all[client.id] = nil
    return .client(client.id, .closed)
  }

  func end(_ client: FrontEnd) -> Event {
    client.isKnown = false
    return .client(client.id, .endOfInput)
  }

  /// What it asked, before that too, is not answered any more, but done.
  func failWrites(_ client: FrontEnd) -> Event {
    client.isKnown = false
    client.asked = [:]
    return .client(client.id, .writeFailed)
  }

  func drain(_ client: FrontEnd) -> Event? {
    guard client.undrained > 0 else { return nil }
    client.undrained = 0
    return .client(client.id, .drained)
  }

  private func takeDescriptors(_ client: FrontEnd) -> Event? {
    guard client.untaken > 0 else { return nil }
    defer { client.untaken = 0 }
    return .client(client.id, .descriptorsTaken(client.untaken))
  }

  func nextEvent() -> Event? {
    guard areQuick else { return nil }
    for client in all.values where client.untaken > 0 { return takeDescriptors(client) }
    for client in all.values where client.undrained > 0 { return drain(client) }
    return nil
  }

  func perform(_ action: ClientAction, _ id: ClientID, durable: UInt64) {
    guard let client = all[id] else { return hold(false, "a front end that is gone is left alone: \(action)") }
    switch action {
    case .write(let bytes): read(bytes, client, durable)
    case .writePassing(let bytes, _):
      client.untaken += 1
      read(bytes, client, durable)
    case .pause, .resume:
      let pauses = if case .pause = action { true } else { false }
      hold(client.isPaused != pauses, "a pause is followed by its end")
      client.isPaused = pauses
    case .close, .rejectAndClose: all[id] = nil
    }
  }

  private func read(_ bytes: [UInt8], _ client: FrontEnd, _ durable: UInt64) {
    client.undrained += bytes.count
    hold(client.undrained < 2 << 20, "what a front end does not read is not made")
    client.partial += bytes
    while let end = client.partial.firstIndex(of: 0x0A) {
      let line = Array(client.partial[..<end])
      client.partial.removeSubrange(...end)
      guard let value = try? JSONParser.parse(line, maximumDepth: 64) else {
        return hold(false, "a line is JSON: \(String(decoding: line, as: UTF8.self))")
      }
      check(value, client, durable)
    }
  }

  /// A line speaks of what is durable, and answers each request once.
  private func check(_ line: JSONValue, _ client: FrontEnd, _ durable: UInt64) {
    for number in [line["seq"], line["last"], line["id"], line["message"]?["id"]].compactMap({ $0?.integer }) {
      hold(number <= durable, "\(number) is told and \(durable) is durable: \(line)")
    }
    guard line["ok"] != nil, let tag = line["tag"]?.string else { return }
    if client.asked.removeValue(forKey: tag) != nil {
      client.answered.insert(tag)
    } else {
      hold(!client.answered.contains(tag), "\(tag) is answered once")
    }
  }

  /// Every request of a front end that is still there has its answer.
  func checkAllAnswered() {
    for client in all.values {
      hold(client.asked.isEmpty, "every request is answered: \(client.asked.values.sorted())")
    }
  }
}
