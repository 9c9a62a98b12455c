import Clocks
import LineProtocol
import Testing

@Suite("Requests in words")
struct WordsTests {
  static let requests: [(String, Request)] = [
    ("ping", Request(.ping)),
    ("ping tag=a/b account=home", Request(.ping, tag: .string("a/b"), account: "home")),
    ("ping tag=", Request(.ping, tag: .string(""))),
    ("ping tag=007", Request(.ping, tag: .string("007"))),
    ("ping --", Request(.ping)),
    ("help", Request(.help)),
    (
      "help format=json send", Request(.help, options: [.format: .string("json")], arguments: [.about: .string("send")])
    ),
    ("send bob@x hello", Request(.send, arguments: [.to: .string("bob@x")], text: "hello")),
    ("send bob@x  two  spaces ", Request(.send, arguments: [.to: .string("bob@x")], text: " two  spaces ")),
    ("send bob@x tag=1 key=2", Request(.send, arguments: [.to: .string("bob@x")], text: "tag=1 key=2")),
    ("send bob@x {\"a\":1}", Request(.send, arguments: [.to: .string("bob@x")], text: "{\"a\":1}")),
    ("send bob@x -- dashes", Request(.send, arguments: [.to: .string("bob@x")], text: "-- dashes")),
    ("send -- tag=x@y hi", Request(.send, arguments: [.to: .string("tag=x@y")], text: "hi")),
    (
      "send user=x@y hi tag=5", Request(.send, arguments: [.to: .string("user=x@y")], text: "hi tag=5")
    ),
    (
      "send bob@x 你好 \u{1F600}\u{202E}\u{7F}",
      Request(.send, arguments: [.to: .string("bob@x")], text: "你好 \u{1F600}\u{202E}\u{7F}")
    ),
    (
      "send wait=sent timeout=5s key=k=1 tag=t bob@x hi",
      Request(
        .send, options: [.wait: .string("sent"), .timeout: .duration(.seconds(5)), .key: .string("k=1")],
        arguments: [.to: .string("bob@x")], text: "hi", tag: .string("t"))
    ),
    ("wait for=sent 12", Request(.wait, options: [.for: .string("sent")], arguments: [.id: .id(12)])),
    ("draft bob@x", Request(.draft, arguments: [.jid: .string("bob@x")])),
    ("draft bob@x ", Request(.draft, arguments: [.jid: .string("bob@x")], text: "")),
    ("presence away", Request(.presence, arguments: [.show: .string("away")])),
    ("presence xa till ten", Request(.presence, arguments: [.show: .string("xa")], text: "till ten")),
    ("read bob@x", Request(.read, arguments: [.jid: .string("bob@x")])),
    ("read bob@x 0", Request(.read, arguments: [.jid: .string("bob@x"), .id: .id(0)])),
    (
      "history limit=0 since=2026-11-20T09:09:59.9991Z until_time=2026-11-20T23:59:59.99900001+01:00 gap=90m bob@x",
      Request(
        .history,
        options: [
          .limit: .integer(0), .since: .time(Timestamp(milliseconds: 1_795_165_800_000)),
          .untilTime: .time(Timestamp(milliseconds: 1_795_215_600_000)), .gap: .duration(.minutes(90)),
        ], arguments: [.jid: .string("bob@x")])
    ),
    (
      "history row=9223372036854775807 bob@x",
      Request(.history, options: [.row: .integer(.max)], arguments: [.jid: .string("bob@x")])
    ),
    ("watch", Request(.watch)),
    ("watch since=now", Request(.watch, options: [.since: .now])),
    (
      "watch since=17 log=abc in=bob@x kinds=message,caught-up",
      Request(
        .watch,
        options: [
          .since: .id(17), .log: .string("abc"), .in: .string("bob@x"), .kinds: .list(["message", "caught-up"]),
        ])
    ),
    (
      "notify until=2026-11-20T09:10:00Z bob@x never",
      Request(
        .notify, options: [.until: .time(Timestamp(milliseconds: 1_795_165_800_000))],
        arguments: [.jid: .string("bob@x"), .level: .string("never")])
    ),
    ("pin bob@x yes", Request(.pin, arguments: [.jid: .string("bob@x"), .value: .string("yes")])),
    ("unread-from bob@x 7", Request(.unreadFrom, arguments: [.jid: .string("bob@x"), .id: .id(7)])),
    ("retract 12", Request(.retract, arguments: [.id: .id(12)])),
    ("react 12", Request(.react, arguments: [.id: .id(12)])),
    ("react 12 👍 ❤️", Request(.react, arguments: [.id: .id(12), .emoji: .list(["👍", "❤️"])])),
    (
      "send reply=12 bob@x hi",
      Request(.send, options: [.reply: .id(12)], arguments: [.to: .string("bob@x")], text: "hi")
    ),
    ("forward 12 bob@x", Request(.forward, arguments: [.id: .id(12), .jid: .string("bob@x")])),
    ("focus", Request(.focus)), ("focus bob@x", Request(.focus, arguments: [.jid: .string("bob@x")])),
    (
      "add name=Bob group=Friends bob@x",
      Request(.add, options: [.name: .string("Bob"), .group: .string("Friends")], arguments: [.jid: .string("bob@x")])
    ),
  ]

