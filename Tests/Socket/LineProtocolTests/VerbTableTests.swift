import Clocks
import JSON
import LineProtocol
import Testing

@Suite("The table of verbs")
struct VerbTableTests {
  @Test("has every verb once, in order")
  func complete() {
    #expect(VerbTable.rows.map(\.verb) == Verb.allCases)
  }

  @Test("its defaults are values of their options, its examples requests of their verbs", arguments: Verb.allCases)
  func consistent(verb: Verb) {
    let row = VerbTable[verb]
    for option in row.options where option.defaultText != nil { #expect(option.defaultValue != nil, "\(option.name)") }
    #expect(Set(row.options.map(\.name)).count == row.options.count)
    #expect(read(row.example + "\n").map(\.request?.verb) == [verb])
    #expect(row.rights.contains(.full) && row.summary.hasSuffix("."))
    for line in row.dataLines + [row.finalLine] {
      #expect((try? JSONParser.parse(Array(line.utf8))) != nil)
    }
    for (one, other) in row.conflicts { #expect(row.option(one) != nil && row.option(other) != nil) }
    if case .with(let option) = row.overtaking { #expect(row.option(option) != nil) }
  }

  @Test("optional arguments stand last, and no text follows one")
  func positions() {
    for row in VerbTable.rows {
      let firstOptional = row.arguments.firstIndex(where: \.isOptional) ?? row.arguments.endIndex
      #expect(row.arguments[firstOptional...].allSatisfy { $0.isOptional })
      #expect(row.text == nil || firstOptional == row.arguments.endIndex)
    }
  }

  @Test("every code and event has an explanation, and every event's example is a line of its own")
  func explained() throws {
    for code in ErrorCode.allCases { #expect(code.meaning.hasSuffix(".")) }
    for kind in EventKind.allCases {
      #expect(!kind.summary.isEmpty)
      let example = try JSONParser.parse(Array(kind.example.utf8))
      #expect(example["event"]?.string == kind.rawValue)
      #expect((example["seq"] != nil) == (kind.isDurable || kind == .caughtUp))
    }
  }

  @Test("what a socket may do")
  func rights() {
    let verbs = { (rights: Rights) in Set(VerbTable.rows.filter { $0.rights.contains(rights) }.map(\.verb)) }
    #expect(verbs(.full) == Set(Verb.allCases))
    #expect(verbs(.send) == [.send, .wait, .ping, .help, .version, .quit])
    let reading = verbs(.read)
    #expect(
      reading.isDisjoint(with: [.send, .read, .add, .remove, .accept, .deny, .presence, .connect, .disconnect, .reload])
    )
    #expect(reading.contains(.blocked) && reading.isDisjoint(with: [.block, .unblock, .report]))
    #expect(reading.contains(.avatar) && reading.isDisjoint(with: [.avatarSet, .avatarRemove]))
    #expect(reading.isSuperset(of: [.history, .sections, .conversations, .roster, .groups, .status, .watch, .unread]))
    #expect(Rights.read.allow(Request(.draft)))
    #expect(!Rights.read.allow(Request(.draft, text: "")))
    #expect(reading.contains(.profile) && Rights.read.allow(Request(.nick)))
    #expect(!Rights.read.allow(Request(.nick, text: "")))
    #expect(Rights.full.allow(Request(.draft, text: "")) && !Rights.send.allow(Request(.draft)))
  }

  @Test("what may come out of order")
  func overtaking() {
    #expect(Request(.wait).mayOvertake && !Request(.send).mayOvertake && !Request(.history).mayOvertake)
    #expect(Request(.send, options: [.wait: .string("sent")]).mayOvertake)
    #expect(Request(.status, options: [.for: .string("online")]).mayOvertake && !Request(.status).mayOvertake)
  }

  @Test("defaults come from the table")
  func defaults() {
    #expect(Request(.history).integer(.limit) == 50)
    #expect(Request(.history, options: [.limit: .integer(0)]).integer(.limit) == 0)
    #expect(Request(.send).duration(.timeout) == .seconds(30))
    #expect(Request(.history).duration(.gap) == nil && Request(.ping).integer(.limit) == nil)
    #expect(Request(.watch).value(.since) == .now && Request(.watch).id(.since) == nil)
  }

  @Test("a verb that makes sense only on a longer connection is no command of confab")
  func commands() {
    let missing = Set(VerbTable.rows.map(\.verb)).subtracting(VerbTable.commands.map(\.verb))
    #expect(missing == [.quit, .unwatch, .focus, .fetchStop])
    #expect(VerbTable[.send].commandOptions.map(\.name) == [.jid] && VerbTable[.ping].commandOptions.isEmpty)
    #expect(VerbTable[.watch].commandOptions.map(\.name) == [.reconnect, .jid])
  }

  @Test("usage is made from the rows")
  func usage() {
    #expect(
      Usage.words(VerbTable[.send])
        == """
        send [wait=sent|delivered|displayed] [timeout=30s] [key=TOKEN] [expires=DURATION] [hold=DURATION] \
        [at=TIME] [emoticons=expand] [unstyled=yes|no] [reply=ID] [replace=ID] [anyway=yes] \
        [encrypt=yes|no] JID TEXT
        """)
    #expect(Usage.words(VerbTable[.wait]) == "wait for=sent|delivered|displayed [timeout=30s] ID")
    #expect(Usage.commandLine(VerbTable[.avatar]) == "confab avatar [--fetch=no] [--output=FILE] [--force] JID")
    #expect(Usage.commandLine(VerbTable[.avatarSet]) == "confab avatar-set FILE")
    #expect(Usage.words(VerbTable[.report]) == "report [reason=spam|abuse] JID [TEXT]")
    #expect(Usage.words(VerbTable[.nick]) == "nick [TEXT]")
    #expect(Usage.words(VerbTable[.draft]) == "draft JID [TEXT]")
    #expect(Usage.words(VerbTable[.read]) == "read [all=yes|no] [JID] [ID]")
    #expect(Usage.commandLine(VerbTable[.read]) == "confab read [--all] [JID] [ID]")
    #expect(Usage.commandLine(VerbTable[.history]).contains("[--ids] [--seconds] [--spoilers] JID"))
    #expect(Usage.commandLine(VerbTable[.history]).contains("[--until-time=TIME]"))
  }
}
