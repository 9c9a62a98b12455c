import CTerminfo
import Screen

/// The terminal's description in terminfo: the modes that have a name there, colours, keys. terminfo(5)
struct Terminfo: Sendable {
  /// Why a terminal cannot be drawn on, for people.
  struct Failure: Error, Equatable, Sendable {
    let reason: String
  }

  /// `smcup` and `rmcup`: the alternate screen; empty where there is none.
  let enterScreen: String
  let leaveScreen: String
  /// `smkx` and `rmkx`: keys as this description says them.
  let enterKeys: String
  let leaveKeys: String
  /// `cnorm`: a cursor that is seen.
  let showCursor: String
  /// `colors`; -1: none.
  let colours: Int
  /// Bytes that keys send.
  let keys: [[UInt8]: Key]

  /// Reads the description of a terminal by its name (`TERM`). setupterm(3)
  init(name: String) throws(Failure) {
    guard !name.isEmpty else { throw Failure(reason: "TERM is not set, so the kind of terminal is unknown") }
    var status: CInt = 0
    guard unsafe setupterm(name, 1, &status) == 0, status == 1 else {
      throw Failure(reason: "there is no description (terminfo) of the terminal '\(name)'")
    }
    // Everything else is written as ECMA-48 says it.
    guard Self.text("cup").hasPrefix("\u{1B}[") else {
      throw Failure(reason: "the terminal '\(name)' cannot move its cursor as ECMA-48 says")
    }
    enterScreen = Self.text("smcup")
    leaveScreen = Self.text("rmcup")
    enterKeys = Self.text("smkx")
    leaveKeys = Self.text("rmkx")
    showCursor = Self.text("cnorm")
    colours = Int(unsafe tigetnum("colors"))
    keys = Self.describedKeys()
  }

  /// A capability that is a string, without the pauses that slow terminals wanted (`$<5>`); empty where there is none.
  private static func text(_ name: String) -> String {
    guard let found = unsafe tigetstr(name), Int(bitPattern: found) != -1 else { return "" }
    var text = unsafe String(cString: found)
    while let start = text.firstRange(of: "$<"), let end = text[start.upperBound...].firstIndex(of: ">") {
      text.removeSubrange(start.lowerBound...end)
    }
    return text
  }

  private static let names: [(String, Key)] =
    [
      ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)), ("khome", Key(.home)),
      ("kend", Key(.end)), ("kich1", Key(.insert)), ("kdch1", Key(.delete)), ("kpp", Key(.pageUp)),
      ("knp", Key(.pageDown)), ("kcbt", Key(.tab, .shift)), ("kent", Key(.enter)), ("kbs", Key(.backspace)),
    ] + (1...12).map { ("kf\($0)", Key(.function($0))) }

  /// Introducers of reports, which some descriptions have for keys.
  private static let reports: Set = ["\u{1B}[M", "\u{1B}[I", "\u{1B}[O", "\u{1B}[<"]

  private static func describedKeys() -> [[UInt8]: Key] {
    var keys: [[UInt8]: Key] = [:]
    for (name, key) in names {
      let text = text(name)
      guard let first = text.utf8.first, first < 0x20 || first == 0x7F, !reports.contains(text) else { continue }
      keys[Array(text.utf8)] = key
    }
    return keys
  }
}
