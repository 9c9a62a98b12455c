import Clocks
import ConfabClient
import JSON
import Testing

@testable import TerminalUI

/// The encryption of a conversation on the screen: the lock, the devices, and what can be done with them.
@Suite("Encryption on the screen")
struct EncryptionTests {
  private func choose(_ title: String, _ ui: Harness) {
    for _ in 0..<30 {
      if ui.app.screen.popups.last?.chosen?.title.hasPrefix(title) == true { return ui.press("Enter") }
      ui.press("Down")
    }
    Issue.record("no \(title) in \(ui.app.screen.popups.last?.items.map(\.title) ?? [])")
  }

  // MARK: The lock

  @Test("the header and the input have a lock, and words, where the next message will be encrypted")
  func lock() {
    let ui = EncryptionScene.opened()
    #expect(ui.screen[0].contains("⚿ encrypted"))
    #expect(ui.screen.contains { $0.contains("⚿ Write to Bob, encrypted") })
    ui.type("x")
    #expect(ui.screen.contains { $0.contains("⚿ x") })
  }

  @Test("where it will not be, both say so and why")
  func open() {
    let ui = EncryptionScene.opened(
      EncryptionScene.state(isActive: false, "no device of the contact is known", devices: 0, usable: 0), columns: 140)
    #expect(!ui.shows("⚿"))
    #expect(ui.screen[0].contains("not encrypted") && ui.screen[0].contains("no device of the contact is known"))
    #expect(ui.shows("› Write to Bob, not encrypted: no device of the contact is known"))
  }

  @Test("devices that are left out are said beside the lock")
  func left() {
    let ui = EncryptionScene.opened(
      EncryptionScene.state("auto", "some devices of the contact are left out", devices: 2, usable: 1), columns: 140)
    #expect(ui.screen[0].contains("⚿ encrypted: some devices of the contact are left out"))
  }

