import JSON
import LineProtocol
import Testing

/// What `write` wrote.
private func written(_ write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  write(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

@Suite("Answers")
struct AnswerTests {
  @Test("final lines")
  func finalLines() {
    #expect(written { Answer.ok(nil, into: &$0) } == "{\"ok\":true}\n")
    #expect(
      written { Answer.ok(.integer(-7), into: &$0) { $0.member("id", 5) } } == "{\"ok\":true,\"id\":5,\"tag\":-7}\n")
    #expect(written { Answer.ok(.string("7\n"), into: &$0) } == "{\"ok\":true,\"tag\":\"7\\n\"}\n")
  }

  @Test("error lines name what they concern")
  func errorLines() {
    let failure = RequestFailure(.badArgument, "no", argument: "text", position: 3, tag: .string("t"))
    #expect(
      written { Answer.error(failure, into: &$0) }
        == #"{"ok":false,"error":"bad-argument","reason":"no","argument":"text","position":3,"tag":"t"}"# + "\n")
    #expect(
      written { Answer.error(RequestFailure(.timeout, "late"), into: &$0) { $0.member("id", 9) } }
        == #"{"ok":false,"error":"timeout","reason":"late","id":9}"# + "\n")
  }

  @Test("data and event lines")
  func dataLines() {
    #expect(
      written { Answer.data("group", .integer(1), into: &$0) { $0.member("name", "x") } }
        == #"{"group":{"name":"x"},"tag":1}"# + "\n")
    #expect(
      written { Answer.event(.caughtUp, sequence: 12, nil, into: &$0) } == #"{"event":"caught-up","seq":12}"# + "\n")
    #expect(
      written { Answer.event(.connection, .string("w"), into: &$0) { $0.member("state", "online") } }
        == #"{"event":"connection","state":"online","tag":"w"}"# + "\n")
  }

  @Test("lines follow each other in one writer")
  func severalLines() {
    let text = written { writer in
      for tag in [1, 2] as [Int64] { Answer.ok(.integer(tag), into: &writer) }
    }
    #expect(text == "{\"ok\":true,\"tag\":1}\n{\"ok\":true,\"tag\":2}\n")
  }

  @Test("the greeting, word by word")
  func greeting() {
    let greeting = Greeting(version: "0.1.0", log: "UUID", last: 8123, rights: .full, spoolSize: 1 << 30)
    #expect(
      written { greeting.write(into: &$0) } == """
        {"confab":1,"version":"0.1.0","log":"UUID","last":8123,"rights":"full",\
        "limits":{"line":65536,"text":60000,"page":1000,"keys":100000,"files":1073741824}}

        """)
  }

  @Test("help lists every verb, or shows one, or says that there is none")
  func help() throws {
    let lines = written { Help.answer(Request(.help, tag: .integer(1)), into: &$0) }.split(separator: "\n")
    let names = try lines.map { try JSONParser.parse(Array($0.utf8))["verb"]?["name"]?.string }
    #expect(names == Verb.allCases.map(\.rawValue) + [nil])
    #expect(lines.allSatisfy { $0.hasSuffix(#""tag":1}"#) } && lines.last == #"{"ok":true,"tag":1}"#)
    let one = written { Help.answer(Request(.help, arguments: [.about: .string("ping")]), into: &$0) }
    #expect(
      one == #"{"verb":{"name":"ping","usage":"ping","summary":"Checks that the daemon is responding."}}"#
        + "\n{\"ok\":true}\n")
    let none = written { Help.answer(Request(.help, arguments: [.about: .string("nothing")]), into: &$0) }
    #expect(none.contains(#""error":"not-found""#) && none.contains(#""argument":"about""#))
  }

  @Test("help format=json gives the whole row of every verb", arguments: Verb.allCases)
  func helpInJSON(verb: Verb) throws {
    let request = Request(.help, options: [.format: .string("json")], arguments: [.about: .string(verb.rawValue)])
    let line = written { Help.answer(request, into: &$0) }.split(separator: "\n").first ?? ""
    let row = try JSONParser.parse(Array(line.utf8))["verb"]
    #expect(row?["options"]?.array?.count == VerbTable[verb].options.count)
    #expect(row?["arguments"]?.array?.count == VerbTable[verb].arguments.count)
    for member in ["text", "rights", "kind", "overtakes", "errors", "example"] { #expect(row?[member] != nil) }
  }
}
