import ConfabClient
import JSON
import Testing

@testable import TerminalUI

@Suite("Results of keys in parts of the screen")
struct KeyOutcomeTests {
  private let slash = SlashCommand(conversation: nil, book: AddressBook(people: []))
  private static let bob = ConversationKey(jid: "bob@example.org")

  @Test("a pop-up gives what was chosen and stays open; the key of another pop-up closes it")
  func choosing() {
    var popups = Popups()
    #expect(popups.choose() == .passed)
    popups.push(.switcher)
    popups.change {
      $0.update([PickerItem("Bob", "", .say("bob"), more: .say("more")), PickerItem("Al", "", .say("al"))])
    }
    #expect(popups.act(.down, page: 5, slash) == .taken)
    #expect(popups.act(.open, page: 5, slash) == .intent(.say("al")))
    #expect(popups.act(.pageUp, page: 5, slash) == .taken)
    #expect(popups.act(.complete, page: 5, slash) == .intent(.say("more")))
    #expect(popups.type("x") == .taken && popups.last?.query == "x" && popups.last?.items.isEmpty == true)
    #expect(popups.act(.quit, page: 5, slash) == .passed && !popups.isEmpty)
    #expect(popups.act(.help, page: 5, slash) == .passed && popups.isEmpty)
  }

  @Test("Esc and a slash that a terminal joins to Alt-/ begin a command, and none of it goes to the conversation")
  func joinedEscape() {
    let ui = Harness.opened()
    ui.press("Esc")
    ui.type("/block carl@example.org")
    let apart = ui.screen
    let joined = Harness.opened()
    joined.press("Alt-/")
    joined.type("block carl@example.org")
    #expect(joined.screen == apart && joined.shows("/block carl@example.org"))
    joined.press("Enter")
    #expect(joined.take("send") == nil && joined.take("block")?["jid"]?.string == "carl@example.org")
  }

  @Test("Alt and a letter that mean nothing leave a text that is being written where it is")
  func unboundAlt() {
    let ui = Harness.opened()
    ui.type("half a thought")
    ui.press("Alt-Z")
    ui.type("!")
    #expect(ui.app.screen.focused != nil && ui.shows("half a thought!") && ui.app.screen.popups.isEmpty)
    ui.press("Alt-Z")
    #expect(ui.shows("Alt-Z does nothing here; F1 shows the keys."))
  }

  @Test("a question takes y and n, and no other letter")
  func asking() {
    var popups = Popups()
    popups.push(.confirm("Leave", .quitAnyway))
    #expect(popups.type("x") == .taken && popups.type("Y") == .intent(.quitAnyway) && popups.type("n") == .closed)
    #expect(popups.act(.back, page: 1, slash) == .taken && popups.isEmpty)
  }

  @Test("Enter searches once for a text, then opens what was found; the last row brings more")
  func searching() {
    var popups = Popups()
    popups.push(.search(SearchScope(Self.bob)), text: "tea")
    #expect(popups.last?.hints.hasPrefix("Enter searches") == true)
    #expect(popups.choose() == .intent(.search("tea", Self.bob)) && popups.choose() == .taken)
    popups.change { $0.update([PickerItem("tea", "", .say("hit")), PickerItem("More", "", .findMore)]) }
    #expect(popups.choose() == .intent(.say("hit")) && popups.act(.down, page: 1, slash) == .intent(.findMore))
    popups.push(.search(SearchScope(nil)))
    #expect(popups.last?.hints.hasPrefix("Enter searches") == true)
  }

  @Test("a command that is typed in part is completed; with all of its words it is done")
  func commands() {
    var popups = Popups()
    popups.push(.prompt(.command), text: "/forw")
    popups.change { $0.update([PickerItem("/forward", "", .command("/forward "))]) }
    #expect(popups.choose() == .taken && popups.last?.query == "/forward ")
    popups.edit { $0.input.set("/quit") }
    #expect(popups.choose() == .intent(.answer(.command, "/quit")) && popups.isEmpty)
  }

  @Test("pop-ups about a message close with it")
  func messages() {
    var popups = Popups()
    popups.push(.help)
    popups.push(.react(Self.bob, 7))
    popups.closeAll(about: 8)
    #expect(popups.last?.kind == .react(Self.bob, 7))
    popups.closeAll(about: 7)
    #expect(popups.last?.kind == .help)
  }

  @Test("in the viewer letters turn, save, open and stop; other keys of the UI stay its own")
  func viewing() throws {
    let file = ShownAttachment(.object([JSONMember("name", .string("a.png"))]))
    let files = (0..<2).map { FileTarget(message: 4, index: $0, file: file, conversation: Self.bob) }
    var viewer = try #require(PictureViewer(files, at: files[0]))
    var fetches = FileFetches()
    #expect(viewer.type("n", fetches) == .taken && viewer.current == files[1])
    #expect(viewer.type("x", fetches) == .taken && viewer.type("q", fetches) == .closed)
    #expect(viewer.type("s", fetches) == .intent(.prompt(.saveFile(files[1]), text: "~/a.png")))
    _ = fetches.add(files[1].wanted(.view), Self.bob)
    #expect(viewer.type("x", fetches) == .intent(.stopFetching(4, [1], Self.bob)))
    #expect(viewer.act(.up, fetches) == .taken && viewer.current == files[0])
    #expect(viewer.act(.quit, fetches) == .passed && viewer.act(.mute, fetches) == .taken)
  }

  @Test("the copy view has the keys of a pager")
  func paging() {
    var view = CopyView()
    #expect(view.type("j") == .intent(.act(.lineDown)) && view.type("q") == .closed && view.type("z") == .taken)
    #expect(view.type("1") == .taken && view.typed == "1")
    #expect(view.type("o") == .taken && view.typed.isEmpty)
  }

  @Test("the emoticon keyboard writes and deletes, and leaves the keys of the UI to it")
  func emoticons() {
    var keyboard = EmoticonKeyboard()
    let emoticons = LoadedEmoticons()
    #expect(keyboard.act(.deleteBack, emoticons) == .intent(.type(.delete)) && keyboard.act(.help, emoticons) == .left)
    keyboard.edit { $0.input.insert("a") }
    #expect(keyboard.act(.deleteBack, emoticons) == .taken && keyboard.query.isEmpty)
    #expect(keyboard.act(.back, emoticons) == .closed && keyboard.act(.quit, emoticons) == .passed)
  }
}
