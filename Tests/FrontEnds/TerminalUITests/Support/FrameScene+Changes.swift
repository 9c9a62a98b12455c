import Clocks
import JSON

/// Scenes with messages that were changed, that refer to others, and with emoticons.
extension FrameScene {
  func actOnChanges(_ ui: Harness) {
    ui.press("Enter")
    ui.answerHistory(Self.changed)
    switch self {
    case .correcting: ui.press("Up")
    case .replying:
      ui.press("Alt-Up", "Ctrl-R")
      ui.type("I will")
    case .reacting: ui.press("Alt-Up", "Alt-+")
    case .links: ui.press("Alt-L")
    case .emoticons:
      ui.type("good idea ")
      ui.press("Alt-E")
      ui.answerEmoticons(recent: [])
      ui.press("Right", "Right")
    default: ui.press("Alt-End")
    }
  }

  private static func message(
    _ id: UInt64, _ text: String, mine: Bool = false, _ minutes: Int, _ members: String
  ) -> String {
    Harness.message(id, text, mine: mine, minutes: minutes, opens: id == 1, state: "delivered")
      .replacing(#""opens_section""#, with: members + #","opens_section""#)
  }

  private static let changed = [
    message(
      1, "*Agenda* for `make demo`: see https://example.org/agenda, ask @zoe about #cake :tada:", -90,
      #""spans":[{"start":0,"end":8,"kind":"strong"},{"start":13,"end":24,"kind":"code"},"#
        + #"{"start":30,"end":56,"kind":"link","target":"https://example.org/agenda"},"#
        + #"{"start":62,"end":66,"kind":"mention","target":"zoe@example.org"},"#
        + #"{"start":73,"end":78,"kind":"topic","target":"cake"},"#
        + #"{"start":79,"end":85,"kind":"emoticon","target":"🎉"}],"edited":"2026-11-20T09:00:00.000Z""#),
    message(
      2, "I'll bake it", mine: true, -80,
      #""reply_to":{"id":1,"from":"bob@example.org","text":"Agenda for make demo: see https://example.org/agenda"},"#
        + #""reactions":[{"emoji":"👍","from":["bob@example.org","alice@example.org"],"mine":true},"#
        + #"{"emoji":"🎂","from":["bob@example.org"],"mine":false}]"#),
    message(
      3, "", -70, #""retracted":{"time":"2026-11-20T09:00:00.000Z","by":"bob@example.org"}"#),
    message(
      4, "look at this", -60,
      #""forwarded":[{"from":"zoe@example.org/phone","time":"2024-03-03T18:00:00.000Z","text":"The oven is\nbroken."}]"#
    ),
    message(5, "/me waves", -50, #""me":true"#),
    message(6, "then we meet at yours", mine: true, -40, #""edited":"2026-11-20T09:30:00.000Z""#),
    message(
      7, "> at yours\\nfine, _really_", -30,
      #""spans":[{"start":0,"end":11,"kind":"quote"},"#
        + #"{"start":17,"end":25,"kind":"emphasis"}]"#),
  ]
}

extension Harness {
  /// Answers what the emoticon keyboard asks for when it is opened.
  func answerEmoticons(recent: [String]) {
    let asked = takeAll("emoticons")
    answer(
      asked.first { $0["list"] == nil },
      [#""pack":{"name":"emoji","title":"Emoji","count":25}"#, #""pack":{"name":"zh","title":"表情","count":1}"#])
    answer(asked.first { $0["list"] != nil }, recent)
    guard recent.isEmpty else { return }
    answer(take("emoticons"), Self.pack)
  }

  static let pack = (0..<25).map { emoticon(":face_\($0):", face($0), "face \($0)") }

  private static func face(_ number: Int) -> String {
    Unicode.Scalar(0x1F600 + UInt32(number)).map { String(Character($0)) } ?? ""
  }

  static func emoticon(_ code: String, _ text: String, _ name: String) -> String {
    #""emoticon":{"code":"\#(code)","text":"\#(text)","name":"\#(name)"}"#
  }
}
