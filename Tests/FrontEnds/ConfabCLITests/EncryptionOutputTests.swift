import ConfabCLI
import ConfabClient
import LineProtocol
import Testing

/// Encryption on the command line.
@Suite("Encryption for people")
struct EncryptionOutputTests {
  private static let digits = "c5a1f0de0123456789abcdef00112233445566778899aabbccddeeff01234567"
  private static let groups = "c5a1f0de 01234567 89abcdef 00112233 44556677 8899aabb ccddeeff 01234567"
  private static let device =
    #"{"jid":"bob@example.org","id":27183,"label":"phone","fingerprint":"\#(digits)","trust":"undecided","versions":["0.3"],"active":true,"session":"ok","last_seen":"2026-11-20T09:00:00.000Z"}"#

  @Test("a device has a line with its facts, and its fingerprint in eight groups below")
  func devices() {
    let daemon = FakeDaemon(answers: #"{"device":\#(Self.device)}"#, #"{"ok":true}"#)
    #expect(daemon.run("devices", "bob@example.org") == 0)
    #expect(
      daemon.output == """
        bob@example.org  phone  device 27183  undecided: nothing is encrypted to it  seen 2026-11-20 10:00
            \(Self.groups)

        """)
  }

  @Test("where no device is known, that is said, and what asks the server")
  func none() {
    let daemon = FakeDaemon(answers: #"{"ok":true}"#)
    #expect(daemon.run("devices", "bob@example.org") == 0)
    #expect(daemon.output.isEmpty)
    #expect(daemon.complaints == ["confab: no device is known; 'confab devices --refresh' asks the server"])
  }

  @Test(
    "whether a conversation is encrypted is a sentence with the reason",
    arguments: [
      (true, 2, 1, "encrypted: because; 1 of 2 devices used; the policy is auto\n"),
      (false, 0, 0, "not encrypted: because; the policy is auto\n"),
    ])
  func encrypt(isActive: Bool, devices: Int, usable: Int, words: String) {
    let daemon = FakeDaemon(
      answers:
        #"{"ok":true,"encrypt":"auto","active":\#(isActive),"reason":"because","devices":\#(devices),"usable":\#(usable)}"#
    )
    #expect(daemon.run("encrypt", "bob@example.org") == 0)
    #expect(daemon.output == words)
  }

  @Test("a fingerprint may be typed in groups")
  func groups() {
    let daemon = FakeDaemon(answers: #"{"ok":true}"#)
    let typed = Self.groups.split(separator: " ").map(String.init)
    #expect(daemon.run(["trust", "--verified", "bob@example.org"] + typed) == 0)
    #expect(daemon.requests.first?.list(.fingerprint) == typed)
    #expect(daemon.requests.first?.string(.verified) == "yes")
    #expect(daemon.output == "verified: messages to bob@example.org are encrypted to this key\n")
  }

  @Test(
    "what was done is said",
    arguments: [
      (["distrust", "bob@x", digits], "distrusted: messages to bob@x are not encrypted to this key any more\n"),
      (["verify", "xmpp:bob@x?omemo-sid-1=\(digits)"], "verified: the keys in the address\n"),
      (["device-remove", "27183"], "device 27183 is on no list of yours any more\n"),
      (["session-reset", "bob@x"], "new sessions begin with bob@x\n"),
      (["session-reset", "bob@x", "5"], "a new session begins with bob@x\n"),
    ])
  func done(arguments: [String], words: String) {
    let daemon = FakeDaemon(answers: #"{"ok":true}"#)
    #expect(daemon.run(arguments) == 0)
    #expect(daemon.output == words)
  }

  // MARK: The fingerprint

  private static let own =
    #"{"ok":true,"fingerprint":"\#(digits)","device":31415,"uri":"xmpp:alice@example.org?omemo-sid-31415=\#(digits)"}"#

  @Test("my fingerprint stands in groups, with the device and the address; into a pipe goes no code")
  func fingerprint() {
    let daemon = FakeDaemon(answers: Self.own)
    #expect(daemon.run("fingerprint") == 0)
    #expect(
      daemon.output == """
        fingerprint  \(Self.groups)
        device       31415
        address      xmpp:alice@example.org?omemo-sid-31415=\(Self.digits)

        """)
  }

  @Test("on a terminal a QR code of the address follows, dark on light, which fits on 24 lines")
  func code() throws {
    let daemon = FakeDaemon(answers: Self.own)
    (daemon.isTerminal, daemon.columns) = (true, 80)
    daemon.environment = ["TERM": "xterm-256color"]
    #expect(daemon.run("fingerprint") == 0)
    let lines = daemon.output.split(separator: "\n").dropFirst(3)
    let code = try #require(QRCode("xmpp:alice@example.org?omemo-sid-31415=\(Self.digits)"))
    #expect(lines.count == (code.width + 5) / 2 && lines.count <= 23)
    #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[30;47m") && $0.hasSuffix("\u{1B}[0m") })
    // Two light modules, then the dark upper edge of the finder pattern, seven wide.
    #expect(lines.dropFirst().first?.hasPrefix("\u{1B}[30;47m  █▀▀▀▀▀█ ") == true)
  }

  @Test("a terminal that is too narrow gets no code, and is told")
  func narrow() {
    let daemon = FakeDaemon(answers: Self.own)
    (daemon.isTerminal, daemon.columns) = (true, 30)
    #expect(daemon.run("fingerprint") == 0)
    #expect(!daemon.output.contains("█") && daemon.complaints.first?.contains("columns") == true)
  }

  // MARK: Messages and events

  private func history(_ members: String, text: String = "hi", mine: Bool = false) -> String {
    let daemon = FakeDaemon(
      answers:
        #"{"message":{"id":1,"conversation":"bob@x","from":"bob@x/p","mine":\#(mine),"time":"2026-11-20T08:00:00.000Z","text":"\#(text)",\#(members)}}"#,
      #"{"ok":true}"#)
    _ = daemon.run("history", "bob@x")
    return daemon.output
  }

  @Test("plain text in an encrypted conversation, a device without trust, and devices left out are marked in words")
  func marks() {
    #expect(history(#""unencrypted":true"#).hasSuffix("bob@x: hi (not encrypted)\n"))
    #expect(
      history(#""encrypted":{"scheme":"omemo","trust":"undecided"}"#).hasSuffix("hi (from an undecided device)\n"))
    #expect(history(#""encrypted":{"scheme":"omemo","trust":"blind"}"#).hasSuffix("bob@x: hi\n"))
    let skipped = #""encrypted":{"scheme":"omemo","skipped":["bob@x/1","bob@x/2"]},"state":"sent""#
    #expect(history(skipped, mine: true).hasSuffix("me: hi (not for 2 devices) ✓\n"))
  }

  @Test("a message that cannot be read says what to do")
  func unreadable() {
    let output = history(
      #""encrypted":{"scheme":"omemo","error":"old-counter"},"plain":"Encrypted with OMEMO; it cannot be read.""#,
      text: "")
    #expect(output.contains("bob@x: Encrypted with OMEMO; it cannot be read. (Its key was used before"))
    #expect(output.contains("'confab session-reset bob@x' begins a new session"))
  }

  @Test("the conditions of encryption say what to do, and are named once")
  func failures() {
    let failed = #""state":"failed","failure":{"condition":"untrusted","text":"no device is trusted"}"#
    #expect(
      history(failed, mine: true).hasSuffix(
        "me: hi ✗ Not sent: no device of the contact is trusted. Trust one, then send it again. (untrusted)\n"))
  }

  @Test("events of devices, of policies and of what could be read at last are a line each")
  func watch() {
    let daemon = FakeDaemon(
      answers: #"{"ok":true,"seq":1}"#,
      #"{"event":"device","seq":2,"jid":"bob@example.org","change":"key-changed","device":\#(Self.device)}"#,
      #"{"event":"device","seq":3,"jid":"bob@example.org","change":"gone","device":\#(Self.device)}"#,
      #"{"event":"encryption","seq":4,"conversation":"bob@example.org","encrypt":"always"}"#,
      #"{"event":"decrypted","seq":5,"conversation":"bob@x","id":9,"message":{"id":9,"conversation":"bob@x","from":"bob@x/p","time":"2026-11-20T08:00:00.000Z","text":"hi"}}"#
    )
    _ = daemon.run("watch")
    #expect(
      daemon.output == """
        * bob@example.org device 27183 (phone) got another key published, which is not used; it had \(Self.digits)
        * bob@example.org device 27183 (phone) is gone
        * bob@example.org encryption: always
        * bob@x decrypted 9: bob@x: hi

        """)
  }

  @Test("an answer of the network steers no terminal")
  func hostile() {
    let label = #"\u001b[2Jphone\u202e"#
    let daemon = FakeDaemon(
      answers: #"{"device":\#(Self.device.replacing("phone", with: label))}"#, #"{"ok":true}"#)
    _ = daemon.run("devices")
    #expect(!daemon.output.contains("\u{1B}") && !daemon.output.contains("\u{202E}"))
  }
}
