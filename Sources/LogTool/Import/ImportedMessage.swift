import Clocks
import JSON
import LineProtocol
import Records

/// Why a line cannot be imported, in words.
struct LineProblem: Error, Equatable {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// One line of `confab log import`: a message object, as `export` and the socket print it.
struct ImportedMessage {
  private(set) var record: MessageRecord
  /// Mine: how far it got.
  private(set) var state = DeliveryState.sent
  private(set) var failure: Failure?
  private(set) var inDoubt = false

  /// - Parameter account: the account of that name in this log; of nil, that of objects that name none.
  init(
    _ line: [UInt8], account: (String?) throws(LineProblem) -> AccountRecord
  ) throws(LineProblem) {
    let object = try ImportedObject(line)
    let account = try account(try object.text("account"))
    let jid = try object.address("conversation", isBare: true)
    guard let time = try object.time("time") else { throw LineProblem("'time' is missing") }
    guard let text = try object.text("text") else { throw LineProblem("'text' is missing") }
    let mine = try object.bool("mine")
    let from = try object.text("from")
    let isUnnamed = mine && from?.isEmpty != false
    let peer = isUnnamed ? account.jid : try object.address("from", isBare: false)
    record = MessageRecord(account: account.number, jid: jid, peer: peer, time: time)
    (record.text, record.mine) = (text, mine)
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

  private mutating func readDetails(_ object: ImportedObject) throws(LineProblem) {
    let originID = try object.text("origin_id").flatMap { $0.isEmpty ? nil : $0 }
    if record.mine { record.stanzaID = originID } else { record.originID = originID }
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
    inDoubt = try object.bool("in_doubt")
    guard let word = try object.text("state") else { return }
    guard let state = DeliveryState.allCases.first(where: { $0.word == word }) else {
      throw LineProblem("'state' is \(SafeText.quoted(word)), which no message has")
    }
    self.state = state == .queued || state == .cancelled ? .failed : state
    guard self.state == .failed else { return }
    failure = try object.failure() ?? Failure(condition: "undefined-condition", text: Self.words(for: state))
  }

  private static func words(for state: DeliveryState) -> String? {
    switch state {
    case .queued: "it had not been sent when it was exported"
    case .cancelled: "it was cancelled"
    default: nil
    }
  }
}

/// The members of a line's object, each taken as what it has to be.
private struct ImportedObject {
  private let value: JSONValue

  init(_ line: [UInt8]) throws(LineProblem) {
    do throws(JSONError) { value = try JSONParser.parse(line) } catch { throw LineProblem(error.reason) }
    guard value.members != nil else { throw LineProblem("it is no JSON object") }
  }

  func text(_ name: String) throws(LineProblem) -> String? {
    guard let member = value[name] else { return nil }
    return try Self.text(member, name)
  }

  func bool(_ name: String) throws(LineProblem) -> Bool {
    guard let member = value[name] else { return false }
    guard let flag = member.bool else { throw LineProblem("'\(name)' is neither true nor false") }
    return flag
  }

  /// Milliseconds since 1970.
  func time(_ name: String) throws(LineProblem) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else { throw LineProblem("'\(name)' is no RFC 3339 time") }
    return time.milliseconds
  }

  func address(_ name: String, isBare: Bool) throws(LineProblem) -> String {
    guard let text = try text(name) else { throw LineProblem("'\(name)' is missing") }
    guard let address = ImportedAddress.normalised(text, isBare: isBare) else {
      throw LineProblem("'\(name)' is no \(isBare ? "bare JID" : "JID")")
    }
    return address
  }

  func failure() throws(LineProblem) -> Failure? {
    guard let member = value["failure"] else { return nil }
    guard
      let condition = try member["condition"].map({ value throws(LineProblem) in try Self.text(value, "condition") })
    else { throw LineProblem("'failure' has no 'condition'") }
    let text = try member["text"].map { value throws(LineProblem) in try Self.text(value, "text") }
    return Failure(condition: condition, text: text)
  }

  private static func text(_ value: JSONValue, _ name: String) throws(LineProblem) -> String {
    guard let text = value.string else { throw LineProblem("'\(name)' is no string") }
    if let position = XMLText.firstForbidden(in: text) {
      throw LineProblem("'\(name)' holds a character that no message can carry, at \(position)")
    }
    return text
  }
}

/// Addresses of an imported file. Those of an export are normalised; of others what is plain ASCII is, and the rest is
/// taken as it stands: the libraries that prepare addresses are no part of the command line.
enum ImportedAddress {
  private static let longestPart = 1023

  static func normalised(_ text: String, isBare: Bool) -> String? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 1 || !isBare, parts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 2 * longestPart + 1 }) else {
      return nil
    }
    let bare = parts[0].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard bare.allSatisfy({ !$0.isEmpty && $0.utf8.count <= longestPart }),
      bare.last?.contains("@") == false, !parts[0].unicodeScalars.contains(where: isForbidden)
    else { return nil }
    let lower = String(decoding: parts[0].utf8.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    return parts.count == 1 ? lower : lower + "/" + parts[1]
  }

  /// RFC 7622, section 3.3.1, and what cannot be seen.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    SafeText.isForbidden(scalar) || scalar.properties.isWhitespace || "\"&'/:<>".unicodeScalars.contains(scalar)
  }
}
