import Screen
import Testing

@testable import TerminalUI

@Suite("Spelling")
struct SpellingTests {
  private func opened(languages: [String] = ["en_US"]) -> Harness {
    var settings = UISettings()
    settings.spelling = languages
    let ui = Harness(settings: settings)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    ui.answerHistory([Harness.message(1, "hello", opens: true)])
    return ui
  }

  /// The letters of the input that are underlined.
  private func underlined(_ ui: Harness) -> String {
    let frame = ui.app.frame()
    return (0..<frame.width).filter { frame[$0, frame.height - 2].style.attributes.contains(.underline) }
      .map { frame[$0, frame.height - 2].text }.joined()
  }

  @Test("each word is asked about once, when it is finished, and wrong ones are underlined")
  func checking() {
    let ui = opened()
    ui.type("helo")
    #expect(!ui.actions.contains { if case .checkSpelling = $0 { true } else { false } })
    ui.type(" wrold ")
    #expect(ui.actions.contains(.checkSpelling(["helo"], ["en_US"])))
    #expect(ui.actions.contains(.checkSpelling(["wrold"], ["en_US"])))
    ui.handle(.spelled(["helo": false, "wrold": false]))
    #expect(underlined(ui) == "helowrold")
    let count = ui.actions.count
    ui.type("helo again")
    #expect(ui.actions.count == count, "what is known is not asked again")
    #expect(underlined(ui) == "helowroldhelo")
  }

  @Test("nothing is asked without the setting, and in commands")
  func off() {
    let off = opened(languages: [])
    off.type("helo wrold ")
    let command = opened()
    command.type("/search helo wrold ")
    for ui in [off, command] {
      #expect(!ui.actions.contains { if case .checkSpelling = $0 { true } else { false } })
    }
    off.press("Alt-I")
    #expect(off.shows("Spelling is off"))
  }

  @Test("a key offers other spellings of the wrong word, and the chosen one takes its place")
  func suggestions() {
    let ui = opened()
    ui.type("a helo to you ")
    ui.handle(.spelled(["helo": false, "to": true, "you": true]))
    ui.press("Alt-I")
    #expect(ui.actions.last == .suggestSpelling("helo", ["en_US"]))
    ui.handle(.suggestions("helo", ["hello", "help"]))
    #expect(ui.shows("Other spellings of helo"))
    ui.press("Down", "Enter")
    #expect(ui.shows("› a help to you"))
    ui.type("x")
    #expect(ui.shows("› a help to you x"), "the cursor stays behind what was typed")
    ui.handle(.suggestions("zzz", []))
    #expect(ui.shows("No other spelling of zzz"))
  }

  @Test("other languages in tui.conf forget what was known")
  func languages() {
    let ui = opened()
    ui.type("helo ")
    ui.handle(.spelled(["helo": false]))
    var settings = UISettings()
    settings.spelling = ["de_DE"]
    ui.handle(.settings(SettingsFile(settings)))
    #expect(ui.actions.last == .checkSpelling(["helo"], ["de_DE"]))
    #expect(underlined(ui) == "")
  }

  @Test(
    "words are runs of letters, and no parts of addresses, links, topics and numbers",
    arguments: [
      ("It's a dog's life", ["It's", "dog's", "life"]), ("see https://a.example/path bob@example.org", ["see"]),
      ("#topic :smile: v2 x_y /me C:\\x", []), ("(well), “quoted”!", ["well", "quoted"]),
      ("naïve Straße дом", ["naïve", "Straße", "дом"]), ("你好 world こんにちは", ["world"]),
      ("'tis rock 'n' roll", ["tis", "rock", "roll"]),
      ("a b c", []), ("", []),
    ])
  func words(text: String, expected: [String]) {
    let letters = Array(text)
    #expect(SpellingWords.words(in: letters).map { String(letters[$0]) } == expected)
  }

  @Test("the setting takes names of languages, and nothing that leads out of the folder")
  func setting() {
    func read(_ value: String) -> ([String], Int) {
      let (settings, errors) = UISettingsReader.read(Array("[ui]\nspelling = \(value)\n".utf8), file: "tui.conf")
      return (settings.spelling, errors.count)
    }
    #expect(read("en_GB de_DE") == (["en_GB", "de_DE"], 0))
    #expect(read("en_GB, de_DE") == (["en_GB", "de_DE"], 0))
    #expect(read("no") == ([], 0))
    #expect(read("../../etc/x") == ([], 1))
  }
}
