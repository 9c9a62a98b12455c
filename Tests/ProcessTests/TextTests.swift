import JSON
import TestSupport
import Testing

@Suite("texts, both ways")
struct TextTests {
  /// What people write, and what breaks programs.
  static let texts = [
    "hello",
    "你好，世界。今天天氣很好！",
    "family 👩‍👩‍👧‍👦, skin 👍🏽 👩🏿‍🚀, flags 🇨🇭🏳️‍🌈, keycap 1️⃣",
    "שלום עולם — مرحبا بالعالم",
    "a \u{202E}trick\u{202C} and a \u{200F}mark, a zero width\u{200B}space, a joiner\u{200D}",
    "composed é and decomposed e\u{301}",
    "one\ntwo\n\nfour\n",
    "\n\nfirst lines empty",
    "  leading, trailing, two  spaces  ",
    " ",
    "a\ttab\tand\t",
    "<body>&amp; \"quotes\" 'and' ]]> <!-- --> <?pi?> &#13; %s \\n",
    "line separator\u{2028}paragraph separator\u{2029}next line\u{85}end",
    "beyond the BMP \u{10FFFD} and its end \u{10FFFF} and \u{FFFD}",
    String(repeating: "漢字", count: 3334),
    String(repeating: "<&>", count: 6667),
    String(repeating: "long line ", count: 2000),
  ]

  @Test("arrive at the other person as they were written, and in their order")
  func outgoing() throws {
    try withProsody { world throws in
      let bob = try world.bob()
      for text in Self.texts { try world.client.sendToBob(text) }
      for text in Self.texts {
        let message = try bob.message()
        #expect(message.hasText(text), "\(text.prefix(60))")
        #expect(message.text("from").hasPrefix("alice@example.test/"))
        #expect(message.text("type") == "chat")
      }
      let history = try world.client.history("bob@example.test")
      for (message, text) in zip(history, Self.texts) { #expect(message.hasText(text), "\(text.prefix(60))") }
      #expect(history.count == Self.texts.count)
    }
  }

  @Test("come from the other person as they were written, each once, with a growing number")
  func incoming() throws {
    try withProsody(tls: "starttls") { world throws in
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=message")
      let bob = try world.bob()
      for text in Self.texts { try bob.send(text, to: "alice@example.test") }
      var last: Int64 = 0
      for text in Self.texts {
        let event = try watcher.event("message")
        let message = try #require(event["message"])
        #expect(message.hasText(text), "\(text.prefix(60))")
        #expect(message["mine"]?.bool == false)
        #expect(message.text("conversation") == "bob@example.test")
        #expect(message.text("from") == bob.fullJID)
        let id = try #require(message["id"]?.integer)
        #expect(event["seq"]?.integer == id)
        #expect(id > last)
        last = id
      }
      #expect(try world.client.history("bob@example.test").count == Self.texts.count)
    }
  }

  @Test("sent is said once the server has them, and the words form keeps every space and line")
  func words() throws {
    try withProsody { world throws in
      let bob = try world.bob()
      let sent = try world.client.ask("send wait=sent bob@example.test  two  spaces ")
      #expect(sent.final.text("state") == "sent")
      #expect(try bob.message().hasText(" two  spaces "))
      try world.client.send("send until=END bob@example.test", "first", "", " third END", "END")
      #expect(try world.client.answer().isOK)
      #expect(try bob.message().hasText("first\n\n third END"))
      let id = try #require(sent.id)
      #expect(try world.client.ask("wait for=sent \(id)").final.text("state") == "sent")
    }
  }

  @Test("to somebody who does not exist fails, with the server's reason")
  func nobody() throws {
    try withProsody { world throws in
      let answer = try world.client.request("send wait=delivered timeout=50s nobody@example.test hello")
      #expect(answer.error == "failed")
      #expect(answer.final["failure"]?.text("condition") == "service-unavailable")
      let message = try #require(try world.client.history("nobody@example.test").first)
      #expect(message.text("state") == "failed")
    }
  }

  @Test("to oneself is one message")
  func oneself() throws {
    try withProsody { world throws in
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=message")
      try world.client.ask("send wait=sent alice@example.test note to self")
      try world.client.ask("send wait=sent alice@example.test another")
      let first = try watcher.event("message")
      #expect(first["message"]?.text("text") == "note to self")
      #expect(first["message"]?["mine"]?.bool == true)
      #expect(try watcher.event("message")["message"]?.text("text") == "another")
      #expect(try world.client.history("alice@example.test").count == 2)
    }
  }

  @Test("with carriage returns keep them, both ways", arguments: ["direct", "starttls"])
  func carriageReturns(tls: String) throws {
    try withScriptedServer(tls: tls) { world throws in
      let client = world.client
      for text in ["a\rb", "\r", "lines\r\nand\r\n", "\r\r\n\n\r"] {
        try client.sendToBob(text)
        let xml = try world.server.received("message")
        #expect(!xml.utf8.contains(0x0D))
        #expect(xml.contains("<body>\(returns(in: text, as: "&#13;"))</body>"))
        try world.deliver(returns(in: text, as: "&#xD;"), id: "\(text.utf8.count)")
        let watcher = try world.daemon.client()
        try watcher.ask("watch since=0 kinds=message")
        _ = try watcher.event("message") {
          $0["message"]?["mine"]?.bool == false && $0["message"]?.hasText(text) == true
        }
      }
    }
  }

  private func returns(in text: String, as reference: String) -> String {
    text.unicodeScalars.map { $0 == "\r" ? reference : String($0) }.joined()
  }

  @Test("that XML cannot carry are refused with the position, and nothing of them goes out")
  func unsendable() throws {
    try withScriptedServer { world throws in
      let client = world.client
      for (text, position) in [("a\\u0000b", 1), ("\\uFFFE", 0), ("你好\\u0008", 2), ("😀\\uFFFF", 1)] {
        let answer = try client.request(
          #"{"verb":"send","to":"bob@example.test","text":"\#(text)"}"#)
        #expect(answer.error == "bad-argument")
        #expect(answer.final.text("argument") == "text")
        #expect(answer.final["position"]?.integer == Int64(position))
      }
      #expect(try client.request("send bob@example.test ").error == "bad-argument")
      let long = String(repeating: "x", count: 60_001)
      #expect(try client.request("send bob@example.test \(long)").error == "too-large")
      let lone = try client.request(#"{"verb":"send","to":"bob@example.test","text":"\uD800"}"#)
      #expect(lone.error == "bad-encoding")
      try client.sendToBob("good")
      #expect(try world.server.received("message").contains("<body>good</body>"))
      #expect(try client.history("bob@example.test").count == 1)
    }
  }
}
