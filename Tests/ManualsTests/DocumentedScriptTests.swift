import TestSupport
import Testing

/// The scripts of docs/RUNNING.md, run by a shell as they stand there, with senders who chose their addresses for it.
@Suite("Documented scripts")
struct DocumentedScriptTests {
  /// Stands for `confab`: shows events and a roster, and notes with what else it is run.
  private static let stub = #"""
    #!/bin/sh
    case " $* " in
      *" watch "*) cat "$HOME/events" ;;
      *" --json roster "*) cat "$HOME/roster" ;;
      *) for word in "$@"; do printf '<%s>' "$word"; done >>"$HOME/ran"; echo >>"$HOME/ran" ;;
    esac
    """#

  private static func message(_ seq: Int, _ jid: String, _ rest: String = "") -> String {
    #"{"event":"message","seq":\#(seq),"message":{"id":\#(seq),"conversation":"\#(jid)","text":"a\nb"\#(rest)}}"#
  }

  private static let events = [
    #"{"ok":true,"seq":4}"#, message(5, "bob@example.org"), message(6, "stranger@evil.example"),
    message(7, "--help@evil.example"), message(8, "until=x@evil.example"),
    message(9, "bob@example.org", #","mine":true"#),
    message(10, "bob@example.org", #","delayed":true"#), message(11, "bob@example.org", #","type":"headline""#),
    message(12, "$(touch${IFS}hacked)@evil.example"), #"{"event":"state","seq":13,"conversation":"bob@example.org"}"#,
    message(14, "asks@evil.example"), #"{"event":"caught-up","seq":14}"#,
  ]

  private static func contact(_ jid: String, _ subscription: String = "both") -> String {
    #"{"contact":{"jid":"\#(jid)","subscription":"\#(subscription)"}}"#
  }

  private static let roster = [
    contact("bob@example.org"), contact("--help@evil.example"), contact("until=x@evil.example"),
    contact("$(touch${IFS}hacked)@evil.example"), contact("asks@evil.example", "none"), #"{"ok":true}"#,
  ]

  /// Runs the block of docs/RUNNING.md that has these words; what `confab` was run with, and the folder.
  private func run(_ words: String) throws -> (ran: [String], folder: TemporaryFolder) {
    let folder = try TemporaryFolder("script")
    let page = try #require(TestFiles.text("\(Products.repository)/docs/RUNNING.md"))
    let block = try #require(page.split(separator: "```\n").first { $0.contains(words) })
    try folder.write("confab", Self.stub, mode: 0o755)
    for (name, lines) in [("events", Self.events), ("roster", Self.roster), ("ran", [])] {
      try folder.write(name, lines.map { $0 + "\n" }.joined())
    }
    try folder.write("script", "cd \"$HOME\" || exit\n\(block)")
    _ = try Program.run(
      ["bash", folder.path + "/script"],
      environment: ["HOME": folder.path, "PATH": folder.path + ":/usr/local/bin:/usr/bin:/bin"])
    #expect(!TestFiles.exists(folder.path + "/hacked"))
    return (try #require(TestFiles.text(folder.path + "/ran")).split(separator: "\n").map(String.init), folder)
  }

  @Test(
    "The answering machine answers people of the roster, by their addresses as they are, and nobody and nothing else")
  func answers() throws {
    let (ran, _) = try run("key=\"away-")
    let answered = ran.map { $0.split(separator: "<--><").last.map(String.init) ?? "" }
    let jids = ["bob@example.org", "--help@evil.example", "until=x@evil.example", "$(touch${IFS}hacked)@evil.example"]
    #expect(answered == jids.map { "\($0)><I am away until Monday.>" })
    #expect(ran.allSatisfy { $0.hasPrefix("<send><--jid><--key=away-") })
    #expect(Set(ran.map { $0.split(separator: "<-->").first }).count == jids.count)
  }

  @Test("The archive has the messages, a line each, and acknowledges them")
  func archive() throws {
    let (ran, folder) = try run("--as=archive")
    #expect(ran == [5, 6, 7, 8, 9, 10, 11, 12, 14].map { "<ack><--as=archive><\($0)>" })
    let kept = try #require(TestFiles.text(folder.path + "/messages.jsonl")).split(separator: "\n").map(String.init)
    #expect(kept.count == 9 && kept.allSatisfy { $0.hasPrefix("{\"id\":") })
  }

  @Test("Each address in a script that is not the author's own stands behind `--`")
  func dashes() throws {
    for file in ["README.md", "docs/RUNNING.md", "docs/man/confab.1", "docs/man/confab-protocol.7"] {
      let text = try #require(TestFiles.text("\(Products.repository)/\(file)")).replacing("\\-", with: "-")
      for line in text.split(separator: "\n") where line.contains("confab send") && line.contains("\"$from\"") {
        #expect(line.contains("-- \"$from\""), "\(file): \(line)")
      }
    }
  }
}
