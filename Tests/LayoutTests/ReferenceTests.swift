import TestSupport
import Testing

/// Documents, decisions and source files that the repository refers to are in the repository.
@Suite("References")
struct ReferenceTests {
  @Test("Files name no paper outside of the repository")
  func outside() {
    // In two parts each, because the test reads this file, too.
    let banned = [
      "DES" + "IGN", "CONT" + "RACT", "HARD" + "ENING", "ST" + "YLE", "PROD" + "UCT.md", "EXAM" + "PLES.md",
      "../sh" + "ared",
      "/wo" + "rk/",
    ]
    for file in RepositoryFile.all {
      for word in banned where TestFiles.contains(file.path, word) {
        Issue.record("\(file.name) names \(word), which is not in the repository")
      }
    }
  }

  @Test("Paths below docs exist")
  func documents() {
    var count = 0
    for file in RepositoryFile.all where TestFiles.contains(file.path, "docs/") {
      for path in file.words.compactMap(\.documentPath) {
        count += 1
        #expect(RepositoryFile.exists(path), "\(file.name): \(path)")
      }
    }
    #expect(count > 50)
  }

  @Test("Decisions that are named by number exist")
  func decisions() {
    let folder = Products.repository + "/docs/decisions"
    let numbers = Set(TestFiles.names(in: folder).map { String($0.prefix(4)) })
    var count = 0
    for file in RepositoryFile.all where TestFiles.contains(file.path, "ecision 0") {
      let words = file.words
      for (word, next) in zip(words, words.dropFirst()) where word.hasSuffix("ecision") && next.hasPrefix("00") {
        count += 1
        #expect(numbers.contains(String(next.prefix(4))), "\(file.name): decision \(next)")
      }
    }
    #expect(count > 0)
  }

  @Test("Links of documents lead to files")
  func links() {
    var count = 0
    for file in RepositoryFile.documents {
      let folder = file.path[..<(file.path.lastIndex(of: "/") ?? file.path.endIndex)]
      for link in file.links where !link.contains("://") && !link.hasPrefix("#") {
        count += 1
        #expect(TestFiles.exists("\(folder)/\(link.prefix { $0 != "#" })"), "\(file.name): \(link)")
      }
    }
    #expect(count > 20)
  }

  @Test("Source files and folders that documents name exist")
  func sources() {
    var count = 0
    for file in RepositoryFile.documents {
      for path in file.quotedPaths {
        count += 1
        #expect(RepositoryFile.isEnd(path), "\(file.name): \(path)")
      }
    }
    #expect(count > 100)
  }

  @Test("A decision has number, date, status, context, decision and consequences")
  func forms() {
    let decisions = RepositoryFile.documents.filter {
      $0.name.hasPrefix("docs/decisions/") && !$0.name.hasSuffix("README.md")
    }
    #expect(decisions.count > 40)
    for decision in decisions {
      let number = decision.name.split(separator: "/")[2].prefix(4)
      let parts = [
        "# \(number). ", "\nDate: 20", "Status: ", "\n## Context\n", "\n## Decision\n", "\n## Consequences\n",
      ]
      for part in parts { #expect(decision.text.contains(part), "\(decision.name) has no \(part)") }
    }
  }
}
