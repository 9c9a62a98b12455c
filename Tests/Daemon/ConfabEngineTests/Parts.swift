import Bytes
import Clocks
import Timelines
import State
import MessageLog
import Records
import SASL
import ConfabConfiguration
import TestSupport
import Testing
import XML
import XMPPCore
import XMPPStream

@testable import ConfabAccounts

/// The parts of one account over a log in memory: no engine, no link, no server.
final class Parts {
  private let disk = MemoryStorage()
  let state: State
  let effects: Effects
  let storage: Storage
  let account: AccountState
  let all: AccountParts
  let router: StanzaRouter
  let lifecycle: StreamLifecycle
  private(set) var now = Moment(
    instant: Instant(milliseconds: 1_000_000), wall: Timestamp(milliseconds: 1_760_000_000_000))

  init(_ settings: AccountSettings = Harness.alice) throws {
    let uuid = try #require(LogUUID(random: Array(repeating: 7, count: 16)))
    let opened = try OpenState(disk, of: uuid, gap: .hours(24))
    state = opened.state
    effects = Effects(now: now, random: SeededRandom(1), utcOffset: { _ in 0 })
    storage = Storage(
      LogQueue(opened.log.makeWriter(uuid: uuid, segmentSize: LogFormat.segmentSize)), of: uuid, Keyring([]), effects)
    let records = RecordReader(LogReader(storage: disk), of: storage, UnreadablePlaces(), effects)
    let record = AccountRecord(number: 1, name: settings.name, jid: settings.jid)
    storage.append(.account(record))
    _ = state.apply(.account(record), sequence: 0, location: 0)
    account = try #require(state.accounts[1])
    let jid = try JID(settings.jid)
    all = AccountParts(of: jid, settings, account, effects, storage, records)
    router = StanzaRouter(of: jid, all)
    lifecycle = StreamLifecycle(all, router)
    try sync()
  }

  var core: CoreParts { all.core }
  var people: PeopleParts { all.people }
  var messaging: MessagingParts { all.messaging }
  var files: FileParts { all.files }

  /// Begins a stream that can be resumed, on which the roster has come.
  ///
  /// - Parameter features: those of our account.
  func begin(features: [String] = []) throws {
    lifecycle.sendInitialStanzas(streamManagement: true, rosterVersioning: false)
    let offer = SASLOffer(mechanisms: ["SCRAM-SHA-1"])
    let login = try #require(LoginMethod.choose(from: offer, bindings: [:], allowsPlain: false))
    let stream = NegotiatedStream(
      jid: try JID("alice@example.org/confab"), login: login, tls: TLSFacts(version: "TLSv1.3", cipher: "x"),
      offer: offer, features: StreamFeatures())
    lifecycle.begin(stream, isDirect: true, pipeliningFailures: 0, after: 0)
    try receive("<enabled xmlns='urn:xmpp:sm:3' id='s1' resume='true' max='600'/>")
    try answerRoster()
    let ids = output().components("<iq ").filter { $0.contains("disco#info") }
      .compactMap { ScriptedStream.value(of: "id", in: " " + $0) }
    for (id, sender) in zip(ids, ["example.org", "alice@example.org"]) {
      try receive(
        "<iq type='result' from='\(sender)' id='\(id)'><query xmlns='http://jabber.org/protocol/disco#info'>"
          + features.map { "<feature var='\($0)'/>" }.joined() + "</query></iq>")
    }
    try sync()
  }

  /// Answers the roster request with these contacts, who see our presence.
  func answerRoster(_ contacts: [String] = ["bob@example.org"]) throws {
    let id = try #require(core.requests.pending.rosterID)
    let items = contacts.map { "<item jid='\($0)' subscription='both'/>" }.joined()
    try receive("<iq type='result' id='\(id)'><query xmlns='jabber:iq:roster'>\(items)</query></iq>")
  }

  /// Everything appended becomes durable and is applied.
  func sync() throws {
    pass(.seconds(1))
    while let batch = storage.queue.takeBatch(at: effects.now.instant) {
      try batch.perform(on: disk)
      var committed = storage.queue.completed(at: effects.now.instant)
      for place in committed.entries.indices {
        let sequence = committed.entries[place].sequence
        let location = committed.location(of: sequence)
        switch committed.takeContent(at: place) {
        case .record(let record): _ = state.apply(record, sequence: sequence, location: location)
        case .message(let message): _ = state.apply(message, sequence: sequence, location: location)
        case .taken: break
        }
      }
      storage.pending.durable(upTo: storage.queue.durable)
      lifecycle.synced()
      pass(.seconds(1))
    }
  }

  func pass(_ interval: Interval) {
    now = Moment(instant: now.instant.advanced(by: interval), wall: now.wall.advanced(by: interval))
    effects.now = now
  }

  /// A stanza, or an element of the stream, comes from the server.
  @discardableResult
  func receive(_ xml: String) throws -> StanzaRouter.End? {
    let element = try #require(Element.parse(Array(Self.inClientNamespace(xml).utf8)), "\(xml)")
    return router.receive(.stanza(element))
  }

  /// Stanzas are of the stream's default namespace.
  private static func inClientNamespace(_ xml: String) -> String {
    for name in ["message", "iq", "presence"] where xml.hasPrefix("<\(name)") {
      return "<\(name) xmlns='jabber:client'" + xml.dropFirst(name.utf8.count + 1)
    }
    return xml
  }

  /// Takes what was written since the last call.
  func output() -> String { String(decoding: lifecycle.takeOutput(), as: UTF8.self) }

  /// A message of mine to Bob.
  func message(_ text: String, key: String? = nil) -> MessageRecord {
    var message = MessageRecord(
      account: 1, jid: "bob@example.org", peer: "bob@example.org", time: now.wall.milliseconds, text: text)
    (message.author, message.stanzaID, message.key) = (.thisDevice, effects.token(bytes: 6), key)
    return message
  }

  /// The texts of the conversation with Bob, oldest first.
  func texts() -> [String] {
    guard let timeline = account.conversations["bob@example.org"]?.timeline else { return [] }
    return (0..<timeline.count).compactMap {
      messaging.inbox.records.message(timeline[$0])?.text
    }
  }
}
