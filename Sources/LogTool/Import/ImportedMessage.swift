import Clocks
import JSON
import LineProtocol
import Records

/// Why a line cannot be imported, in words.
struct LineProblem: Error, Equatable {
  let reason: String
  /// Nor can any other.
  let endsAll: Bool
  init(_ reason: String, endsAll: Bool = false) { (self.reason, self.endsAll) = (reason, endsAll) }
}

/// One line of `confab log import`: a message object, as `export` and the socket print it.
struct ImportedMessage {
  private(set) var record: MessageRecord
  /// Mine: how far it got.
  private(set) var state = DeliveryState.sent
  private(set) var failure: Failure?
  private(set) var inDoubt = false
  /// Mine: nobody knew yet whether it would leave.
  private(set) var wasQueued = false

  /// - Parameter account: the account of that name in this log; of nil, that of objects that name none.
  init(
    _ line: [UInt8], _ addresses: ImportedAddresses, account: (String?) throws(LineProblem) -> AccountRecord
  ) throws(LineProblem) {
    let object = try ImportedObject(line, addresses)
    let account = try account(try object.text("account"))
    var jid = try object.address("conversation", isBare: true)
    guard let time = try object.time("time") else { throw LineProblem("'time' is missing") }
    guard let text = try object.text("text") else { throw LineProblem("'text' is missing") }
    let mine = try object.bool("mine")
    let from = try object.text("from")
    let isUnnamed = mine && from?.isEmpty != false
    var peer = account.jid
    if !isUnnamed {
      let writer = try object.writer("from", of: mine ? account.jid : jid)
      peer = writer.address
      if !mine { jid = writer.owner }
    }
    if mine, !peer.utf8.contains(UInt8(ascii: "/")), let resource = try object.name("resource") {
      peer = try object.address("resource", of: peer + "/" + resource)
    }
    record = MessageRecord(account: account.number, jid: jid, peer: peer, time: time)
    (record.text, record.mine) = (text, mine)
    try readIDs(object)
    try readDetails(object)
    if mine { try readDelivery(object) }
  }

  /// How far it got, as a record: nil where the message's own says it.
  func delivery(of id: UInt64) -> DeliveryRecord? {
    guard state != .sent || inDoubt else { return nil }
    var delivery = DeliveryRecord(
      account: record.account, jid: record.jid, time: record.time, id: id, state: state, failure: failure)
    delivery.inDoubt = inDoubt
    return delivery
  }

  /// By these the daemon knows a copy of it out of the archive. Where mine says one alone, it is the stanza's too.
  private mutating func readIDs(_ object: ImportedObject) throws(LineProblem) {
    let originID = try object.name("origin_id")
    record.stanzaID = try object.name("stanza_id") ?? (record.mine ? originID : nil)
    record.originID = originID == record.stanzaID ? nil : originID
    record.archiveID = try object.name("archive_id")
    record.depth = try object.depth()
  }

  private mutating func readDetails(_ object: ImportedObject) throws(LineProblem) {
    record.subject = try object.text("subject")
    record.thread = try object.text("thread")
    record.language = try object.text("lang")
    record.delayed = try object.bool("delayed")
    record.claimedTime = try object.time("claimed_time")
    guard let type = try object.text("type") else { return }
    guard ["chat", "normal", "headline"].contains(type) else {
      throw LineProblem("'type' is \(SafeText.quoted(type)); expected chat, normal or headline")
    }
    record.type = type
  }

  /// Whatever it says, nothing of it is ever sent from here.
  private mutating func readDelivery(_ object: ImportedObject) throws(LineProblem) {
    record.elsewhere = true
    record.key = try object.key()
    inDoubt = try object.bool("in_doubt")
    guard let word = try object.text("state") else { return }
    guard let state = DeliveryState.allCases.first(where: { $0.word == word }) else {
      throw LineProblem("'state' is \(SafeText.quoted(word)), which no message has")
    }
    wasQueued = state == .queued
    self.state = wasQueued ? .failed : state
    guard self.state == .failed else { return }
    let words = wasQueued ? "it had not been sent when it was exported" : nil
    failure = try object.failure() ?? Failure(condition: "undefined-condition", text: words)
  }
}

