import Screen
import Testing

@Suite("What the terminal sends, decoded")
struct InputDecoderTests {
  @Test("a sequence is the event that the table says", arguments: InputSample.all)
  func table(sample: InputSample) {
    #expect(decode([Array(sample.bytes.utf8)]) == sample.events)
  }

  @Test("a sequence that is cut anywhere, or comes byte by byte, gives the same events", arguments: InputSample.all)
  func cuts(sample: InputSample) {
    let bytes = Array(sample.bytes.utf8)
    for cut in 0...bytes.count { #expect(decode([Array(bytes[..<cut]), Array(bytes[cut...])]) == sample.events) }
    #expect(decode(bytes.map { [$0] }) == sample.events)
  }

  @Test("a sequence leaves nothing behind: the letter after it is the letter", arguments: InputSample.all)
  func followed(sample: InputSample) {
    // In one burst with a paste it is pasted.
    let isPasted = if case .paste? = sample.events.last { true } else { false }
    let letter = isPasted ? InputEvent.paste([0x7A]) : .key(Key(.character("z")))
    #expect(decode([Array((sample.bytes + "z").utf8)]) == sample.events + [letter])
  }

  @Test("no half sequence is text: cut off, it gives no letter but those that a person may have typed with Alt")
  func halves() {
    for sample in InputSample.replies + InputSample.mice + InputSample.xterm {
      let bytes = Array(sample.bytes.utf8)
      for cut in 3..<max(3, bytes.count) {
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        decoder.receive(Array(bytes[..<cut]), into: &events)
        while decoder.needsTimeout { decoder.timeOut(into: &events) }
        for case .key(let key) in events { #expect(key.code != .character("1"), "\(sample) at \(cut)") }
        #expect(events.filter { if case .key = $0 { true } else { false } }.count <= 1, "\(sample) at \(cut)")
      }
    }
  }

  @Test("random bytes never trap, never yield a control character as text, and leave the decoder usable")
  func chance() {
    var generator = SystemRandomNumberGenerator()
    let alphabet =
      Array("\u{1B}\u{1B}\u{1B}[[]OPM<?;:0123459~$^@ARucym\u{7}\\é_GX>|\u{18}".utf8) + [0x9B, 0xF0, 0x80, 0, 13]
    for _ in 0..<3000 {
      var decoder = InputDecoder()
      var events: [InputEvent] = []
      let bytes = (0..<60).map { _ in
        Bool.random(using: &generator) ? alphabet.randomElement(using: &generator) ?? 0 : .random(in: 0...255)
      }
      decoder.receive(bytes, into: &events)
      expectNoControl(events, bytes)
      for _ in 0..<3 where decoder.needsTimeout { decoder.timeOut(into: &events) }
      #expect(!decoder.needsTimeout, "\(bytes)")
      events = []
      decoder.receive([0x7A], into: &events)
      #expect(events == [.key(Key(.character("z")))], "\(bytes)")
    }
  }

  private func expectNoControl(_ events: [InputEvent], _ bytes: [UInt8]) {
    for case .key(let key) in events {
      guard case .character(let character) = key.code else { continue }
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      #expect(!isControl, "\(bytes)")
    }
    for case .reply(.version(let text)) in events {
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(bytes)")
    }
  }

  private func decode(_ parts: [[UInt8]]) -> [InputEvent] {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    for part in parts { decoder.receive(part, into: &events) }
    return events
  }
}

@Suite("Input that needs the time")
struct InputTimeTests {
  private var decoder = InputDecoder()
  private var events: [InputEvent] = []

  private mutating func send(_ text: String) { decoder.receive(Array(text.utf8), into: &events) }

  private mutating func wait() { decoder.timeOut(into: &events) }

  @Test("a lone ESC is the key once nothing follows")
  mutating func escape() {
    send("\u{1B}")
    #expect(events.isEmpty)
    #expect(decoder.timeoutMilliseconds == InputDecoder.keyMilliseconds)
    wait()
    #expect(events == [.key(Key(.escape))])
    #expect(!decoder.needsTimeout)
  }

  @Test(
    "an introducer that nothing follows is Alt with its letter",
    arguments: [("[", "["), ("O", "O"), ("P", "P"), ("]", "]"), ("_", "_")])
  mutating func alt(typed: String, letter: String) {
    send("\u{1B}" + typed)
    #expect(decoder.timeoutMilliseconds == InputDecoder.keyMilliseconds)
    wait()
    #expect(events == [.key(Key(.character(Character(letter)), .alt))])
  }

  @Test("two ESC are two keys")
  mutating func twice() {
    send("\u{1B}\u{1B}")
    wait()
    #expect(events == [.key(Key(.escape)), .key(Key(.escape))])
  }

  @Test("Esc right before a reply is not lost")
  mutating func escapeBeforeReply() {
    send("\u{1B}\u{1B}[?6c\u{1B}\u{1B}]11;rgb:0/0/0\u{7}\u{1B}\u{1B}[<0;1;1M")
    let escapes = events.filter { $0 == .key(Key(.escape)) }
    #expect(escapes.count == 3)
    #expect(events.count == 6)
  }

  @Test("the rest of a reply may be late by more than a key's time")
  mutating func slowReply() {
    send("\u{1B}]11;rgb:0000/")
    #expect(decoder.timeoutMilliseconds == InputDecoder.sequenceMilliseconds)
    send("0000/0000\u{1B}\\")
    #expect(events == [.reply(.background(0, 0, 0))])
  }

  @Test("a paste whose end is lost is a paste, and the next key is a key")
  mutating func lostEnd() {
    send("\u{1B}[200~one\rtwo")
    #expect(events.isEmpty)
    wait()
    #expect(events == [.paste(Array("one\rtwo".utf8))])
    #expect(!decoder.needsTimeout)
    send("x")
    #expect(events.last == .key(Key(.character("x"))))
  }

  @Test("the rest of a paste that a slow line held up is no key")
  mutating func slowPaste() {
    send("\u{1B}[200~one\r")
    wait()
    send("rm -rf\r\u{1B}[201~")
    wait()
    send("x")
    #expect(events == [.paste(Array("one\r".utf8)), .paste(Array("rm -rf\r".utf8)), .key(Key(.character("x")))])
  }

  @Test("a text that holds the end of a paste is pasted to its end, and the next key is a key")
  mutating func forgedEnd() {
    send("\u{1B}[200~one\u{1B}[201~two\r/quit\r\u{1B}[A\u{3}\u{1B}[<0;1;1M\u{1B}[I")
    #expect(events == [.paste(Array("one".utf8)), .paste(Array("two\r/quit\r".utf8)), .focus(true)])
    events = []
    #expect(decoder.timeoutMilliseconds == InputDecoder.burstMilliseconds)
    send("three\r\u{1B}[201~\u{1B}")
    wait()
    #expect(events == [.paste(Array("three\r".utf8))])
    #expect(!decoder.needsTimeout)
    send("\r")
    #expect(events.last == .key(Key(.enter)))
  }

  @Test("a report of the cursor on the first line is F3 with modifiers, but not while it was asked for")
  mutating func cursorOrKey() {
    send("\u{1B}[1;5R")
    decoder.awaitsCursor = true
    send("\u{1B}[1;5R\u{1B}[?6c\u{1B}[1;5R")
    #expect(
      events == [
        .key(Key(.function(3), .control)), .reply(.cursor(.init(column: 4, line: 0))), .reply(.attributes([6])),
        .key(Key(.function(3), .control)),
      ])
  }

  @Test("keys of the terminal's description come before the common ones")
  mutating func described() {
    decoder = InputDecoder(keys: [
      Array("\u{1B}[11~".utf8): Key(.insert), [8]: Key(.backspace), Array("\u{1B}p".utf8): Key(.function(1)),
      Array("\u{1B}[224z".utf8): Key(.function(1)),
    ])
    send("\u{1B}[11~\u{8}\u{1B}p\u{1B}[224z")
    #expect(
      events == [.key(Key(.insert)), .key(Key(.backspace)), .key(Key(.function(1))), .key(Key(.function(1)))])
  }

  @Test("sequences without end stay small")
  mutating func endless() {
    send("\u{1B}]11;" + String(repeating: "x", count: 100_000) + "\u{7}y")
    send("\u{1B}[" + String(repeating: "1;", count: 100_000) + "Ay")
    #expect(events == [.reply(.other), .key(Key(.character("y"))), .reply(.other), .key(Key(.character("y")))])
  }

  @Test("a huge paste comes in pieces of whole characters")
  mutating func hugePaste() {
    let text = String(repeating: "é語", count: 200_000)
    send("\u{1B}[200~" + text + "\u{1B}[201~")
    let pieces = events.compactMap { if case .paste(let bytes) = $0 { bytes } else { nil } }
    #expect(pieces.count > 1 && pieces.count == events.count)
    for piece in pieces { #expect(String(validating: piece, as: UTF8.self) != nil) }
    #expect(Array(pieces.joined()) == Array(text.utf8))
  }
}
