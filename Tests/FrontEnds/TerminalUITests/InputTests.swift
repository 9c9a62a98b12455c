import ConfabClient
import Screen
import Testing

@testable import TerminalUI

@Suite("The input")
struct InputTests {
  @Test("what was sent before is kept up to 1 MiB, and no more than 100 texts")
  func historyBounds() {
    /// How many of the texts come back.
    func kept(_ texts: [String]) -> Int {
      var composer = Composer()
      let key = ConversationKey(jid: "bob@example.org")
      for text in texts {
        composer[key].editor.input.set(text)
        _ = composer.take(key)
      }
      var recalled: Set<String> = []
      for _ in texts {
        composer.recall(-1, in: key)
        recalled.insert(composer[key].editor.input.text)
      }
      return recalled.subtracting([""]).count
    }
    let large = (0..<20).map { String($0) + String(repeating: "x", count: 65_540) }
    #expect(kept(large) == 15, "16 of them have more than 1 MiB")
    #expect(kept((0..<150).map(String.init)) == 100)
    #expect(kept(["a", String(repeating: "x", count: 1 << 21)]) == 0)
  }

  @Test("letters are cut where they are in the whole text, whatever is inserted where")
  func letters() {
    let parts = [
      "a", " ", "e", "\u{301}", "👩", "\u{200D}", "🚀", "🇩", "🇪", "🇫🇷", "क", "्", "ष", "\u{FE0F}", "각", "\r", "\n", "אב",
    ]
    var chance = Chance(1)
    for _ in 0..<300 {
      var input = TextInput()
      for _ in 0..<20 {
        input.move(to: chance.below(input.letters.count + 1))
        let cursor = input.cursor
        let (part, before) = (parts[chance.below(parts.count)], input.letters)
        input.insert(part)
        let head = String(before[..<cursor]) + part
        #expect(input.letters == Array(head + String(before[cursor...])), "\(before) \(cursor) \(part)")
        #expect(input.cursor == min(head.count, input.letters.count), "\(before) \(cursor) \(part)")
      }
    }
  }

  @Test("an emoji is one letter: for the cursor, and to delete")
  func clusters() {
    var editor = InputEditor("a👩‍🚀b")
    #expect(editor.input.letters.count == 3)
    _ = editor.edit(.left)
    _ = editor.edit(.deleteBack)
    #expect(editor.input.text == "ab")
    _ = editor.edit(.undo)
    #expect(editor.input.text == "a👩‍🚀b")
  }

  @Test("a combining mark that is typed joins the letter before the cursor")
  func combining() {
    var input = TextInput()
    input.insert("e")
    input.insert("\u{301}")
    #expect(input.letters.count == 1)
    #expect(input.cursor == 1)
    input.insert("x")
    #expect(input.text == "e\u{301}x")
  }

  @Test(
    "editing keys",
    arguments: [
      ("one two three", [UserAction.killWordBack], "one two "),
      ("one two three", [.killWordBack, .killWordBack, .yank], "one two "),
      ("one two", [.lineStart, .killWordForward], " two"), ("one\ntwo", [.killToStart], "one\n"),
      ("one\ntwo", [.killToStart, .deleteBack], "one"), ("one\ntwo", [.lineStart, .left, .killToEnd], "onetwo"),
      ("one two", [.wordLeft, .killToEnd, .lineStart, .yank], "twoone "),
      ("", [.deleteBack, .deleteForward, .killToEnd, .yank, .undo], ""),
    ] as [(String, [UserAction], String)])
  func editing(text: String, actions: [UserAction], result: String) {
    var editor = InputEditor(text)
    for action in actions {
      let isEdit = editor.edit(action)
      #expect(isEdit)
    }
    #expect(editor.input.text == result)
  }

  @Test("undo takes back words of typing, not letters")
  func undo() {
    var editor = InputEditor()
    for letter in "hello world" { editor.input.insert(String(letter)) }
    _ = editor.edit(.undo)
    #expect(editor.input.text == "hello")
    _ = editor.edit(.undo)
    #expect(editor.input.text == "")
  }