  @Test("well-formed lines", arguments: requests.indices)
  func parses(index: Int) {
    let (line, request) = Self.requests[index]
    #expect(readEveryWay(line + "\n") == [.request(request)])
    #expect(read(line + "\r\n") == [.request(request)])
    #expect(read(line).map(\.failure?.code) == [.incomplete])
  }

  @Test(
    "wrong lines, and what each is answered",
    arguments: [
      ("nosuch", "unknown-verb"), ("PING", "unknown-verb"), ("nosuch tag=7 x", "unknown-verb #7"),
      ("nosuch foo=1 _b=2 tag=7", "unknown-verb #7"), ("nosuch foo=1 x tag=7", "unknown-verb"),
      ("moderate tag=1 12", "unknown-verb #1"), ("retract in=bob@x hello", "bad-argument id"),
      (" ping", "bad-argument verb"), (" ping tag=1", "bad-argument verb #1"), ("ping ", "bad-argument"),
      ("ping x", "bad-argument"),
      ("ping tag=1 x", "bad-argument #1"), ("ping tag=1 tag=2", "bad-argument tag #1"),
      ("ping account=", "bad-argument account"), ("ping account=a account=a", "bad-argument account"),
      ("ping wait=sent", "bad-argument"), ("ping until=", "bad-argument until"),
      ("send", "bad-argument to"), ("send ", "bad-argument to"), ("send  bob@x hi", "bad-argument to"),
      ("send bob@x", "bad-argument text"), ("send bob@x ", "bad-argument text"),
      ("send tag=4 wait=sent  bob@x hi", "bad-argument to #4"),
      ("send wait=never tag=1 bob@x hi", "bad-argument wait #1"), ("send wait= bob@x hi", "bad-argument wait"),
      ("send wait=sent wait=sent bob@x hi", "bad-argument wait"), ("send timeout=5 bob@x hi", "bad-argument timeout"),
      ("send key= bob@x hi", "bad-argument key"), ("send key=\u{E9} bob@x hi", "bad-argument key"),
      ("send replace=x tag=2 bob@x hi", "bad-argument replace #2"), ("send reply= bob@x hi", "bad-argument reply"),
      ("send reply=5 replace=6 bob@x hi", "bad-argument replace"),
      ("send replace=5 hold=5s bob@x hi", "bad-argument hold"),
      ("react", "bad-argument id"), ("react 5  👍", "bad-argument emoji"), ("react 5 ", "bad-argument emoji"),
      ("send tmieout=5s bob@x hi", "bad-argument to"), ("send tmieout=5s tag=3 bob@x hi", "bad-argument to #3"),
      ("send bob@x a\u{0}b", "bad-argument text@1"), ("send bob@x \u{1F600}e\u{301}\u{FFFE}", "bad-argument text@3"),
      ("send bob@x \u{1B}[31m", "bad-argument text@0"), ("send bob@x \u{FFFF}", "bad-argument text@0"),
      ("notify until=2026-13-01 bob@x never", "bad-argument until"),
      ("notify until=2h tag=1 bob@x never", "bad-argument until #1"),
      ("notify until=2026-11-20T09:10:00Z until=2026-11-20T09:10:00Z bob@x never", "bad-argument until"),
      ("notify bob@x never mind", "bad-argument"), ("notify bob@x loud", "bad-argument level"),
      ("pin bob@x", "bad-argument value"), ("archive bob@x 1", "bad-argument value"),
      ("wait 12", "bad-argument for"), ("wait for=sent", "bad-argument id"), ("wait for=sent x", "bad-argument id"),
      ("wait for=sent -1", "bad-argument id"), ("wait for=sent +1", "bad-argument id"),
      ("wait for=sent 1 2", "bad-argument"),
      ("wait for=sent 9223372036854775808", "bad-argument id"),
      ("wait for=sent 99999999999999999999999", "bad-argument id"),
      ("wait for=queued 12", "bad-argument for"),
      ("history", "bad-argument jid"), ("history limit=1001 bob@x", "bad-argument limit"),
      ("history limit=-1 bob@x", "bad-argument limit"), ("history limit=1e3 bob@x", "bad-argument limit"),
      ("history before=1 after=2 bob@x", "bad-argument after"), ("history around=1 row=2 bob@x", "bad-argument row"),
      ("history row=1 since=2026-11-20T09:10:00Z bob@x", "bad-argument since"),
      ("history since=yesterday bob@x", "bad-argument since"), ("history bob@x more", "bad-argument"),
      ("watch as=", "bad-argument as"), ("watch since=soon", "bad-argument since"),
      ("watch kinds=message,nosuch", "bad-argument kinds"), ("watch kinds=", "bad-argument kinds"),
      ("watch kinds=message,", "bad-argument kinds"), ("watch in= tag=9", "bad-argument in #9"),
      ("presence gone", "bad-argument show"), ("presence", "bad-argument show"),
      ("add name=\u{1} bob@x", "bad-argument name@0"), ("help a b", "bad-argument"),
      ("help format=xml", "bad-argument format"),
      ("\u{FEFF}ping", "unknown-verb"), ("ping\ttag=1", "unknown-verb"), ("until=x", "unknown-verb"),
    ])
  func refuses(line: String, summary: String) {
    let items = readEveryWay(line + "\nping\n")
    // `until=` swallows what follows it, to an empty line that never comes.
    let expected = line == "ping until=" ? ["incomplete"] : [summary, "ok ping"]
    #expect(items.map(\.summary) == expected)
  }

