import ConfabClient
import LineProtocol
import Testing

@Suite("confab send: what is stored, what is not, and what is said")
struct SendTests {
  private static let stored = #"{"ok":true,"id":8,"state":"queued"}"#

  @Test("a message is sent with a random key, and its id and state are shown")
  func sends() {
    let daemon = FakeDaemon(answers: Self.stored)
    #expect(daemon.run("send", "bob@x", "hello", "there") == 0)
    #expect(daemon.output == "8 queued\n" && daemon.complaints.isEmpty)
    #expect(
      daemon.requests == [
        Request(.send, options: [.key: .string("random")], arguments: [.to: .string("bob@x")], text: "hello there")
      ])
  }

  @Test("a message that leaves later is answered with the time and its zone, and listed with its conversation")
  func later() {
    let daemon = FakeDaemon(answers: Self.stored)
    #expect(daemon.run("send", "--at=2030-01-02 09:00", "bob@x", "hello") == 0)
    #expect(daemon.output.hasPrefix("8 queued, leaves at 2030-01-02 09:00 UTC+"))
    #expect(daemon.requests.first?.time(.at) != nil)
    let message =
      #"{"message":{"id":8,"conversation":"bob@x","from":"a@x","mine":true,"time":"2030-01-02T09:00:00.000Z","#
      + #""text":"hello","state":"queued","held":true,"held_until":"2030-01-02T09:00:00.000Z"}}"#
    let list = FakeDaemon(answers: message, #"{"ok":true}"#)
    #expect(list.run("scheduled") == 0)
    #expect(list.output.hasPrefix("8 2030-01-02 ") && list.output.hasSuffix(" bob@x: hello\n"), "\(list.output)")
  }

  @Test("a key that is given is kept; --json passes the line on")
  func givenKey() {
    let daemon = FakeDaemon(answers: #"{"ok":true,"id":8,"state":"sent","repeated":true}"#)
    #expect(daemon.run("--json", "send", "--key=mine", "bob@x", "hi") == 0)
    #expect(daemon.output == #"{"ok":true,"id":8,"state":"sent","repeated":true}"# + "\n")
    #expect(daemon.requests.first?.string(.key) == "mine")
  }

  @Test(
    "standard input is the text: every byte but one final newline, and CR of CR LF",
    arguments: [
      ("hello", "hello"), ("hello\n", "hello"), ("a\n\n", "a\n"), (" \t\r\n", " \t"), ("-\n", "-"),
      ("\u{FEFF}x", "\u{FEFF}x"), ("a\r\nb\rc\r\n", "a\nb\rc"),
    ])
  func standardInput(input: String, text: String) {
    let daemon = FakeDaemon(answers: Self.stored)
    daemon.input = Array(input.utf8)
    #expect(daemon.run("send", "bob@x", "-") == 0)
    #expect(daemon.requests.first?.text?.utf8.elementsEqual(text.utf8) == true)
  }

  @Test("a text at the limit passes, with its newline; one over it, bad bytes and nothing do not")
  func inputLimits() {
    let full = [UInt8](repeating: UInt8(ascii: "\n"), count: Limits.text)
    for (input, code) in [
      (full + [0x0A], 0), (full + [0x61], 65), (full + full, 65), ([0xFF, 0x0A], 65), ([0x61, 0xC3], 65), ([0x01], 65),
      ([], 65), ([0x0A], 65), ([UInt8](repeating: UInt8(ascii: "&"), count: 40_001), 65),
    ] as [([UInt8], Int32)] {
      let daemon = FakeDaemon(answers: Self.stored)
      daemon.input = input
      #expect(daemon.run("send", "bob@x", "-") == code)
      #expect(daemon.requests.count == (code == 0 ? 1 : 0))
    }
    let daemon = FakeDaemon()
    daemon.input = nil
    #expect(daemon.run("send", "bob@x", "-") == 65)
  }

  @Test("after a cut it is asked once more, with the same key")
  func repeats() {
    let daemon = FakeDaemon(
      [FakeDaemon.greeting, .takes, .closes],
      [FakeDaemon.greeting, .takes, .lines([#"{"ok":true,"id":8,"state":"queued","repeated":true}"#])])
    #expect(daemon.run("send", "bob@x", "hi") == 0)
    #expect(daemon.requests.count == 2 && daemon.requests[0] == daemon.requests[1])
    #expect(daemon.dials.map(\.isRepeat) == [false, true])
    #expect(daemon.output == "8 queued (sent before)\n")
  }

  @Test("after a cut it is not asked again of a daemon with another log")
  func otherLog() {
    let other = FakeDaemon.Step.lines([#"{"confab":1,"version":"0.1.0","log":"V","last":1,"rights":"full"}"#])
    let daemon = FakeDaemon([FakeDaemon.greeting, .takes, .closes], [other, .takes, .lines([#"{"ok":true,"id":1}"#])])
    #expect(daemon.run("send", "bob@x", "hi") == 69)
    #expect(daemon.requests.count == 1 && daemon.complaints.contains { $0.contains("another log") })
  }

  @Test("no third time; what is not known is not called safe")
  func unknown() {
    let twice = FakeDaemon(
      [FakeDaemon.greeting, .takes, .closes], [FakeDaemon.greeting, .takes, .closes], [FakeDaemon.greeting])
    #expect(twice.run("send", "bob@x", "hi") == 69)
    #expect(twice.dials.count == 2 && twice.complaints.last?.contains("--key=random") == true)
    #expect(FakeDaemon([FakeDaemon.greeting, .takes, .closes], [.absent]).run("send", "bob@x", "hi") == 69)
    #expect(
      FakeDaemon([FakeDaemon.greeting, .takes, .closes], [FakeDaemon.greeting, .cutsWriting]).run("send", "bob@x", "hi")
        == 69)
  }

  @Test("a daemon that is full when asked again cannot say what became of the first time")
  func busyAgain() {
    let full = FakeDaemon.Step.lines([#"{"ok":false,"error":"limit","reason":"too many"}"#])
    let daemon = FakeDaemon([FakeDaemon.greeting, .takes, .closes], [full])
    #expect(daemon.run("send", "b@x", "hi") == 69)
    #expect(daemon.complaints.last?.contains("--key=random") == true)
    #expect(FakeDaemon([FakeDaemon.greeting, .cutsWriting], [full]).run("send", "b@x", "hi") == 75)
  }

  @Test("75 only where nothing can have been stored")
  func nothingStored() {
    #expect(
      FakeDaemon([FakeDaemon.greeting, .cutsWriting], [FakeDaemon.greeting, .cutsWriting]).run("send", "b@x", "hi")
        == 75)
    #expect(FakeDaemon([.closes], [.closes]).run("send", "b@x", "hi") == 75)
    #expect(FakeDaemon(answers: #"{"ok":false,"error":"no-space","reason":"full"}"#).run("send", "b@x", "hi") == 75)
    #expect(FakeDaemon(answers: #"{"ok":false,"error":"storage","reason":"bad disk"}"#).run("send", "b@x", "hi") == 75)
    let daemon = FakeDaemon([FakeDaemon.greeting, .cutsWriting], [FakeDaemon.greeting, .takes, .lines([Self.stored])])
    #expect(daemon.run("send", "b@x", "hi") == 0)
  }

  @Test("no daemon, one that lets nobody in, one that is none")
  func noDaemon() {
    #expect(FakeDaemon([.absent]).run("send", "b@x", "hi") == 69)
    #expect(
      FakeDaemon([.lines([#"{"ok":false,"error":"not-allowed","reason":"not you"}"#])]).run("send", "b@x", "hi") == 77)
    #expect(FakeDaemon([.lines([#"{"ok":false,"error":"limit","reason":"too many"}"#])]).run("send", "b@x", "hi") == 75)
    #expect(FakeDaemon([.lines(["SSH-2.0-OpenSSH"])]).run("send", "b@x", "hi") == 69)
    #expect(FakeDaemon([.lines([#"{"confab":2}"#])]).run("send", "b@x", "hi") == 69)
  }

  @Test(
    "what the daemon says becomes an exit status",
    arguments: [
      (#"{"ok":false,"error":"failed","reason":"gone","id":8,"state":"failed"}"#, 2),
      (#"{"ok":false,"error":"failed","reason":"you are not in the room r@x"}"#, 1),
      (#"{"ok":false,"error":"timeout","reason":"late","id":8,"state":"queued"}"#, 3),
      (#"{"ok":false,"error":"bad-argument","reason":"no JID","argument":"to"}"#, 64),
      (#"{"ok":false,"error":"bad-argument","reason":"no","argument":"text","position":1}"#, 65),
      (#"{"ok":false,"error":"too-large","reason":"long"}"#, 65),
      (#"{"ok":false,"error":"key-mismatch","reason":"k"}"#, 1),
      (#"{"ok":false,"error":"not-allowed","reason":"no"}"#, 77),
      (#"{"ok":false,"error":"account-needed","reason":"?"}"#, 64),
      (#"{"ok":false,"error":"of-a-later-version","reason":"?"}"#, 1),
    ])
  func exitCodes(line: String, code: Int32) {
    let daemon = FakeDaemon(answers: line)
    #expect(daemon.run("send", "bob@x", "hi") == code)
    #expect(daemon.output.isEmpty && daemon.complaints.count == 1)
    #expect(FakeDaemon(answers: line).run("--json", "send", "bob@x", "hi") == code)
  }

  @Test("a time that ran out says how to go on waiting")
  func hint() {
    let daemon = FakeDaemon(
      answers: #"{"ok":false,"error":"timeout","reason":"no answer in 1s","id":8,"state":"sent"}"#)
    #expect(daemon.run("send", "--wait=delivered", "--timeout=1s", "bob@x", "hi") == 3)
    #expect(
      daemon.complaints == ["confab: message 8 is sent: no answer in 1s (timeout); see: confab wait --for=delivered 8"])
  }

  @Test("what is refused says so without steering the terminal")
  func cleanComplaints() {
    let daemon = FakeDaemon(
      answers: #"{"ok":false,"error":"failed","reason":"\u001b[31m\u202e\nx","id":8,"state":"\u009b"}"#)
    _ = daemon.run("send", "bob@x", "hi")
    #expect(daemon.complaints == ["confab: message 8 is \u{FFFD}: \u{FFFD}[31m\u{FFFD}↵x (failed)"])
  }
}
