import Clocks

/// The archive of a scripted server's account (XEP-0313), and how it misbehaves.
struct ScriptedArchive {
  struct Item {
    var id: String
    /// RFC 3339.
    var stamp: String
    /// The message, in `jabber:client`.
    var xml: String
  }

  var items: [Item] = []
  /// The most results that it gives at once.
  var pageSize = 50
  /// How many questions it still answers; then it keeps silent.
  var patience = Int.max
  /// After so many more pages it does not keep what it has just shown.
  var forgets = 0
  /// The default of its preferences; nil: it has no preferences.
  var keeps: String? = "always"
  /// JIDs whose messages it never keeps.
  var never: [String] = []
  /// True if it leaves requests for its preferences unanswered.
  var hidesPreferences = false
  /// The error for an unknown id; nil: it answers with an empty page.
  var unknown: String? = "item-not-found"
  /// True if it marks no page as complete.
  var neverCompletes = false
  /// Says this to every question instead of what it should; `$token`, `$id`.
  var says: String?
  /// Every question, as it came.
  private(set) var asked: [String] = []

  /// Adds somebody's message to alice.
  mutating func add(
    _ text: String, at stamp: String, id: String? = nil, from: String = "bob@example.org/x",
    to: String = "alice@example.org", stanzaID: String? = nil, more: String = ""
  ) {
    let number = items.count + 1
    let xml =
      "<message xmlns='jabber:client' type='chat' from='\(from)' to='\(to)' id='\(stanzaID ?? "m\(number)")'>"
      + "<body>\(text)</body>\(more)</message>"
    items.append(Item(id: id ?? "a\(number)", stamp: stamp, xml: xml))
  }

  mutating func answers(to text: String, jid: String) -> [String] {
    text.components("<iq").dropFirst().filter { $0.contains("<query xmlns='urn:xmpp:mam:2'") }
      .flatMap { answer("<iq" + $0, jid) }
  }

  /// The answer with its preferences (XEP-0441).
  func preferences(asked text: String, jid: String) -> [String] {
    text.components("<iq").dropFirst().filter { $0.contains("<prefs xmlns='urn:xmpp:mam:2'") && !hidesPreferences }.map
    {
      let id = ScriptedStream.value(of: "id", in: $0) ?? ""
      guard let keeps else {
        return "<iq type='error' id='\(id)' from='\(jid)'><error type='cancel'>"
          + "<feature-not-implemented xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
      }
      let jids = never.map { "<jid>\($0)</jid>" }.joined()
      return "<iq type='result' id='\(id)' from='\(jid)'><prefs xmlns='urn:xmpp:mam:2' default='\(keeps)'><always/>"
        + "<never>\(jids)</never></prefs></iq>"
    }
  }

  private mutating func answer(_ request: String, _ jid: String) -> [String] {
    asked.append(request)
    patience -= 1
    guard patience >= 0 else { return [] }
    defer { if forgets > 0 { forget(request) } }
    return answer(to: request, jid)
  }

  private mutating func forget(_ request: String) {
    forgets -= 1
    let shown = Set(page(request)?.items.map(\.id) ?? [])
    items.removeAll { shown.contains($0.id) }
  }

  /// The answer to the last question, a string for each stanza.
  func owed(to jid: String) -> [String] { asked.last.map { answer(to: $0, jid) } ?? [] }

  private func answer(to request: String, _ jid: String) -> [String] {
    let (id, token) = (Self.value("<iq", "id", request), Self.value("<query", "queryid", request))
    if let says { return [says.replacing("$id", with: id).replacing("$token", with: token)] }
    guard let page = page(request) ?? (unknown == nil ? ([], true) : nil) else {
      return [
        "<iq type='error' id='\(id)' from='\(jid)'><error type='cancel'>"
          + "<\(unknown ?? "") xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
      ]
    }
    let results = page.items.map { Self.result($0, token: token, from: jid) }
    let bounds = page.items.first.map { "<first>\($0.id)</first><last>\(page.items.last?.id ?? "")</last>" } ?? ""
    let complete = page.isComplete && !neverCompletes ? " complete='true'" : ""
    let end =
      "<iq type='result' id='\(id)' from='\(jid)'><fin xmlns='urn:xmpp:mam:2'\(complete)>"
      + "<set xmlns='http://jabber.org/protocol/rsm'>\(bounds)</set></fin></iq>"
    return results + [end]
  }

  static func result(_ item: Item, token: String, from: String) -> String {
    "<message from='\(from)'><result xmlns='urn:xmpp:mam:2' queryid='\(token)' id='\(item.id)'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='\(item.stamp)'/>\(item.xml)"
      + "</forwarded></result></message>"
  }

  /// Nil where it does not know from where to go on.
  private func page(_ request: String) -> (items: [Item], isComplete: Bool)? {
    let size = min(pageSize, Int(Self.content("max", request) ?? "") ?? pageSize)
    let start = request.contains("'start'") ? Self.content("value", request.components("'start'")[1]) : nil
    var range = items.startIndex..<items.endIndex
    if let after = Self.content("after", request) {
      guard let index = items.firstIndex(where: { $0.id == after }) else { return nil }
      range = index + 1..<items.endIndex
    }
    if let before = Self.content("before", request) {
      guard let index = items.firstIndex(where: { $0.id == before }) else { return nil }
      range = items.startIndex..<index
    }
    let from = start.flatMap { Timestamp(rfc3339: $0) }
    let found = items[range].filter { item in from.map { $0 <= Timestamp(rfc3339: item.stamp) ?? $0 } ?? true }
    let isBackwards = request.contains("<before")
    return (isBackwards ? found.suffix(size) : Array(found.prefix(size)), found.count <= size)
  }

  private static func value(_ element: String, _ attribute: String, _ text: String) -> String {
    text.components(element).dropFirst().first.flatMap { ScriptedStream.value(of: attribute, in: $0) } ?? ""
  }

  static func content(_ element: String, _ text: String) -> String? {
    text.components("<\(element)>").dropFirst().first?.components("</\(element)>").first
  }
}
