import Clocks
import Records
import State
import Testing
import XMPPExtensions

@testable import ConfabAccounts

@Suite("Slots of the upload service")
struct UploadSlotsTests {
  private static let slot =
    "<slot xmlns='urn:xmpp:http:upload:0'><put url='https://up.example.org/put/1'/>"
    + "<get url='https://files.example.org/1'/></slot>"

  private let parts: Parts
  private var slots: UploadSlots { parts.files.uploadSlots }
  private var file: FileMetadata {
    var file = FileMetadata()
    (file.name, file.size) = ("a.gif", 2_000)
    return file
  }

  init() throws {
    parts = try Parts()
    try parts.begin()
    _ = parts.output()
  }

  /// Answers the request that holds a text; returns what is sent then.
  private func answer(
    _ sent: String, _ marker: String, _ payload: String, from: String = "upload.example.org", type: String = "result"
  ) throws -> String {
    let iq = try #require(sent.components("<iq ").last { $0.contains(marker) })
    let id = try #require(ScriptedStream.value(of: "id", in: " " + iq))
    try parts.receive("<iq type='\(type)' from='\(from)' id='\(id)'>\(payload)</iq>")
    return parts.output()
  }

  /// Lets the service be found; returns what is sent then.
  private func answerDiscovery(limit: Int = 1_000_000) throws -> String {
    let items = "<query xmlns='http://jabber.org/protocol/disco#items'><item jid='upload.example.org'/></query>"
    let infos = try answer(parts.output(), "disco#items", items, from: "example.org")
    return try answer(
      infos, "to='upload.example.org'",
      "<query xmlns='http://jabber.org/protocol/disco#info'><feature var='urn:xmpp:http:upload:0'/>"
        + "<x xmlns='jabber:x:data'><field var='FORM_TYPE'><value>urn:xmpp:http:upload:0</value></field>"
        + "<field var='max-file-size'><value>\(limit)</value></field></x></query>")
  }

  @Test("A slot is requested once the service is found, and its hosts are durable")
  func requested() throws {
    var urls: [String] = []
    slots.request(for: file) { if case .slot(let slot) = $0 { urls.append(slot.put) } }
    _ = try answer(try answerDiscovery(), "size='2000'", Self.slot)
    #expect(urls == ["https://up.example.org/put/1"])
    #expect(slots.route.hosts.map(\.host) == ["up.example.org", "files.example.org"])
    try parts.sync()
    #expect(parts.account.server.uploadHosts.map(\.host) == ["up.example.org", "files.example.org"])
  }

  @Test("A file over the service's limit is refused without a request")
  func tooLarge() throws {
    var failures: [Failure] = []
    slots.request(for: file) { if case .refused(let failure) = $0 { failures.append(failure) } }
    let sent = try answerDiscovery(limit: 1_999)
    #expect(failures.map(\.condition) == ["not-acceptable"] && !sent.contains("size='2000'"))
  }

  @Test("Errors refuse the file, unless the server wants to be asked again")
  func refused() throws {
    var answers: [String] = []
    let note: (UploadSlots.Answer) -> Void = {
      switch $0 {
      case .slot: answers.append("slot")
      case .refused(let failure): answers.append(failure.condition)
      case .later(let time): answers.append(time?.rfc3339 ?? "later")
      }
    }
    slots.request(for: file, then: note)
    var sent = try answerDiscovery()
    let stanzas = "urn:ietf:params:xml:ns:xmpp-stanzas"
    for error in [
      "<error type='cancel'><forbidden xmlns='\(stanzas)'/></error>",
      "<error type='wait'><resource-constraint xmlns='\(stanzas)'/>"
        + "<retry xmlns='urn:xmpp:http:upload:0' stamp='2026-01-01T00:00:00Z'/></error>",
    ] {
      _ = try answer(sent, "size='2000'", error, type: "error")
      slots.request(for: file, then: note)
      sent = parts.output()
    }
    parts.lifecycle.linkLost()
    #expect(answers == ["forbidden", "2026-01-01T00:00:00.000Z", "later"] && !slots.isReady)
  }

  @Test("A slot that is not wanted any more is not requested")
  func unwanted() throws {
    var isWanted = true
    slots.request(for: file, while: { isWanted }) { _ in Issue.record("it was answered") }
    isWanted = false
    #expect(!(try answerDiscovery().contains("size='2000'")))
  }

  @Test("Hosts are learned by one slot for all that wait for them")
  func learned() throws {
    var count = 0
    for _ in 0..<2 { slots.learnHosts { count += 1 } }
    let sent = try answerDiscovery()
    #expect(sent.components("<iq ").count { $0.contains("size='1'") } == 1 && count == 0)
    _ = try answer(sent, "size='1'", Self.slot)
    #expect(count == 2 && slots.route.hosts.map(\.host) == ["up.example.org", "files.example.org"])
  }
}

@Suite("The pause of an upload")
struct UploadPauseTests {
  @Test("Pauses double from five seconds to ten minutes, and are as long as the server wants")
  func doubles() {
    let start = Instant(milliseconds: 1_000_000)
    var pause = UploadPause()
    let lengths = (0..<9).map { _ in
      pause.begin(at: start, notBefore: nil)
      return pause.until.map { ($0 - start).milliseconds / 1000 }
    }
    #expect(lengths == [5, 10, 20, 40, 80, 160, 320, 600, 600])
    pause.begin(at: start, notBefore: start.advanced(by: .hours(1)))
    #expect(!pause.isOver(at: start.advanced(by: .minutes(59))) && pause.isOver(at: start.advanced(by: .hours(1))))
  }
}
