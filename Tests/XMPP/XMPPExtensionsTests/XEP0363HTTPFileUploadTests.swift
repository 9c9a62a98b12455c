import Clocks
import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite struct XEP0363HTTPFileUploadTests {
  private func slot(put: String, get: String, _ headers: String = "") throws -> UploadSlot? {
    UploadSlot(
      try element(
        "<iq xmlns='jabber:client' type='result'><slot xmlns='urn:xmpp:http:upload:0'><put url='\(put)'>\(headers)</put>"
          + "<get url='\(get)'/></slot></iq>"))
  }

  @Test("A service is known by its feature, and says how large a file may be")
  func service() throws {
    func info(_ inside: String) throws -> DiscoInfo? {
      DiscoInfo(try element("<query xmlns='http://jabber.org/protocol/disco#info'>\(inside)</query>"))
    }
    let jid = try JID("upload.example.org")
    let form =
      "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE'><value>urn:xmpp:http:upload:0</value></field>"
      + "<field var='max-file-size'><value>5242880</value></field></x>"
    let feature = "<feature var='urn:xmpp:http:upload:0'/>"
    #expect(UploadService(jid, try #require(try info(feature + form)))?.largest == 5_242_880)
    #expect(UploadService(jid, try #require(try info(feature)))?.largest == nil)
    #expect(UploadService(jid, try #require(try info(feature.replacing("0'", with: "1'") + form))) == nil)
  }

  @Test("A request has the name, the size and the type of the file")
  func request() throws {
    let service = try #require(
      UploadService(try JID("upload.example.org"), DiscoInfo(identities: [], features: ["urn:xmpp:http:upload:0"])))
    var file = FileMetadata()
    (file.name, file.size, file.type) = ("très <cool>.jpg", 23_456, "image/jpeg")
    let request = try element(service.request(file, id: "1"))
    let inside = try #require(request.child("request", UploadService.namespace))
    #expect(request.attribute("to") == "upload.example.org" && request.attribute("type") == "get")
    #expect(inside.attribute("filename") == file.name && inside.attribute("size") == "23456")
    #expect(inside.attribute("content-type") == "image/jpeg")
  }

  @Test("A slot has two addresses and the headers that are allowed, without line ends")
  func aSlot() throws {
    let slot = try #require(
      try slot(
        put: "https://up.example.org/a%20b", get: "https://down.example.net/a",
        "<header name='Authorization'>Basic\r\n X-Evil: 1</header><header name='cookie&#10;'>a=b</header>"
          + "<header name='Host'>evil.example</header><header name='X-Other'>1</header><header>2</header>"))
    #expect(slot.put == "https://up.example.org/a%20b" && slot.get == "https://down.example.net/a")
    #expect(slot.headers.map(\.name) == ["Authorization", "Cookie"])
    #expect(slot.headers.map(\.value) == ["Basic X-Evil: 1", "a=b"])
  }

  @Test(
    "Addresses that are not https are refused",
    arguments: ["http://example.org/a", "file:///etc/passwd", "https://", "", "https://example.org/ a"])
  func unsafe(_ url: String) throws {
    #expect(try slot(put: url, get: "https://example.org/a") == nil)
    #expect(try slot(put: "https://example.org/a", get: url) == nil)
  }

  @Test("Refusals say what can be done about them")
  func refusals() throws {
    func refusal(_ error: String) throws -> UploadRefusal {
      UploadRefusal(try element("<iq xmlns='jabber:client' type='error'>\(error)</iq>"))
    }
    #expect(
      try refusal(
        "<error type='modify'><not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
          + "<file-too-large xmlns='urn:xmpp:http:upload:0'><max-file-size>20000</max-file-size></file-too-large></error>"
      )
        == .tooLarge(limit: 20_000))
    #expect(
      try refusal(
        "<error type='wait'><retry xmlns='urn:xmpp:http:upload:0' stamp='2017-12-03T23:42:05Z'/></error>")
        == .wait(until: Timestamp(rfc3339: "2017-12-03T23:42:05Z")))
    let forbidden = "<error type='auth'><forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    #expect(try refusal(forbidden) == .other(StanzaError(type: .auth, condition: "forbidden")))
  }
}
