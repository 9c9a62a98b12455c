import Clocks
import XML
import XMPPCore

/// Sends iq requests to our own server and account, and knows what their answers are for.
final class Requests {
  private let stream: ReliableStream
  private let effects: Effects
  var pending: PendingIQs
  /// The id and the start tags of the answer that is coming in parts; nil if none is.
  private var parted: (id: String, start: Element)?

  init(_ stream: ReliableStream, _ effects: Effects) {
    (self.stream, self.effects) = (stream, effects)
    pending = PendingIQs(prefix: effects.token(bytes: 9))
  }

  /// A new stream: no answer to an earlier request comes.
  func reset() {
    parted = nil
    let inquiries = pending.takeInquiries()
    pending = PendingIQs(prefix: effects.token(bytes: 9))
    for inquiry in inquiries { inquiry.answered(.missing(.disconnected)) }
  }

  /// Sends a request; `stanza` makes it from its id, which is returned.
  @discardableResult
  func send(_ purpose: PendingIQs.Purpose, _ stanza: (String) -> [UInt8]) -> String {
    let id = pending.register(purpose, at: effects.now.instant)
    stream.send(stanza(id))
    return id
  }

  /// Sends a request whose answer only the part that sends it understands.
  ///
  /// - Parameters:
  ///   - jid: whom it is for, whose answer alone counts; nil: our own account.
  ///   - isOfClient: a client waits for it, but no longer than for the end of the link.
  func ask(
    _ jid: JID? = nil, isOfClient: Bool = false, _ stanza: (String) -> [UInt8],
    then answered: @escaping (IQAnswer) -> Void
  ) {
    send(.inquiry(Inquiry(jid: jid, isOfClient: isOfClient, answered: answered)), stanza)
  }

  /// Sends a request that changes nothing, and that messages wait for: where the stream is resumed without its answer,
  /// it is sent again. ejabberd 23.01 loses what comes while a stream is resumed.
  func askUntilAnswered(
    _ jid: JID?, isOfClient: Bool = false, _ stanza: @escaping (String) -> [UInt8],
    then answered: @escaping (IQAnswer) -> Void
  ) {
    send(.inquiry(Inquiry(jid: jid, isOfClient: isOfClient, again: stanza, answered: answered)), stanza)
  }

  /// The stream is resumed: what may be asked twice is, under its id, so that the first answer is taken.
  func askAgain() { for stanza in pending.unanswered { stream.send(stanza) } }

  /// Sends a request to our own account whose answer may be large: it comes in parts, and `answered` gets its start
  /// tags.
  ///
  /// - Parameter takePart: takes each child of the iq's child. An answer without children comes whole.
  func askInParts(
    isOfClient: Bool, _ stanza: (String) -> [UInt8], takePart: @escaping (Element) -> Void,
    then answered: @escaping (IQAnswer) -> Void
  ) {
    send(.inquiry(Inquiry(jid: nil, isOfClient: isOfClient, takePart: takePart, answered: answered)), stanza)
  }

  // MARK: - Answers in parts

  /// An answer begins that comes in parts.
  func begin(_ element: Element, own: JID) {
    parted = StanzaHeader(element).flatMap { pending.partedInquiry($0, own: own) }.map { ($0, element) }
  }

  /// Takes a part of it.
  func receivePart(_ element: Element) {
    guard let parted else { return }
    pending.renew(parted.id, at: effects.now.instant)
    pending.inquiry(parted.id)?.takePart?(element)
  }

  /// All parts have come.
  func end() {
    guard let parted = parted.take() else { return }
    pending.takeInquiry(parted.id)?.answered(.result(parted.start))
  }
}

/// A request whose answer only the part that sent it understands.
struct Inquiry {
  /// The recipient; nil: our own account.
  let jid: JID?
  let isOfClient: Bool
  /// Takes each part of an answer that comes in parts; nil: the answer comes whole.
  var takePart: ((Element) -> Void)?
  /// Makes the request from its id, to be sent again; nil: it is sent once.
  var again: ((String) -> [UInt8])?
  /// Is called once.
  let answered: (IQAnswer) -> Void
}

/// How a request was answered.
enum IQAnswer {
  case result(Element)
  case error(Element)
  /// No answer came: the time ran out, or the link or the stream ended.
  case missing(TicketOutcome)

  /// The answer itself, whatever it says.
  var stanza: Element? {
    switch self {
    case .result(let iq), .error(let iq): iq
    case .missing: nil
    }
  }

  /// For a client: what it was refused, or that it was done.
  var outcome: TicketOutcome { outcome { _ in .done(0) } }

  /// For a client: what it was refused, or what `read` makes of the result.
  func outcome(_ read: (Element) -> TicketOutcome) -> TicketOutcome {
    switch self {
    case .result(let iq): read(iq)
    case .error(let iq): .refused(StanzaError(parsing: iq).sentence)
    case .missing(let outcome): outcome
    }
  }
}

/// The iq requests (get and set) that wait for an answer, by id.
struct PendingIQs {
  /// The handler of the answer.
  enum Purpose {
    case roster
    /// A ping that went out behind messages, without stream management: its answer says that they arrived.
    case ping(upTo: UInt64)
    /// The features of our server or our account.
    case features(ServerFeatures.Subject)
    /// A page of an archive, by the token of the question; nil: of our own.
    case archive(token: String, of: JID?)
    /// The preferences of our archive (XEP-0441).
    case archivePreferences
    case inquiry(Inquiry)
  }