/// The members of a line's object, each taken as what it has to be.
private struct ImportedObject {
  private let value: JSONValue
  private let addresses: ImportedAddresses

  init(_ line: [UInt8], _ addresses: ImportedAddresses) throws(LineProblem) {
    self.addresses = addresses
    do throws(JSONError) { value = try JSONParser.parse(line) } catch { throw LineProblem(error.reason) }
    guard value.members != nil else { throw LineProblem("it is no JSON object") }
  }

  func text(_ name: String) throws(LineProblem) -> String? {
    guard let member = value[name] else { return nil }
    return try Self.text(member, name)
  }

  /// A text that says something; an empty one is none.
  func name(_ name: String) throws(LineProblem) -> String? {
    try text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Its place among those of one time that came out of the archive.
  func depth() throws(LineProblem) -> UInt32 {
    guard let member = value["depth"] else { return 0 }
    guard let depth = member.integer.flatMap({ UInt32(exactly: $0) }), depth < MessageRecord.newestOrder else {
      throw LineProblem("'depth' is no number from 0 to \(MessageRecord.newestOrder - 1)")
    }
    return depth
  }

  func bool(_ name: String) throws(LineProblem) -> Bool {
    guard let member = value[name] else { return false }
    guard let flag = member.bool else { throw LineProblem("'\(name)' is neither true nor false") }
    return flag
  }

  /// What `send key=` takes.
  func key() throws(LineProblem) -> String? {
    guard let key = try name("key") else { return nil }
    guard ValueKind.key.read(key) != nil else { throw LineProblem("'key' is not \(ValueKind.key.expectation)") }
    return key
  }

  /// Milliseconds since 1970.
  func time(_ name: String) throws(LineProblem) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else { throw LineProblem("'\(name)' is no RFC 3339 time") }
    return time.milliseconds
  }

  func address(_ name: String, isBare: Bool) throws(LineProblem) -> String {
    guard let text = try text(name) else { throw LineProblem("'\(name)' is missing") }
    let address = try address(name, of: text)
    guard !isBare || !address.utf8.contains(UInt8(ascii: "/")) else { throw LineProblem("'\(name)' is no bare JID") }
    return address
  }

  /// An address that a member says, prepared.
  func address(_ name: String, of text: String) throws(LineProblem) -> String {
    try naming(name) { () throws(LineProblem) in try addresses.address(text) }
  }

  /// Who wrote, and the bare JID that should be his.
  func writer(_ name: String, of owner: String) throws(LineProblem) -> (address: String, owner: String) {
    guard let text = try text(name) else { throw LineProblem("'\(name)' is missing") }
    return try naming(name) { () throws(LineProblem) in try addresses.writer(text, of: owner) }
  }

  private func naming<R>(_ name: String, _ body: () throws(LineProblem) -> R) throws(LineProblem) -> R {
    do throws(LineProblem) {
      return try body()
    } catch {
      throw error.endsAll ? error : LineProblem("'\(name)' is no JID: \(error.reason)")
    }
  }

  func failure() throws(LineProblem) -> Failure? {
    guard let member = value["failure"] else { return nil }
    guard member.members != nil else { throw LineProblem("'failure' is no object") }
    func text(_ name: String) throws(LineProblem) -> String? {
      try member[name].map { value throws(LineProblem) in try Self.text(value, "failure." + name) }
    }
    guard let condition = try text("condition") else { throw LineProblem("'failure.condition' is missing") }
    guard Failure.conditions.contains(condition) else {
      throw LineProblem("'failure.condition' is \(SafeText.quoted(condition)), which no failure has")
    }
    return Failure(condition: condition, text: try text("text"))
  }

  private static func text(_ value: JSONValue, _ name: String) throws(LineProblem) -> String {
    guard let text = value.string else { throw LineProblem("'\(name)' is no string") }
    if let position = XMLText.firstForbidden(in: text) {
      throw LineProblem("'\(name)' holds a character that no message can carry, at \(position)")
    }
    return text
  }
}
