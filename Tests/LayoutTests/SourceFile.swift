import TestSupport
import Testing

/// One Swift file under Sources, as these tests read it.
struct SourceFile: Sendable, CustomTestStringConvertible {
  /// From the top of the repository.
  let path: String
  /// Without line ends.
  let lines: [Substring]

  var testDescription: String { path }

  /// The folder of its target, which is in the folder of its layer.
  var target: String {
    String(path.split(separator: "/")[2])
  }

  /// The lines with what is behind `//` cut off, so that words about code are not taken for code.
  var code: [Substring] {
    lines.map { line in
      guard let comment = line.firstRange(of: "//") else { return line }
      return line[..<comment.lowerBound]
    }
  }

  /// The modules it imports: such lines are not indented, those of a text in several lines are.
  var imports: [String] {
    code.compactMap { line in
      let words = line.split(separator: " ")
      guard !line.hasPrefix(" "), let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
        words[..<keyword].allSatisfy({ $0.hasPrefix("@") || Self.accessLevels.contains($0) })
      else { return nil }
      let name = words[keyword + 1]
      // `import struct Module.Type` names the module second.
      let module = Self.kinds.contains(name) && keyword + 2 < words.count ? words[keyword + 2] : name
      return module.split(separator: ".").first.map(String.init)
    }
  }

  /// Every Swift file under Sources.
  static let all: [SourceFile] = under("Sources")

  /// Every Swift file under a folder of the repository.
  static func under(_ folder: String) -> [SourceFile] {
    TestFiles.below(Products.repository + "/" + folder).filter { $0.hasSuffix(".swift") }.map { path in
      let text = TestFiles.text(path) ?? ""
      return SourceFile(
        path: String(path.dropFirst(Products.repository.count + 1)),
        lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  private static let accessLevels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
  private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
}
