import TestSupport
import Testing

/// Words that do not stand in good code of this project.
@Suite("Smells")
struct SmellTests {
  @Test("no source traps on input, hides a race, or imports Foundation", arguments: SourceFile.all)
  func sources(file: SourceFile) {
    let banned = ["try!", "as!", "fatalError(", "import Foundation", "import Dispatch", "import XCTest"]
    expectNone(of: banned, in: file)
    expectNone(of: ["TODO", "FIXME", "XXX"], in: file.path, file.lines)
    for (number, line) in file.code.enumerated()
    where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
      let about = file.lines[max(0, number - 6)...number].joined()
      #expect(about.contains("//"), "\(file.path):\(number + 1) does not say who guards it")
    }
  }

  @Test(
    "no program asks Swift for its arguments, which are empty without /proc",
    arguments: SourceFile.all + SourceFile.under("Tests").filter { !$0.path.contains("SmellTests") })
  func arguments(file: SourceFile) {
    expectNone(of: ["CommandLine.arguments", "CommandLine.unsafeArgv", "CommandLine.argc"], in: file)
  }

  @Test(
    "no test waits for time to pass",
    arguments: SourceFile.under("Tests").filter {
      !$0.path.contains("SmellTests") && !$0.path.hasPrefix("Tests/Tools/Bench/")
    })
  func tests(file: SourceFile) {
    expectNone(of: ["sleep(", ".sleep", "try!", "as!", "fatalError("], in: file)
  }

  @Test("no two source files share a name")
  func names() {
    let paths = Dictionary(grouping: SourceFile.all.map(\.path)) { $0.split(separator: "/").last ?? "" }
    for paths in paths.values { #expect(paths.count == 1) }
  }

  @Test("a comment of a declaration begins with its subject", arguments: SourceFile.all)
  func subjects(file: SourceFile) {
    for (number, line) in file.lines.enumerated() {
      let words = line.drop { $0 == " " }
      guard words.hasPrefix("/// "), number == 0 || !file.lines[number - 1].contains("///") else { continue }
      let begins = ["What ", "Whether ", "The same ", "Of "].contains { words.dropFirst(4).hasPrefix($0) }
      #expect(!begins, "\(file.path):\(number + 1)")
    }
  }

  @Test("a file holds one idea, a program's entry point hardly anything", arguments: SourceFile.all)
  func sizes(file: SourceFile) {
    #expect(file.lines.count <= 400, "\(file.path) has \(file.lines.count) lines")
    if ["confabd", "confab", "confab-ui", "confab-transfer", "confab-picture"].contains(file.target) {
      #expect(file.lines.count <= 40, "\(file.path)")
    }
  }

  @Test("every extension protocol has its tests, by name")
  func extensions() {
    let tests = Set(TestFiles.names(in: Products.repository + "/Tests/XMPP/XMPPExtensionsTests"))
    for file in SourceFile.under("Sources/XMPP/XMPPExtensions") {
      guard let name = file.path.split(separator: "/").last, name.hasPrefix("XEP") else { continue }
      #expect(tests.contains("\(name.dropLast(6))Tests.swift"), "\(file.path) has no test file")
    }
  }

  private func expectNone(of banned: [String], in file: SourceFile) {
    expectNone(of: banned, in: file.path, file.code)
  }

  private func expectNone(of banned: [String], in path: String, _ lines: [Substring]) {
    for (number, line) in lines.enumerated() {
      for word in banned where line.contains(word) { Issue.record("\(path):\(number + 1): \(word)") }
    }
  }
}
