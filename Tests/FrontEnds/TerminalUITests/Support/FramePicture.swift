import Glibc
import Screen

/// A frame as a text that a person can review: the screen line by line, then the same cells by their styles, a letter each.
struct FramePicture {
  let text: String

  init(_ frame: Frame, _ heading: String) {
    var styles = StyleLetters()
    var screen: [String] = []
    var grid: [String] = []
    for line in 0..<frame.height {
      let cells = frame.cells(line: line)
      screen.append(Self.trimmed(cells.map(\.text).joined(), " "))
      grid.append(Self.trimmed(String(cells.map { styles.letter($0.style) }), "."))
    }
    let cursor = frame.cursor.map { "column \($0.column), line \($0.line)" } ?? "hidden"
    let parts = ["# \(heading)", "cursor: \(cursor)", "title: \(frame.title ?? "")", "", "--- screen"]
    text = (parts + screen + ["--- styles"] + grid + ["--- legend"] + styles.legend).joined(separator: "\n") + "\n"
  }

  private static func trimmed(_ line: String, _ blank: Character) -> String {
    String(line.reversed().drop { $0 == blank }.reversed())
  }
}

/// A letter for each style, in the order in which they are met.
private struct StyleLetters {
  private var letters: [Style: Character] = [.plain: "."]
  private(set) var legend: [String] = []

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

  mutating func letter(_ style: Style) -> Character {
    if let letter = letters[style] { return letter }
    let letter = letters.count <= Self.alphabet.count ? Self.alphabet[letters.count - 1] : "?"
    letters[style] = letter
    legend.append("\(letter) \(Self.words(style))")
    return letter
  }

  private static func words(_ style: Style) -> String {
    let names: [(Style.Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underlined"), (.reverse, "reversed"),
      (.strike, "struck"),
    ]
    let attributes = names.filter { style.attributes.contains($0.0) }.map(\.1)
    let ground = style.background == .standard ? [] : ["on", words(style.background)]
    return (attributes + [words(style.foreground)] + ground).joined(separator: " ")
  }

  private static func words(_ colour: Colour) -> String {
    switch colour {
    case .standard: "standard"
    case .indexed(let number): String(number)
    case .rgb(let red, let green, let blue):
      "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}

/// The recorded frames, in files beside the tests. `CONFAB_WRITE_FRAMES=1` writes them anew.
enum RecordedFrames {
  private static let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Frames/"

  static var isWriting: Bool { unsafe getenv("CONFAB_WRITE_FRAMES") != nil }

  static func read(_ name: String) -> String? {
    guard let file = unsafe fopen(folder + name, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  static func write(_ name: String, _ text: String) {
    guard let file = unsafe fopen(folder + name, "w") else { return }
    unsafe fputs(text, file)
    unsafe fclose(file)
  }
}
