import ConfabClient
import JSON
import Screen
import TerminalUI
import Testing

@Suite("Keys and actions")
struct KeyTests {
  @Test("every action has a row, every row a key and a sentence")
  func table() {
    for action in UserAction.allCases {
      let rows = ActionTable.rows.filter { $0.action == action }
      #expect(rows.count == 1, "\(action)")
      #expect(rows.first?.keys.isEmpty == false, "\(action): a key of the table is not understood")
      #expect(rows.first?.sentence.hasSuffix(".") == true)
    }
  }

  @Test("no key has two actions in one context, and none is hidden behind the first of two")
  func conflicts() {
    for context in KeyContext.allCases {
      var seen: [KeySequence: UserAction] = [:]
      for row in ActionTable.rows where row.contexts.contains(context) {
        for keys in row.keys {
          #expect(seen[keys] == nil, "\(keys.text) in \(context): \(row.action), \(String(describing: seen[keys]))")
          seen[keys] = row.action
        }
      }
      for keys in seen.keys where keys.keys.count > 1 {
        #expect(seen[KeySequence([keys.keys[0]])] == nil, "\(keys.text)")
      }
    }
  }

  @Test("Esc is never the only key of an action")
  func escape() {
    for row in ActionTable.rows where row.keys.contains(where: { $0.keys.contains(Key(.escape)) }) {
      #expect(row.keys.contains { !$0.keys.contains(Key(.escape)) })
    }
  }

  @Test(
    "keys are read as they are written",
    arguments: [
      ("Ctrl-E", Key(.character("e"), .control)), ("Alt-A", Key(.character("a"), .alt)), ("F4", Key(.function(4))),
      ("Tab", Key(.tab)), ("Shift-Tab", Key(.tab, .shift)), ("Alt-Enter", Key(.enter, .alt)),
      ("Alt->", Key(.character(">"), .alt)),
      ("Alt-Shift-N", Key(.character("n"), [.alt, .shift])), ("a", Key(.character("a"))), ("-", Key(.character("-"))),
      ("Alt--", Key(.character("-"), .alt)),
    ])
  func written(text: String, key: Key) {
    #expect(KeySequence(text)?.keys == [key])
    #expect(KeySequence(KeySequence([key]).text)?.keys == [key])
  }

  @Test("two keys are written in the short form")
  func sequence() {
    let keys = KeySequence("C-x e")
    #expect(keys?.keys == [Key(.character("x"), .control), Key(.character("e"))])
    #expect(keys?.text == "C-x e")
    #expect(KeySequence("Hyper-x") == nil)
    #expect(KeySequence("") == nil)
  }

  @Test("the second of two keys that mean nothing together is not typed")
  func wrongSecond() {
    var pending = PendingKeys(KeyMap())
    let first = pending.press(Key(.character("x"), .control), in: .conversation)
    let second = pending.press(Key(.character("z")), in: .conversation)
    #expect([first, second] == [.prefix, .prefix])
    #expect(pending.keys.isEmpty)
    let third = pending.press(Key(.character("z")), in: .conversation)
    #expect(third == .none)
  }

  @Test("own keys take the place of the table's, and win where another action has the same")
  func own() {
    let quit = KeySequence([Key(.character("q"), .alt)])
    let enter = KeySequence([Key(.enter)])
    let map = KeyMap([.quit: [quit], .newline: [enter]])
    #expect(map.match(quit.keys, in: .list) == .action(.quit))
    #expect(map.match([Key(.character("q"), .control)], in: .list) == .none)
    #expect(map.match(enter.keys, in: .conversation) == .action(.newline))
    #expect(map.keys(of: .quit) == [quit])
  }

  @Test(
    "the keys that may follow the first of two are shown with what they do, on a small screen as many as there is room for"
  )
  func half() {
    let ui = Harness.opened(lines: 40)
    ui.press("C-x")
    for words in ["C-x r", "Marks everything read.", "C-x Up", "C-x …"] { #expect(ui.shows(words), "\(words)") }
    ui.press("Ctrl-G")
    #expect(!ui.shows("C-x"))
    let small = Harness.opened(columns: 40, lines: 12)
    small.press("C-x")
    #expect(small.shows("C-x +") && small.shows("more") && small.shows("F1 shows all."))
  }
}

extension KeyTests {
  @Test("where Enter begins a line, the other keys send, help and hints say so, and own keys win")
  func enter() {
    var settings = UISettings()
    settings.enter = .newline
    let ui = Harness(settings: settings)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    #expect(ui.shows("Alt-Enter sends, / for commands, Enter begins a line"))
    ui.type("one")
    ui.press("Enter")
    ui.type("two")
    #expect(ui.take("send") == nil)
    ui.press("Alt-Enter")
    #expect(ui.take("send")?["text"]?.string == "one\ntwo")
    ui.type("/open zoe@example.org")
    ui.press("Enter")
    #expect(ui.app.screen.focused?.key.jid == "zoe@example.org", "a command takes no line")
    ui.type("//no command")
    ui.press("Enter")
    #expect(ui.take("send") == nil)
    ui.press("F1")
    ui.type("begins a new line")
    #expect(ui.screen.contains { $0.contains("▸ Enter ") && $0.contains("Begins a new line.") })
    settings.keys = [.send: [KeySequence("F12")].compactMap(\.self)]
    #expect(settings.keyMap.keys(of: .send).map(\.text) == ["F12"])
  }
}
