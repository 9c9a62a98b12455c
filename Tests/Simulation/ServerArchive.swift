import Clocks
import XML
import XMPPCore

/// The archive that a server keeps of one user's messages (XEP-0313), in the order in which they came.
struct ServerArchive {
  struct Item {
    var id: String
    let stamp: String
    let time: Timestamp
    /// The message, in `jabber:client`, without the archive's id.
    let xml: String
    /// Of what somebody wrote to the user, or another device of the user's wrote.
    let parcel: String?
    /// Of what the client here wrote: the stanza's id.
    let sent: String?
  }

  private(set) var items: [Item] = []
  private var lastNumber = 0
  /// Stamps are of whole seconds, as with many servers.
  let isCoarse: Bool
  /// True if no page is marked as the last one.
  let completesNothing: Bool
  /// How often it was rebuilt.
  private var generation: Int

  /// - Parameter generation: of all archives that the address has had: no two give the same ids.
  init(isCoarse: Bool, completesNothing: Bool, generation: Int = 0) {
    (self.isCoarse, self.completesNothing, self.generation) = (isCoarse, completesNothing, generation)
  }

  /// Keeps a message and says under which id.
  @discardableResult
  mutating func add(_ xml: String, at time: Timestamp, parcel: String? = nil, sent: String? = nil) -> String {
    let id = freshID()
    let stamp = isCoarse ? time.wholeSeconds : "\(time)"
    let stated = Timestamp(milliseconds: isCoarse ? time.milliseconds / 1000 * 1000 : time.milliseconds)
    items.append(Item(id: id, stamp: stamp, time: stated, xml: xml, parcel: parcel, sent: sent))
    return id
  }

  /// Something else stands in place of a message.
  mutating func replace(_ id: String, by xml: String) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return }
    let old = items[index]
    items[index] = Item(id: id, stamp: old.stamp, time: old.time, xml: xml, parcel: nil, sent: nil)
  }

  private mutating func freshID() -> String {
    lastNumber += 1
    return generation == 0 ? "a\(lastNumber)" : "a-\(generation)-\(lastNumber)"
  }

  /// Rebuilds it from its messages, under new ids.
  mutating func rebuild() {
    generation += 1
    for index in items.indices { items[index].id = freshID() }
  }

  /// What is older than that many is not kept any more.
  mutating func expire(_ count: Int) { items.removeFirst(min(count, items.count)) }

  /// What a question is answered: the results in order, then the `<fin/>`; nil: from where it is to go on is not known.
  func answer(_ query: Element, from jid: String, pageSize: Int) -> (results: [String], end: String)? {
    let set = query.child("set", Namespace.resultSets)
    let size = min(pageSize, set?.child("max", Namespace.resultSets).flatMap { Int($0.text) } ?? pageSize)
    guard let range = range(after: text("after", set), before: text("before", set)) else { return nil }
    let start = Self.start(of: query)
    let found = items[range].filter { item in start.map { $0 <= item.time } ?? true }
    let isBackwards = set?.child("before", Namespace.resultSets) != nil
    let page = isBackwards ? Array(found.suffix(size)) : Array(found.prefix(size))
    let token = query.attribute("queryid") ?? ""
    return (page.map { result($0, token, from: jid) }, end(page, isComplete: found.count <= size && !completesNothing))
  }

  private func range(after: String?, before: String?) -> Range<Int>? {
    var range = items.startIndex..<items.endIndex
    if let after {
      guard let index = items.firstIndex(where: { $0.id == after }) else { return nil }
      range = index + 1..<range.upperBound
    }
    if let before, !before.isEmpty {
      guard let index = items.firstIndex(where: { $0.id == before }), index >= range.lowerBound else { return nil }
      range = range.lowerBound..<index
    }
    return range
  }

  /// The beginning of ids in a rebuilt archive.
  static let markOfRebuilt = "' id='a-"

  static func text(_ name: StaticString, of query: Element) -> String? {
    query.child("set", Namespace.resultSets)?.child(name, Namespace.resultSets)?.text
  }

  /// True if the query asks only for the newest message.
  static func isForNewest(_ query: Element) -> Bool { text("before", of: query) == "" && text("max", of: query) == "1" }

  /// The number of messages before the one with this id.
  func place(of id: String) -> Int? { items.firstIndex { $0.id == id } }

  private func text(_ name: StaticString, _ set: Element?) -> String? {
    set?.child(name, Namespace.resultSets)?.text
  }

  private static func start(of query: Element) -> Timestamp? {
    guard let form = query.child("x", Namespace.dataForms) else { return nil }
    return form.children.first { $0.attribute("var", equals: "start") }?.child("value", Namespace.dataForms)
      .flatMap { Timestamp(rfc3339: $0.text) }
  }

  private func result(_ item: Item, _ token: String, from jid: String) -> String {
    "<message from='\(jid)'><result xmlns='urn:xmpp:mam:2' queryid='\(token)' id='\(item.id)'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='\(item.stamp)'/>\(item.xml)"
      + "</forwarded></result></message>"
  }

  private func end(_ page: [Item], isComplete: Bool) -> String {
    let bounds = page.first.map { "<first>\($0.id)</first><last>\(page.last?.id ?? "")</last>" } ?? ""
    return "<fin xmlns='urn:xmpp:mam:2'\(isComplete ? " complete='true'" : "")>"
      + "<set xmlns='http://jabber.org/protocol/rsm'>\(bounds)</set></fin>"
  }
}