  @Test("a text exactly at the limit passes, one byte more does not; so with its length as XML")
  func textLimits() {
    let line = { (text: String) in read("send b@x " + text + "\n").map(\.summary) }
    #expect(line(String(repeating: "a", count: Limits.text)) == ["ok send"])
    #expect(line(String(repeating: "a", count: Limits.text + 1)) == ["too-large text"])
    #expect(line(String(repeating: "é", count: Limits.text / 2)) == ["ok send"])
    #expect(line(String(repeating: "&", count: 40_000)) == ["ok send"])
    #expect(line(String(repeating: "&", count: 40_000) + "a") == ["too-large text"])
    #expect(line(String(repeating: "<", count: 50_000) + "\"'") == ["too-large text"])
    #expect(line(String(repeating: "\"", count: Limits.text)) == ["ok send"])
  }

  @Test("keys and tags have their limits")
  func keyAndTagLimits() {
    let long = { (count: Int) in String(repeating: "k", count: count) }
    #expect(read("send key=\(long(64)) b@x t\n").map(\.summary) == ["ok send"])
    #expect(read("send key=\(long(65)) b@x t\n").map(\.summary) == ["bad-argument key"])
    #expect(read("ping tag=\(long(1024))\n").first?.request?.tag == .string(long(1024)))
    #expect(read("ping tag=\(long(1025))\n").map(\.summary) == ["bad-argument tag"])
    #expect(read("\(long(60_000))\n").first?.failure.map { $0.reason.utf8.count < 200 } == true)
  }
}