  @Test("each change is taken back, whatever it was, and wherever")
  func undoAll() {
    let parts = ["ab", "e\u{301}", "\u{301}x", "🇩🇪", "🇫🇷🇩", "क्ष", "\u{200D}🚀", "\r\n", "שלום ", ""]
    var chance = Chance(2)
    for _ in 0..<200 {
      var input = TextInput("👩‍🚀 🇩🇪 one")
      var before: [(letters: [Character], cursor: Int)] = []
      for _ in 0..<20 {
        input.move(to: chance.below(input.letters.count + 1))
        let range = min(input.cursor, chance.below(input.letters.count + 1))..<input.cursor
        before.append((input.letters, input.cursor))
        switch chance.below(3) {
        case 0: input.insert("\(parts[chance.below(parts.count)])--")
        case 1: input.replace(range, by: parts[chance.below(parts.count)])
        default: if input.delete(range).isEmpty { before.removeLast() }
        }
      }
      for (letters, cursor) in before.reversed() {
        input.takeBack()
        #expect(input.letters == letters && input.cursor == cursor)
      }
    }
  }

  @Test("taking back costs what was changed, not the whole text")
  func undoIsBounded() {
    var changes = InputChanges()
    let text = Array(repeating: Character("x"), count: InputChanges.capacity * 2 / 3)
    for _ in 0..<50 { changes.add(100..<101, of: text, count: 2, cursor: 100, goesOn: false) }
    #expect(changes.letterCount == 50)
    for _ in 0..<3 { changes.add(0..<text.count, of: text, count: 0, cursor: 0, goesOn: false) }
    #expect(changes.letterCount == text.count)
    changes.add(0..<2 * text.count, of: text + text, count: 0, cursor: 0, goesOn: false)
    #expect(changes.takeLast()?.letters.count == 2 * text.count, "the newest change can be taken back always")
  }

  @Test("letters typed in a long text keep no copies of it", arguments: ["", "\u{301}"])
  func undoOfTyping(mark: String) {
    var input = TextInput(String(repeating: "abcd ", count: 1000))
    input.move(to: 2000)
    for _ in 0..<100 { for letter in "ab " { input.insert("\(letter)\(mark)") } }
    #expect(input.keptLetterCount < 1000)
    for _ in 0..<200 { input.takeBack() }
    #expect(input.text.count < 5300 && input.text.hasSuffix("abcd "))
  }

  @Test("random programs of edits keep the cursor within the text")
  func random() {
    var generator = SystemRandomNumberGenerator()
    let edits: [UserAction] = [
      .left, .right, .wordLeft, .wordRight, .lineStart, .lineEnd, .deleteBack, .deleteForward, .killWordBack,
      .killWordForward, .killToEnd, .killToStart, .yank, .undo,
    ]
    let letters = ["a", " ", "\n", "é", "\u{301}", "👩‍🚀", "\u{200D}", "ש", "界"]
    for _ in 0..<200 {
      var editor = InputEditor()
      for _ in 0..<60 {
        if Bool.random(using: &generator) {
          editor.input.insert(letters.randomElement(using: &generator) ?? "a")
        } else {
          _ = editor.edit(edits.randomElement(using: &generator) ?? .left)
        }
        #expect((0...editor.input.letters.count).contains(editor.input.cursor))
      }
    }
  }
}

@Suite("vi's keys")
struct ViTests {
  @Test(
    "commands",
    arguments: [
      ("one two", "bcwthree", "one three"), ("one two", "0dw", "two"), ("one, two", "0wx", "one, wo"),
      ("one two", "0ex", "on two"), ("one\ntwo", "dw", "one\ntw"), ("one", "xx", "o"), ("one", "ddihi", "hi"),
      ("one", "dduA!", "one!"), ("a", "oline", "a\nline"), ("one two", "0Dp", "one two"),
      ("abcdef", "03x", "def"), ("a b c d", "02dw", "c d"), ("a b c d", "0d2w", "c d"), ("abc", "0rx", "xbc"),
      ("abc", "02rxiy", "xyxc"), ("abc", "04rx", "abc"), ("ab\ncd", "0kx", "b\ncd"),
      ("abc\nd\nef", "kkjx", "abc\n\nef"),
      ("abc", "10hx", "bc"), ("ab", "3ix", "axb"),
    ])
  func commands(text: String, keys: String, result: String) {
    var vi = ViKeys()
    var editor = InputEditor(text)
    for key in [Key(.escape)] + keys.map({ Key(.character($0)) }) where !vi.press(key, &editor) {
      if case .character(let letter) = key.code { editor.input.insert(String(letter)) }
    }
    #expect(editor.input.text == result)
  }
}