  @Test("a daemon that knows no encryption is not asked about it, and nothing is said")
  func older() {
    let ui = Harness.opened()
    ui.answer(ui.take("encrypt"), final: #""ok":false,"error":"unknown-verb","reason":"no such verb""#)
    #expect(!ui.shows("encrypted") && !ui.shows("older"))
  }

  @Test("a room has a lock where it is encrypted, and of others nothing is said")
  func rooms() {
    let ui = RoomScene.opened()
    #expect(!ui.shows("encrypted") && !ui.shows("⚿"))
    ui.line(#"{"event":"encryption","seq":9,"conversation":"team@rooms.example.org","encrypt":"always"}"#)
    ui.answer(ui.take("encrypt"), final: EncryptionScene.state())
    #expect(ui.shows("⚿ encrypted"))
  }

  @Test("events of devices, of the policy and of the account ask again")
  func events() {
    let ui = EncryptionScene.opened()
    for line in [
      EncryptionScene.event("trust", EncryptionScene.bobs[0]),
      #"{"event":"encryption","seq":9,"conversation":"bob@example.org","encrypt":"always"}"#,
      #"{"event":"connection","account":"home","state":"online"}"#,
    ] {
      ui.line(line)
      let asked = ui.take("encrypt")
      #expect(asked?["jid"]?.string == "bob@example.org", "\(line)")
      ui.answer(asked, final: EncryptionScene.state())
    }
  }

  // MARK: The command

  @Test("/encrypt sets the policy of the open conversation", arguments: ["auto", "always", "never"])
  func policy(word: String) {
    let ui = EncryptionScene.opened()
    ui.type("/encrypt \(word)")
    ui.press("Enter")
    let asked = ui.take("encrypt")
    #expect(asked?["policy"]?.string == word && asked?["jid"]?.string == "bob@example.org")
  }

  @Test("/encrypt with another word says which there are; without one it shows the devices")
  func words() {
    let ui = EncryptionScene.opened()
    ui.type("/encrypt maybe")
    ui.press("Enter")
    #expect(ui.take("encrypt") == nil && ui.shows("auto, always or never"))
    ui.press("Ctrl-U")
    ui.type("/encrypt")
    ui.press("Enter")
    #expect(ui.shows("Devices of Bob that encrypt"))
  }

  @Test("the policy is a menu, too")
  func menu() {
    let ui = devices(EncryptionScene.bobs)
    choose("When to encrypt", ui)
    choose("Always", ui)
    #expect(ui.take("encrypt")?["policy"]?.string == "always")
  }

  // MARK: Devices

  private func devices(_ rows: [String]) -> Harness {
    let ui = EncryptionScene.opened()
    ui.press("Alt-Shift-D")
    ui.answer(ui.takeAll("devices").last, rows.map { #""device":\#($0)"# })
    return ui
  }

  @Test("a device stands there with its label, its trust, when it was seen, and its fingerprint in eight groups")
  func list() {
    let ui = devices(EncryptionScene.bobs)
    #expect(ui.shows("Encrypted: the contact has devices"))
    #expect(ui.screen.contains { $0.contains("phone") && $0.contains("verified, seen 9:00") })
    #expect(ui.screen.contains { $0.contains("device 31415") && $0.contains("undecided") && $0.contains("never seen") })
    #expect(ui.shows("c5a1f0de 01234567 89abcdef 00112233") && ui.shows("44556677 8899aabb ccddeeff 01237183"))
  }

  @Test("a device is verified after a question, and trusted or distrusted without one")
  func deciding() {
    let ui = devices(EncryptionScene.bobs)
    choose("device 31415", ui)
    choose("Mark as verified", ui)
    #expect(ui.take("trust") == nil && ui.shows("All 64 digits are those that the device itself shows"))
    ui.type("y")
    let verified = ui.take("trust")
    #expect(verified?["verified"]?.string == "yes" && verified?["jid"]?.string == "bob@example.org")
    #expect(verified?["fingerprint"]?.array?.first?.string == EncryptionScene.digits.dropLast(4) + "1415")
    for (title, verb) in [("Trust", "trust"), ("Distrust", "distrust")] {
      let ui = devices(EncryptionScene.bobs)
      choose("device 31415", ui)
      choose(title, ui)
      let asked = ui.take(verb)
      #expect(asked?["verified"] == nil && asked?["fingerprint"] != nil)
    }
  }

  @Test("what was decided shows at once: the list is asked for with each event")
  func live() {
    let ui = devices(EncryptionScene.bobs)
    ui.line(EncryptionScene.event("trust", EncryptionScene.device(31415, "", trust: "trusted")))
    ui.answer(ui.takeAll("devices").last, [#""device":\#(EncryptionScene.device(31415, "", trust: "trusted"))"#])
    #expect(ui.screen.contains { $0.contains("device 31415") && $0.contains("trusted, never seen") })
  }

  @Test("a session begins anew, by its device")
  func session() {
    let ui = devices(EncryptionScene.bobs)
    choose("phone", ui)
    choose("Begin a new session", ui)
    let asked = ui.take("session-reset")
    #expect(asked?["jid"]?.string == "bob@example.org" && asked?["id"]?.integer == 27183)
  }

  @Test("my own devices have this one first, and lose one after a question")
  func own() {
    let ui = devices(EncryptionScene.bobs)
    choose("My own devices", ui)
    let mine = [
      EncryptionScene.device(1001, "old phone", jid: "alice@example.org"),
      EncryptionScene.device(1002, "", trust: "verified", jid: "alice@example.org", more: #","this":true"#),
    ]
    ui.answer(ui.takeAll("devices").last, mine.map { #""device":\#($0)"# })
    let rows = ui.screen
    let this = rows.firstIndex { $0.contains("this device") } ?? .max
    let other = rows.firstIndex { $0.contains("old phone") } ?? 0
    #expect(this < other)
    choose("old phone", ui)
    choose("Take it off my lists", ui)
    #expect(ui.take("device-remove") == nil)
    ui.type("y")
    #expect(ui.take("device-remove")?["id"]?.integer == 1001)
  }

  @Test("this device gives the address by which another one verifies it")
  func address() {
    let ui = EncryptionScene.opened()
    ui.type("/fingerprint")
    ui.press("Enter")
    let this = EncryptionScene.device(1002, "", jid: "alice@example.org", more: #","this":true"#)
    ui.answer(ui.takeAll("devices").last, [#""device":\#(this)"#])
    choose("device 1002", ui)
    choose("Copy the address", ui)
    let uri = "xmpp:alice@example.org?omemo-sid-1002=\(EncryptionScene.digits.dropLast(4))1002"
    #expect(ui.actions.contains(.copy(uri)))
  }

  @Test("an address that the other device shows verifies it")
  func verifying() {
    let ui = devices(EncryptionScene.bobs)
    choose("Verify by an address", ui)
    ui.type("xmpp:bob@example.org?omemo-sid-1=aa")
    ui.press("Enter")
    #expect(ui.take("verify")?["uri"]?.string == "xmpp:bob@example.org?omemo-sid-1=aa")
  }

  @Test("the server is asked again, if the person wants it")
  func refresh() {
    let ui = devices([])
    #expect(ui.shows("No device is known."))
    choose("Ask the server again", ui)
    #expect(ui.take("devices")?["refresh"]?.string == "yes")
  }

  // MARK: News of devices

  @Test("a new device is a line in the conversation until somebody looks at the devices")
  func news() {
    let ui = EncryptionScene.opened()
    ui.line(EncryptionScene.event("new", EncryptionScene.device(4711, "tablet")))
    #expect(ui.shows("Bob has a new device: tablet (4711)."))
    ui.press("Alt-Shift-D", "Esc")
    #expect(!ui.shows("Bob has a new device"))
  }

  @Test("the first devices of somebody are no news")
  func first() {
    let ui = EncryptionScene.opened(
      EncryptionScene.state(isActive: false, "no device of the contact is known", devices: 0, usable: 0))
    ui.line(EncryptionScene.event("new", EncryptionScene.device(4711, "tablet")))
    ui.line(EncryptionScene.event("new", EncryptionScene.device(4712, "phone")))
    #expect(!ui.shows("new device"))
  }

  @Test("another key is said, in the list of conversations as well")
  func key() {
    let ui = EncryptionScene.opened()
    ui.line(EncryptionScene.event("key-changed", EncryptionScene.device(27183, "phone", trust: "undecided")))
    #expect(ui.shows("Another key was published for Bob's device phone (27183)."))
    let list = Harness()
    list.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    list.line(EncryptionScene.event("key-changed", EncryptionScene.device(27183, "phone", trust: "undecided")))
    #expect(list.shows("Another key was published for Bob's device"))
  }

  // MARK: Messages

  private func message(_ members: String, _ text: String = "hi", mine: Bool = false) -> Harness {
    let ui = EncryptionScene.opened()
    let message = Harness.message(3, text, mine: mine).replacing(
      #""opens_section""#, with: members + #","opens_section""#)
    ui.line(#"{"event":"message","seq":3,"message":\#(message)}"#)
    return ui
  }

  @Test(
    "a message that cannot be read says so, and what to do",
    arguments: [
      ("not-for-this-device", "did not encrypt it for this device"), ("no-session", "/session-reset begins one"),
      ("damaged", "does not decrypt"), ("old-counter", "was used before"),
    ])
  func unreadable(error: String, words: String) {
    let ui = message(
      #""encrypted":{"scheme":"omemo","error":"\#(error)"},"plain":"Encrypted with OMEMO; this message cannot be read here.""#,
      "")
    let screen = ui.screen.joined(separator: " ").split { " │".contains($0) }.joined(separator: " ")
    #expect(screen.contains("Encrypted with OMEMO") && screen.contains(words), "\(screen)")
  }

  @Test("Enter on a message with such a trouble shows the devices")
  func offered() {
    let ui = message(#""encrypted":{"scheme":"omemo","error":"no-session"},"plain":"cannot be read""#, "")
    ui.press("Alt-Up", "Enter")
    #expect(ui.shows("Devices of Bob that encrypt") && ui.take("devices") != nil)
  }

  @Test("its text takes its place, once it is there")
  func decrypted() {
    let ui = message(#""encrypted":{"scheme":"omemo","error":"no-session"},"plain":"cannot be read""#, "")
    ui.line(
      #"{"event":"decrypted","seq":4,"conversation":"bob@example.org","id":3,"message":\#(Harness.message(3, "at last"))}"#
    )
    #expect(ui.shows("at last") && !ui.shows("cannot be read") && !ui.shows("session-reset"))
  }

  @Test("plain text in an encrypted conversation, and a device without trust, are marked")
  func marks() {
    #expect(message(#""unencrypted":true"#).shows("hi  10:00 not encrypted"))
    for (trust, words) in [("undecided", "from an undecided device"), ("distrusted", "from a distrusted device")] {
      #expect(message(#""encrypted":{"scheme":"omemo","trust":"\#(trust)"}"#).shows(words))
    }
    #expect(message(#""encrypted":{"scheme":"omemo","trust":"blind"}"#).shows("hi  10:00"))
    let skipped = #""encrypted":{"scheme":"omemo","trust":"verified","skipped":["bob@example.org/5"]}"#
    #expect(message(skipped, mine: true).shows("Encrypted, but not for 1 device"))
  }

  // MARK: The plain mode

  @Test("the plain mode says how a conversation is encrypted, its devices, and what is new of them")
  func plain() {
    let environment = ApplicationEnvironment(offset: { _ in 0 }, words: .english, token: "run", socket: "/s")
    let now = Moment(instant: Instant(milliseconds: 0), wall: Harness.start)
    let ui = PlainApplication(environment, now: now)
    func handle(_ event: PlainEvent) -> (said: [String], sent: [JSONValue]) {
      let (lines, actions) = ui.handle(event, at: now)
      var sent: [JSONValue] = []
      for case .send(let bytes) in actions {
        sent += bytes.split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0), maximumDepth: 9) }
      }
      return (lines, sent)
    }
    func line(_ text: String) -> [String] { handle(.lines([Array(text.utf8)])).said }
    let asked = handle(.lines([Array(#"{"confab":1,"log":"L","limits":{"text":60000}}"#.utf8)])).sent
    _ = handle(Harness.noAccounts(asked))
    _ = handle(.typed("/open bob@example.org"))
    let sent = handle(.typed("/encrypt")).sent
    #expect(sent.map { $0["verb"]?.string } == ["encrypt", "devices"])
    let tags = sent.compactMap { $0["tag"]?.integer }
    #expect(
      line(#"{\#(EncryptionScene.state()),"tag":\#(tags[0])}"#)
        == ["encrypted: the contact has devices; 2 of 2 devices used; the policy is auto"])
    _ = line(#"{"device":\#(EncryptionScene.bobs[0]),"tag":\#(tags[1])}"#)
    let said = line(#"{"ok":true,"tag":\#(tags[1])}"#)
    #expect(said.first?.hasPrefix("bob@example.org, phone, device 27183, verified, seen") == true, "\(said)")
    #expect(said.first?.contains("fingerprint c5a1f0de 01234567") == true)
    #expect(
      line(EncryptionScene.event("key-changed", EncryptionScene.bobs[0])).first?.contains("Another key") == true)
  }
}
