import TestSupport
import Testing

/// The folders of `ConfabAccounts` are layers, too: a part names no type of a later one. The other arrows of the engine
/// are between targets.
@Suite("Parts of the engine")
struct EnginePartTests {
  /// Lowest first.
  private static let parts = ["Effects", "Storage", "Accounts"]

  private static let files = SourceFile.under("Sources/Daemon/ConfabAccounts")

  @Test("The parts are the folders of ConfabAccounts, and no file is in none")
  func folders() {
    #expect(TestFiles.names(in: Products.repository + "/Sources/Daemon/ConfabAccounts").sorted() == Self.parts.sorted())
  }

  @Test("A file of a part names no type that a later part declares")
  func directions() {
    var owners: [Substring: Int] = [:]
    for file in Self.files {
      for name in file.code.compactMap(Self.declaredType) { owners[name] = Self.level(of: file) }
    }
    #expect(owners.count > 100)
    for file in Self.files {
      for (number, line) in file.code.enumerated() {
        for name in Self.typeNames(in: line) where owners[name, default: 0] > Self.level(of: file) {
          Issue.record("\(file.path):\(number + 1) names \(name) of a later part")
        }
      }
    }
  }

  private static func level(of file: SourceFile) -> Int {
    parts.firstIndex(of: String(file.path.split(separator: "/")[3])) ?? -1
  }

  /// The type that a line declares for the whole target.
  private static func declaredType(_ line: Substring) -> Substring? {
    guard !line.hasPrefix(" ") else { return nil }
    let words = line.split { !$0.isLetter && !$0.isNumber }
    guard let keyword = words.firstIndex(where: { ["struct", "enum", "class", "protocol"].contains($0) }),
      keyword + 1 < words.count, !words[..<keyword].contains(where: { ["private", "fileprivate"].contains($0) })
    else { return nil }
    return words[keyword + 1]
  }

  /// Words that begin with a capital, except members of something else and those in literals.
  private static func typeNames(in line: Substring) -> [Substring] {
    let code = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    return code.flatMap { part in
      part.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "_") }
        .compactMap { $0.split(separator: ".", omittingEmptySubsequences: false).first }
        .filter { $0.first?.isUppercase == true }
    }
  }
}
