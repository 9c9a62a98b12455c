import Clocks
import LineProtocol
import Testing

@Suite("Requests in JSON")
struct JSONRequestTests {
  static let requests: [(String, Request)] = [
    (#"{"verb":"ping"}"#, Request(.ping)),
    (#"{ "tag" : 7 , "verb" : "ping" } "#, Request(.ping, tag: .integer(7))),
    (#"{"verb":"ping","tag":"7","account":"home"}"#, Request(.ping, tag: .string("7"), account: "home")),
    (#"{"verb":"ping","tag":""}"#, Request(.ping, tag: .string(""))),
    (
      #"{"verb":"send","to":"bob@x","text":" a\r\nb\t\ud83d\ude00 ","wait":"sent","timeout":"5s","key":"k"}"#,
      Request(
        .send, options: [.wait: .string("sent"), .timeout: .duration(.seconds(5)), .key: .string("k")],
        arguments: [.to: .string("bob@x")], text: " a\r\nb\t\u{1F600} ")
    ),
    (
      #"{"verb":"wait","for":"sent","id":12}"#,
      Request(.wait, options: [.for: .string("sent")], arguments: [.id: .id(12)])
    ),
    (
      #"{"verb":"wait","for":"sent","id":"12"}"#,
      Request(.wait, options: [.for: .string("sent")], arguments: [.id: .id(12)])
    ),
    (
      #"{"verb":"history","jid":"bob@x","limit":20,"before":"99"}"#,
      Request(.history, options: [.limit: .integer(20), .before: .id(99)], arguments: [.jid: .string("bob@x")])
    ),
    (#"{"verb":"draft","jid":"bob@x"}"#, Request(.draft, arguments: [.jid: .string("bob@x")])),
    (#"{"verb":"draft","jid":"bob@x","text":""}"#, Request(.draft, arguments: [.jid: .string("bob@x")], text: "")),
    (
      #"{"verb":"watch","since":0,"kinds":["message","state"]}"#,
      Request(.watch, options: [.since: .id(0), .kinds: .list(["message", "state"])])
    ),
    (
      #"{"verb":"watch","since":"now","kinds":"read"}"#,
      Request(.watch, options: [.since: .now, .kinds: .list(["read"])])
    ),
    (
      #"{"verb":"add","jid":"b@x","name":"Bob of the Bobs","group":"Old friends"}"#,
      Request(
        .add, options: [.name: .string("Bob of the Bobs"), .group: .string("Old friends")],
        arguments: [.jid: .string("b@x")])
    ),
    (#"{"verb":"help","about":"send"}"#, Request(.help, arguments: [.about: .string("send")])),
    (
      #"{"verb":"presence","show":"dnd","text":"busy"}"#,
      Request(.presence, arguments: [.show: .string("dnd")], text: "busy")
    ),
  ]

  @Test("well-formed objects", arguments: requests.indices)
  func parses(index: Int) {
    let (line, request) = Self.requests[index]
    #expect(readEveryWay(line + "\n") == [.request(request)])
  }

  @Test(
    "wrong objects, and what each is answered",
    arguments: [
      ("{", "bad-argument"), ("{}", "bad-argument verb"), ("{\"tag\":5}", "bad-argument verb #5i"),
      ("{}x", "bad-argument"),
      (#"{"verb":5,"tag":"a"}"#, "bad-argument verb #a"), (#"{"verb":"nosuch","tag":-3}"#, "unknown-verb #-3i"),
      (#"{"verb":"ping","extra":1,"tag":1}"#, "bad-argument extra #1i"),
      (#"{"verb":"ping","text":"x"}"#, "bad-argument text"),
      (#"{"verb":"ping","jid":"x"}"#, "bad-argument jid"), (#"{"verb":"ping","tag":1.5}"#, "bad-argument tag"),
      (#"{"verb":"ping","tag":null}"#, "bad-argument tag"),
      (#"{"verb":"ping","tag":99999999999999999999}"#, "bad-argument tag"),
      (#"{"verb":"ping","tag":true}"#, "bad-argument tag"), (#"{"verb":"ping","tag":[1]}"#, "bad-argument tag"),
      (#"{"verb":"ping","account":1}"#, "bad-argument account"),
      (#"{"verb":"ping","account":""}"#, "bad-argument account"),
      (#"{"verb":"send","text":"x","tag":1}"#, "bad-argument to #1i"),
      (#"{"verb":"send","to":"b@x"}"#, "bad-argument text"),
      (#"{"verb":"send","to":"b@x","text":""}"#, "bad-argument text"),
      (#"{"verb":"send","to":"","text":"x"}"#, "bad-argument to"),
      (#"{"verb":"send","to":"b@x","text":5}"#, "bad-argument text"),
      (#"{"verb":"send","to":5,"text":"x"}"#, "bad-argument to"),
      (#"{"verb":"send","jid":"b@x","text":"x"}"#, "bad-argument jid"),
      (#"{"verb":"send","to":"b@x","text":"x","reply":"x"}"#, "bad-argument reply"),
      (#"{"verb":"send","to":"b@x","text":"x","timeout":5}"#, "bad-argument timeout"),
      (#"{"verb":"send","to":"b@x","text":"ab\u0000"}"#, "bad-argument text@2"),
      (#"{"verb":"send","to":"b@x","text":"\ud83d\ude00\ufffe","tag":1}"#, "bad-argument text@1 #1i"),
      (#"{"verb":"send","to":"b@x","text":"\ud83d","tag":1}"#, "bad-encoding #1i"),
      (#"{"verb":"send","to":"b@x","text":"\ude00","tag":"t"}"#, "bad-encoding #t"),
      (#"{"verb":"ping","verb":"ping","tag":1}"#, "bad-argument verb #1i"),
      (#"{"verb":"ping","tag":1,"tag":2}"#, "bad-argument tag #1i"),
      (#"{"verb":"ping","x":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]],"tag":1}"#, "bad-argument"),
      (#"{"verb":"history","jid":"b@x","limit":1001}"#, "bad-argument limit"),
      (#"{"verb":"history","jid":"b@x","limit":5.0}"#, "bad-argument limit"),
      (#"{"verb":"history","jid":"b@x","limit":-5}"#, "bad-argument limit"),
      (#"{"verb":"history","jid":"b@x","limit":null}"#, "bad-argument limit"),
      (#"{"verb":"history","jid":"b@x","before":1,"around":2}"#, "bad-argument around"),
      (#"{"verb":"watch","kinds":["message",5]}"#, "bad-argument kinds"),
      (#"{"verb":"watch","kinds":[]}"#, "bad-argument kinds"),
      (#"{"verb":"watch","as":""}"#, "bad-argument as"), (#"{"verb":"wait","id":1}"#, "bad-argument for"),
      (#"{"verb":"wait","for":"sent","id":true}"#, "bad-argument id"),
      (#"{"verb":"wait","for":"sent","id":[1]}"#, "bad-argument id"),
      (#"{"verb":"react","id":1,"emoji":[1]}"#, "bad-argument emoji"),
      (#"{"verb":"react","id":1,"emoji":[""]}"#, "bad-argument emoji"),
    ])
  func refuses(line: String, summary: String) {
    #expect(readEveryWay(line + "\nping\n").map(\.summary) == [summary, "ok ping"])
  }

  @Test("both forms may be mixed on one connection")
  func mixed() {
    #expect(
      readEveryWay("ping tag=1\n{\"verb\":\"ping\",\"tag\":1}\nping\n").map(\.summary)
        == ["ok ping #1", "ok ping #1i", "ok ping"])
  }
}
