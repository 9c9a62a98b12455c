import TestSupport

/// A text file of the repository, and the other files that it refers to.
struct RepositoryFile: Sendable {
  /// From the top of the repository.
  let name: String

  var path: String { Products.repository + "/" + name }
  var text: String { TestFiles.text(path) ?? "" }

  /// Runs of characters that may be in a path, without the punctuation behind them.
  var words: [Substring] {
    text.split { character in
      !(character.isASCII && (character.isLetter || character.isNumber || "/_.+-".contains(character)))
    }.map { $0.droppingLast(".") }
  }

  /// The targets of Markdown's links.
  var links: [Substring] {
    let text = text
    return text.ranges(of: "](").map { text[$0.upperBound...].prefix { $0 != ")" } }
  }

  /// Words in backticks that are paths of this repository, except those that stand for several files.
  var quotedPaths: [Substring] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { number, word in
      guard number % 2 == 1, !word.contains(where: { " <>*…~$()=:\n".contains($0) }), !word.hasPrefix("/"),
        !["NNNN", "nnnn", "NAME", "TARGET"].contains(where: { word.contains($0) })
      else { return nil }
      let isFile = Self.endings.contains { word.hasSuffix($0) }
      let isBelow = Self.folders.contains { word.hasPrefix($0 + "/") }
      return isFile || isBelow ? word.droppingLast("/") : nil
    }
  }

  /// Files that people write or read: not the binary seeds and findings of the fuzzer, nor stored logs.
  static let all: [RepositoryFile] = {
    let roots = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Makefile", "Package.swift"]
    let folders = (["Sources", "docs", "config", "completions", "systemd"] + tests).flatMap { folder in
      paths.filter { $0.hasPrefix(folder + "/") }
    }
    return (roots + folders).filter { !$0.hasSuffix("/copyright") }.map(RepositoryFile.init)
  }()

  static let documents = all.filter { $0.name.hasSuffix(".md") }

  /// True if there is a file or a folder of this name.
  static func exists(_ name: Substring) -> Bool { TestFiles.exists("\(Products.repository)/\(name)") }

  /// True if a path of the repository is this one, or ends with it, or leads through it.
  static func isEnd(_ path: Substring) -> Bool {
    exists(path) || paths.contains { $0.hasSuffix("/\(path)") || $0.contains("/\(path)/") }
  }

  /// The file of a suite, named by target and file, such as `ConfabEngineTests/RosterTests`.
  static func test(_ name: Substring) -> RepositoryFile? {
    paths.first { $0.hasPrefix("Tests/") && $0.hasSuffix("/\(name).swift") }.map(RepositoryFile.init)
  }

  private static let endings = [".swift", ".md", ".c", ".h", ".py", ".pml"]
  private static let folders = ["Sources", "Tests", "docs", "config", "systemd", "completions"]
  private static let tests =
    TestFiles.names(in: Products.repository + "/Tests")
    .filter { $0 != "Fuzz" && $0 != "Support" }.map { "Tests/" + $0 } + ["Tests/Fuzz/Targets"]

  private static let paths: [String] = folders.flatMap { folder in
    TestFiles.below(Products.repository + "/" + folder).map { String($0.dropFirst(Products.repository.utf8.count + 1)) }
  }
}

extension Substring {
  fileprivate func droppingLast(_ end: Character) -> Substring { last == end ? dropLast() : self }

  /// The path of a document, or of the folder that a pattern stands in; nil for another word.
  var documentPath: Substring? {
    guard let start = firstRange(of: "docs/")?.lowerBound, start == startIndex || self[index(before: start)] == "/"
    else { return nil }
    let path = self[start...]
    if path.contains("NNNN") { return path.prefix { $0 != "N" } }
    return path.count > 5 ? path : nil
  }
}
