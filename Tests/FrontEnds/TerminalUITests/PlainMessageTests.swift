import Clocks
import JSON
import TerminalUI
import Testing

@Suite("Commands about messages in the plain mode")
struct PlainMessageTests {
  private let ui: PlainApplication
  private let now = Moment(instant: Instant(milliseconds: 0), wall: Harness.start)

  init() {
    let environment = ApplicationEnvironment(offset: { _ in 0 }, words: .english, token: "run", socket: "/s")
    ui = PlainApplication(environment, now: now)
    let asked = handle(.lines([Array(#"{"confab":1,"log":"L","limits":{"text":60000}}"#.utf8)])).sent
    _ = handle(Harness.noAccounts(asked))
    _ = handle(.typed("/open bob@example.org"))
    _ = line(#"{"event":"message","seq":8,"message":\#(Harness.message(8, "lunch?"))}"#)
    _ = line(#"{"event":"message","seq":9,"message":\#(Harness.message(9, "noo", mine: true))}"#)
  }

  private func handle(_ event: PlainEvent) -> (said: [String], sent: [JSONValue]) {
    let (lines, actions) = ui.handle(event, at: now)
    var sent: [JSONValue] = []
    for case .send(let bytes) in actions {
      sent += bytes.split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0), maximumDepth: 9) }
    }
    return (lines, sent.filter { !["read", "focus"].contains($0["verb"]?.string) })
  }

  private func line(_ text: String) -> [String] { handle(.lines([Array(text.utf8)])).said }

  private func request(_ typed: String) -> JSONValue? { handle(.typed(typed)).sent.first }

  @Test("a message is answered, corrected and reacted to by the number with which it was said")
  func changing() {
    let reply = request("/reply 1 at 3 pm")
    #expect(reply?["verb"]?.string == "send" && reply?["reply"]?.integer == 8 && reply?["text"]?.string == "at 3 pm")
    #expect(reply?["to"]?.string == "bob@example.org" && reply?["emoticons"]?.string == "expand")
    let correction = request("/correct #2 no")
    #expect(correction?["replace"]?.integer == 9 && correction?["text"]?.string == "no")
    let reaction = request("/react 1 👍 🎂")
    #expect(reaction?["id"]?.integer == 8 && reaction?["emoji"]?.array?.compactMap(\.string) == ["👍", "🎂"])
    let none = request("/react 1")
    #expect(none?["id"]?.integer == 8 && none?["emoji"] == nil)
  }

  @Test("a file is sent by its path; one that cannot be opened is said")
  func sending() {
    let actions = ui.handle(.typed("/file '/tmp/a b' hi"), at: now).actions
    guard case .pass(let request)? = actions.last else { return #expect(Bool(false), "nothing is sent") }
    #expect(request.paths == ["/tmp/a b"] && String(decoding: request.bytes, as: UTF8.self).contains("send-file"))
    #expect(handle(.notOpened(request.message, "no such file")).said.joined().contains("no such file"))
  }

  @Test("a file of a message is saved by the message's number, and where it is is said")
  func saving() {
    #expect(handle(.typed("/save 1 ~/a")).said == ["The message has no file."])
    let file = #"{"url":"https://x/a","name":"a.png","type":"image/png","size":900}"#
    let row = Harness.message(12, "two").replacing(
      #""opens_section""#, with: #""attachments":[\#(file),\#(file)],"opens_section""#)
    let said = line(#"{"event":"message","seq":12,"message":\#(row)}"#)
    #expect(said.count == 1 && said[0].contains("[a.png: PNG, 900 bytes]"))
    let number = said[0].split(separator: "#").last.map(String.init) ?? ""
    #expect(handle(.typed("/save \(number) ~/a")).said == ["The message has 2 files: /save NUMBER PATH."])
    let fetch = request("/save \(number) 2 '~/a b'")
    #expect(fetch?["verb"]?.string == "fetch" && fetch?["id"]?.integer == 12 && fetch?["index"]?.integer == 1)
    let tag = fetch?["tag"]?.integer ?? -1
    let answer = #"{"ok":true,"type":"image/png","size":900,"tag":\#(tag)}"#
    guard case .keep(let kept)? = ui.handle(.lines([Array(answer.utf8)]), at: now).actions.last else {
      return #expect(Bool(false), "nothing is kept")
    }
    #expect(kept.use == .save("~/a b"))
    #expect(handle(.said("Saved as /a.")).said == ["Saved as /a."])
  }

  @Test("the files of a message are fetched no further by the message's number, and the end of that is not said")
  func stopping() {
    let file = #"{"url":"https://x/a","name":"a.png","type":"image/png","size":900}"#
    let row = Harness.message(12, "two").replacing(
      #""opens_section""#, with: #""attachments":[\#(file),\#(file)],"opens_section""#)
    _ = line(#"{"event":"message","seq":12,"message":\#(row)}"#)
    #expect(handle(.typed("/fetch-stop 3")).said == ["No file of message 3 is being fetched."])
    let (said, asked) = handle(.typed("/save 3 2 /tmp/a"))
    #expect(said == ["Fetching a.png. /fetch-stop 3 stops it."])
    let (stopped, stop) = handle(.typed("/fetch-stop 3"))
    #expect(stopped == ["Stopped."] && stop.count == 1 && stop[0]["verb"]?.string == "fetch-stop")
    #expect(stop[0]["id"]?.integer == 12 && stop[0]["index"]?.integer == 1)
    let tags = (asked + stop).map { $0["tag"]?.integer ?? -1 }
    #expect(line(#"{"error":"cancelled","reason":"x","tag":\#(tags[0])}"#).isEmpty)
    #expect(line(#"{"ok":true,"tag":\#(tags[1])}"#).isEmpty)
    #expect(handle(.typed("/help")).said.contains { $0.hasPrefix("/fetch-stop NUMBER: ") })
  }

  @Test("a message that was not delivered is said, with its number")
  func failure() {
    let failed = line(
      #"{"event":"state","conversation":"bob@example.org","id":9,"state":"failed","failure":{"condition":"gone"}}"#)
    #expect(failed == ["Not delivered: the address has moved. Ask for the new one. It said: noo #2"])
    #expect(line(#"{"event":"state","conversation":"bob@example.org","id":9,"state":"delivered"}"#).isEmpty)
  }

  @Test("a message that was not delivered is said also if its conversation is closed, or it is not here any more")
  func failureElsewhere() {
    _ = handle(.typed("/open zoe@example.org"))
    let failure = #""state":"failed","failure":{"condition":"gone"}"#
    let known = line(#"{"event":"state","conversation":"bob@example.org","id":9,\#(failure)}"#)
    #expect(known == ["In bob@example.org: Not delivered: the address has moved. Ask for the new one. It said: noo #2"])
    let unknown = line(#"{"event":"state","conversation":"carl@example.org","id":5,\#(failure)}"#)
    #expect(unknown == ["In carl@example.org: Not delivered: the address has moved. Ask for the new one."])
    #expect(line(#"{"event":"state","conversation":"carl@example.org","id":5,"state":"sent"}"#).isEmpty)
  }

  @Test("a message is forwarded, cancelled and looked behind by its number; retracting is asked about")
  func others() {
    let forward = request("/forward 1 zoe@example.org what do you say?")
    #expect(forward?["id"]?.integer == 8 && forward?["jid"]?.string == "zoe@example.org")
    #expect(forward?["text"]?.string == "what do you say?")
    #expect(request("/versions 1")?["id"]?.integer == 8)
    #expect(request("/cancel 2")?["verb"]?.string == "cancel")
    let (asked, sent) = handle(.typed("/retract 2"))
    #expect(asked == ["Retract #2, \"noo\", for everybody? /yes does it, /no leaves it."] && sent.isEmpty)
    let retraction = request("/yes")
    #expect(retraction?["verb"]?.string == "retract" && retraction?["id"]?.integer == 9)
  }

  @Test("a wrong number and a missing text are said, and nothing is sent")
  func mistakes() {
    #expect(handle(.typed("/react 7 👍")).said == ["No message has the number 7."])
    #expect(
      handle(.typed("/reply 1")).said == ["Type /reply NUMBER TEXT: each message is said with its number, as #1."])
    #expect(request("/retract") == nil && request("/forward 1 Nobody") == nil)
    #expect(handle(.typed("/retract 1")).said == ["Message 1 is not yours."])
  }

  @Test("what becomes of a message of another conversation is said with its place, if the message was said")
  func elsewhere() {
    func zoe(_ id: UInt64, _ text: String) -> String {
      Harness.message(id, text, from: "zoe@example.org", nick: "Zoe")
        .replacing(#""conversation":"bob@example.org""#, with: #""conversation":"zoe@example.org""#)
    }
    func edit(_ id: UInt64) -> [String] {
      let row = zoe(id, "new").replacing(#""mine""#, with: #""edited":"2026-11-20T10:00:00.000Z","mine""#)
      return line(
        #"{"event":"edit","seq":20,"conversation":"zoe@example.org","id":\#(id),"message":\#(row)}"#)
    }
    #expect(edit(5) == [])
    #expect(
      line(#"{"event":"message","seq":10,"message":\#(zoe(10, "old"))}"#) == [
        "In Zoe, zoe@example.org: old 10:00 #3"
      ])
    #expect(edit(10) == ["In Zoe, zoe@example.org: Edited: Zoe: new 10:00, edited #3"])
  }

  @Test("help names the commands about messages once, with the number")
  func help() {
    let said = handle(.typed("/help")).said
    for command in ["reply NUMBER TEXT", "react NUMBER [EMOJI ...]", "versions NUMBER", "block"] {
      #expect(said.contains { $0.hasPrefix("/" + command) }, "\(command)")
    }
    #expect(said.count { $0.hasPrefix("/retract") } == 1)
    #expect(said.filter { $0.hasPrefix("/file") }.map { $0.prefix { $0 != ":" } } == ["/file PATH ... [TEXT]"])
  }
}
