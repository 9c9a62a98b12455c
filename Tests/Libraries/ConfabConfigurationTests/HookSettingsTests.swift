import Clocks
import Testing

@testable import ConfabConfiguration
@Suite("Hooks in the configuration")
struct HookSettingsTests {
  @Test("A section has its events, conversations, command and times; what is left out has the defaults of the table")
  func sections() throws {
    let configuration = try read(
      rightAccount + """

        [hook bot]
        on = message,mention , voice-request
        in = team@rooms.example.org,  bob,smith@example.org
        command = jq . | sh -c 'cat; true' # all of it
        timeout = 2h
        give-up = 1d
        [hook desktop]
        on = notice
        command = true
        """)
    var bot = HookSettings(name: "bot")
    bot.events = [.message, .mention, .voiceRequest]
    bot.conversations = ["team@rooms.example.org", "bob,smith@example.org"]
    bot.command = "jq . | sh -c 'cat; true' # all of it"
    (bot.timeout, bot.giveUp) = (.hours(2), .days(1))
    var desktop = HookSettings(name: "desktop")
    (desktop.events, desktop.command) = ([.notice], "true")
    #expect(configuration.hooks == [bot, desktop])
    let defaults = ["timeout": desktop.timeout, "give-up": desktop.giveUp]
    for (key, value) in defaults {
      #expect(SettingTable.key(key, in: .hook)?.defaultText.flatMap { Interval($0) } == value)
    }
  }

  @Test(
    "What is wrong is named with its line",
    arguments: [
      ("[hook a]\non = messages\ncommand = true", 2, "on"), ("[hook a]\non = message,\ncommand = true", 2, "on"),
      ("[hook a]\ncommand = true", 1, nil), ("[hook a]\non = message", 1, nil),
      ("[hook]\non = message\ncommand = true", 1, nil), ("[hook a b]\non = message\ncommand = true", 1, nil),
      ("[hook a]\non = message\nin = bob@example.org/x\ncommand = true", 3, "in"),
      ("[hook a]\non = message\nin =\ncommand = true", 3, "in"),
      ("[hook a]\non = message\ncommand =", 3, "command"),
      ("[hook a]\non = message\ncommand = true\ntimeout = 2d", 4, "timeout"),
      ("[hook a]\non = message\ncommand = true\ngive-up = 0s", 4, "give-up"),
      ("[hook a]\non = message\ncommand = true\n[hook a]\non = message\ncommand = true", 4, nil),
      ("[hook a]\non = message\npath = /x\ncommand = true", 3, "path"),
    ] as [(String, Int, String?)])
  func wrong(text: String, line: Int, key: String?) throws {
    let error = #expect(throws: ConfigurationError.self) { try read(text + "\n" + rightAccount) }
    #expect(error?.line == line && error?.key == key, "\(error?.description ?? "")")
  }

  @Test("There are at most so many")
  func bound() throws {
    let hooks = (1...HookSettings.most).map { "[hook h\($0)]\non = message\ncommand = true\n" }.joined()
    #expect(try read(hooks + rightAccount).hooks.count == HookSettings.most)
    #expect(throws: ConfigurationError.self) {
      try read(hooks + "[hook more]\non = message\ncommand = true\n" + rightAccount)
    }
  }
}
