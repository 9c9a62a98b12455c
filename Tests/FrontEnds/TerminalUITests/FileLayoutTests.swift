import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("Files of messages, as lines")
struct FileLayoutTests {
  private static func file(_ name: String?, _ type: String, _ size: Int64? = nil, pixels: Int64? = nil) -> JSONValue {
    var members = [JSONMember("url", .string("https://example.org/")), JSONMember("type", .string(type))]
    if let name { members.append(JSONMember("name", .string(name))) }
    if let size { members.append(JSONMember("size", .integer(size))) }
    if let pixels { members += ["width", "height"].map { JSONMember($0, .integer(pixels)) } }
    members.append(JSONMember("animated", .bool(type == "image/gif")))
    return .object(members)
  }

  private func lines(
    _ text: String, _ files: [JSONValue], width: Int = 60, compact: Bool = false, mine: Bool = false,
    _ members: [String: JSONValue] = [:]
  ) -> [String] {
    let row = LayoutSupport.message(text, mine: mine, members.merging(["attachments": .array(files)]) { $1 })
    return MessageLayout.layOut(
      row, MessageFlags(showsName: false), date: LayoutSupport.date, in: LayoutSupport.context(width, compact: compact)
    ).map(\.plain)
  }

  private static let cat = file("cat.gif", "image/gif", 12_345, pixels: 64)

  @Test("one file is a box below the text with its name and what it is")
  func one() {
    #expect(
      lines("look", [Self.cat]) == [
        "  look", "  ┌───────────────────────────┐", "  │ cat.gif                   │",
        "  │ moving GIF, 64x64, 12 KiB │",
        "  └───────────────────────────┘  14:05",
      ])
  }

  @Test("files of a message inside stand below its text, and their numbers follow those of the message's own")
  func inside() {
    let forwarded = JSONValue.object([
      JSONMember("from", .string("a@x")), JSONMember("text", .string("hers")),
      JSONMember("attachments", .array([Self.file("dog.gif", "image/gif"), Self.file(nil, "text/plain")])),
    ])
    let lines = lines("look", [Self.cat], ["forwarded": .array([forwarded])])
    #expect(lines[1].hasPrefix("  ┌1─"))
    #expect(
      lines[5...].map { $0 } == [
        "  ┆ Forwarded from a@x", "  ┆ hers", "  ┆ [2 dog.gif: moving GIF]", "  ┆ [3 unnamed file: text]  14:05",
      ])
  }

  @Test("a file that is fetched says in as many lines how far it is; one that could not be had says why")
  func states() {
    func lines(_ state: FileState?, compact: Bool = false) -> [String] {
      let row = LayoutSupport.message("", ["attachments": .array([Self.cat])])
      var flags = MessageFlags(showsName: false)
      flags.fileStates[0] = state
      let context = LayoutSupport.context(60, compact: compact)
      return MessageLayout.layOut(row, flags, date: LayoutSupport.date, in: context)
        .map(\.plain)
    }
    let progress = FileProgress(
      .object([("index", 0), ("done", 5), ("total", 10)].map { JSONMember($0, .integer($1)) }))
    let running = lines(.fetching(progress))
    #expect(running.count == lines(nil).count)
    #expect(running[2] == "  │ Fetching 50 % of 10 bytes  │", "as wide as at its end")
    #expect(lines(.fetching(nil))[2] == "  │ Fetching                  │")
    let failed = lines(.notFetched("the web server answered 404"))
    #expect(
      failed[2...4] == [
        "  │ moving GIF, 64x64, 12 KiB        │", "  │ Not fetched: the web server      │",
        "  │ answered 404                     │",
      ])
    #expect(lines(.fetching(progress), compact: true) == [" 14:05 [cat.gif: Fetching 50 % of 10 bytes]"])
    #expect(lines(.notFetched("gone"), compact: true).last == "       Not fetched: gone")
  }

  @Test("without a text there are only boxes; several are numbered and equally large")
  func several() {
    let note = Self.file("notes.txt", "text/plain", 12)
    let shown = lines("", [Self.cat, note, Self.file(nil, "application/pdf")], width: 60)
    #expect(
      shown == [
        "  ┌1────────────────────┐ ┌2────────────────────┐", "  │ cat.gif             │ │ notes.txt           │",
        "  │ moving GIF, 64x64,  │ │ text, 12 bytes      │", "  │ 12 KiB              │ │                     │",
        "  └─────────────────────┘ └─────────────────────┘", "  ┌3────────────────────┐",
        "  │ unnamed file        │", "  │ PDF                 │", "  └─────────────────────┘                   14:05",
      ])
  }

  @Test("compact lines have one for each file, the end of it kept where the name is long")
  func compact() {
    #expect(lines("look", [Self.cat], compact: true) == [" 14:05 look", "       [cat.gif: moving GIF, 64x64, 12 KiB]"])
    let long = Self.file(String(repeating: "long", count: 60), "image/png", 20 << 20)
    #expect(
      lines("", [Self.cat, long], compact: true) == [
        " 14:05 [1 cat.gif: moving GIF, 64x64, 12 KiB]", "       [2 longlonglonglonglonglonglonglonglon…: PNG, 20 MiB]",
      ])
  }

  @Test("a compact line ends within a narrow screen, name and facts cut alike")
  func narrow() {
    let picture = Self.file("colours.png", "image/png", 20 << 20)
    #expect(
      lines("", [picture, Self.cat], width: 34, compact: true) == [
        " 14:05 [1 colours.p…: PNG, 20 MiB]", "       [2 cat.gif: moving GIF, 6…]",
      ])
  }

  @Test("a retracted message shows no files; a name that means harm stays in its box")
  func hostile() {
    let retracted: JSONValue = .object([JSONMember("by", .string("bob@example.org"))])
    #expect(lines("", [Self.cat], ["retracted": retracted]).count == 1)
    for name in [String(repeating: "x", count: 5000), "a\u{202E}fig.exe\u{7}\nb", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"] {
      for width in [10, 40, 60, 100] {
        for line in lines("", Array(repeating: Self.file(name, name), count: 32), width: width) {
          #expect(line.count <= width && !line.unicodeScalars.contains("\u{202E}") && !line.contains("\u{7}"))
        }
      }
    }
  }
}