  /// How long an answer may take.
  static let patience = Interval.seconds(30)

  private struct Request {
    let purpose: Purpose
    var deadline: Instant
    let number: UInt64
  }

  private var byID: [String: Request] = [:]
  /// The id of the last roster request; `isRosterPending` says whether it is unanswered.
  private(set) var rosterID: String?
  private let prefix: String
  private var count: UInt64 = 0

  /// `prefix` is random, so that no stranger can guess an id.
  init(prefix: String) { self.prefix = prefix }

  var deadline: Instant? { byID.values.lazy.map(\.deadline).min() }

  /// Registers a request and gives it its id.
  mutating func register(_ purpose: Purpose, at now: Instant) -> String {
    count += 1
    let id = "\(prefix)-\(count)"
    byID[id] = Request(purpose: purpose, deadline: now.advanced(by: Self.patience), number: count)
    if purpose.isRoster { rosterID = id }
    return id
  }

  /// A request that was taken as overdue is waited for once more.
  mutating func putBack(_ purpose: Purpose, as id: String, at now: Instant) {
    count += 1
    byID[id] = Request(purpose: purpose, deadline: now.advanced(by: Self.patience), number: count)
  }

  /// Takes the request that an answer belongs to: the id is ours and the sender is who was asked: a contact, or our own
  /// account or its server (RFC 6120, 8.1.2.1: an absent `from` is our account).
  mutating func take(_ header: StanzaHeader, own: JID) -> Purpose? {
    guard let id = header.id, let entry = byID[id] else { return nil }
    guard entry.purpose.contact.map({ header.fromJID == $0 }) ?? isOwn(header, own) else { return nil }
    byID[id] = nil
    return entry.purpose
  }

  /// True if a stanza answers the last roster request. The request stays pending until `takeRoster`.
  func isRoster(_ header: StanzaHeader, own: JID) -> Bool {
    header.id == rosterID && isRosterPending && isOwn(header, own)
  }

  /// The ids of the requests whose answers come in parts.
  var partedIDs: [String] {
    let inquiries = byID.filter { $0.value.purpose.inquiry?.takePart != nil }
    return [rosterID].compactMap(\.self) + inquiries.keys.sorted()
  }

  /// The id of the request that a stanza answers in parts; it stays pending.
  func partedInquiry(_ header: StanzaHeader, own: JID) -> String? {
    header.id.flatMap { inquiry($0)?.takePart != nil && isOwn(header, own) ? $0 : nil }
  }

  /// The requests that are sent again, in the order in which they were asked.
  var unanswered: [[UInt8]] {
    byID.sorted { $0.value.number < $1.value.number }.compactMap { id, request in
      request.purpose.inquiry?.again?(id)
    }
  }

  /// The request with an id whose answer only the part that sent it understands; it stays pending.
  func inquiry(_ id: String) -> Inquiry? { byID[id]?.purpose.inquiry }

  /// Removes the roster request; false if it was not pending.
  mutating func takeRoster() -> Bool { rosterID.flatMap { byID.removeValue(forKey: $0) } != nil }

  /// All have their whole time again.
  mutating func renew(at now: Instant) {
    for id in byID.keys { byID[id]?.deadline = now.advanced(by: Self.patience) }
  }

  /// The answer has begun to come: its time-out starts anew.
  mutating func renew(_ id: String, at now: Instant) {
    byID[id]?.deadline = now.advanced(by: Self.patience)
  }

  /// Takes those whose time ran out, in the order in which they were asked.
  mutating func takeOverdue(at now: Instant) -> [Purpose] { take { $0.deadline <= now } }

  /// Takes inquiries, in the order in which they were asked.
  mutating func takeInquiries(where isTaken: (Inquiry) -> Bool = { _ in true }) -> [Inquiry] {
    take { $0.purpose.inquiry.map(isTaken) == true }.compactMap(\.inquiry)
  }

  mutating func takeInquiry(_ id: String) -> Inquiry? {
    guard let inquiry = byID[id]?.purpose.inquiry else { return nil }
    byID[id] = nil
    return inquiry
  }

  /// The roster is asked for, and has not come.
  var isRosterPending: Bool { byID.values.contains { $0.purpose.isRoster } }

  /// A ping is out.
  var isPingPending: Bool { byID.values.contains { $0.purpose.isPing } }

  private mutating func take(where isTaken: (Request) -> Bool) -> [Purpose] {
    let taken = byID.filter { isTaken($0.value) }
    for id in taken.keys { byID[id] = nil }
    return taken.values.sorted { $0.number < $1.number }.map(\.purpose)
  }

  private func isOwn(_ header: StanzaHeader, _ own: JID) -> Bool {
    guard header.from != nil else { return true }
    guard let from = header.fromJID else { return false }
    return from == own || from == own.bare || from.description == own.domain
  }
}

extension PendingIQs.Purpose {
  /// True if the answer may be slow on a live server: that of our archive, and of a contact's server.
  var mayBeSlow: Bool {
    switch self {
    case .archive, .archivePreferences: true
    default: contact != nil
    }
  }

  fileprivate var inquiry: Inquiry? { if case .inquiry(let inquiry) = self { inquiry } else { nil } }

  /// The recipient, if it is not our own account or server.
  fileprivate var contact: JID? { if case .archive(_, let room) = self { room } else { inquiry?.jid } }

  fileprivate var isRoster: Bool { if case .roster = self { true } else { false } }

  fileprivate var isPing: Bool { if case .ping = self { true } else { false } }
}
