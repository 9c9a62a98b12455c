import TestSupport
import Testing

/// The index has each decision, and the line below a decision's title names the later and earlier ones that it is related
/// to.
@Suite("docs/decisions/README.md")
struct DecisionIndexTests {
  @Test("The index has one row for each decision")
  func rows() {
    let rows = Self.rows(of: Self.index[...])
    let decisions = Decision.all
    #expect(decisions.count > 100)
    #expect(rows.count == decisions.count)
    for decision in decisions {
      let start = "- [\(decision.number)](\(decision.file)): "
      #expect(rows.filter { $0.hasPrefix(start) }.count == 1, "the index has no row, or several: \(start)")
    }
  }

  @Test("The last section of the index has the superseded decisions, and names those that supersede them")
  func superseded() {
    let rows = Self.rows(of: Self.index.split(separator: "\n## ").last ?? "")
    let replaced = Decision.all.flatMap(\.relations).filter { $0.kind == "superseded by" }
    #expect(rows.count == Set(replaced.map(\.file)).count)
    for relation in replaced {
      let row = rows.first { $0.contains("(\(relation.file)): ") }
      #expect(row?.contains("](\(relation.other))") == true, "\(relation.file) is superseded by \(relation.other)")
    }
  }

  @Test("The line below a title is the date and the status, which begins with accepted or superseded")
  func form() {
    for decision in Decision.all {
      let isInForce = decision.clauses.first == "accepted"
      let isSuperseded = decision.clauses.first?.hasPrefix("superseded by [") == true
      #expect(decision.line.hasPrefix("Date: 20") && decision.line.hasSuffix("."), "\(decision.file)")
      #expect(isInForce != isSuperseded, "\(decision.file): \(decision.line)")
      for clause in decision.clauses where clause != "accepted" {
        let kind = String(clause.prefix { $0 != "[" }.dropLast())
        #expect(Relation.inverses[kind] != nil, "\(decision.file): \(clause)")
      }
    }
  }

  @Test("A decision that another one supersedes or refines says so, and the other one says it, too")
  func bothSides() {
    let relations = Set(Decision.all.flatMap(\.relations))
    #expect(relations.count > 60)
    for relation in relations {
      let inverse = Relation(file: relation.other, kind: Relation.inverses[relation.kind] ?? "", other: relation.file)
      #expect(relations.contains(inverse), "\(relation.other) does not say the other side of \(relation)")
    }
  }

  private static let index = RepositoryFile(name: "\(Decision.folder)/README.md").text

  private static func rows(of text: Substring) -> [String] {
    text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("- [") }
  }
}

/// What the status of one decision says of another one.
private struct Relation: Hashable {
  let file: String
  /// Such as `superseded in part by`.
  let kind: String
  let other: String

  /// The kinds, and how the other decision says the same.
  static let inverses = [
    "superseded by": "supersedes", "supersedes": "superseded by",
    "superseded in part by": "supersedes in part", "supersedes in part": "superseded in part by",
    "refined by": "refines", "refines": "refined by",
  ]
}

/// A decision, as far as the first line below its title says it.
private struct Decision {
  static let folder = "docs/decisions"
  static let all = TestFiles.names(in: "\(Products.repository)/\(folder)").filter { $0 != "README.md" }
    .map { Decision(file: $0) }

  let file: String
  let line: String

  init(file: String) {
    self.file = file
    let lines = RepositoryFile(name: "\(Self.folder)/\(file)").text.split(separator: "\n")
    line = lines.count > 1 ? String(lines[1]) : ""
  }

  var number: Substring { file.prefix(4) }

  /// Parts of the status: `accepted`, or the kind of a relation with links.
  var clauses: [String] {
    guard let start = line.firstRange(of: "Status: ")?.upperBound else { return [] }
    return line[start...].dropLast().split(separator: "; ").map(String.init)
  }

  var relations: [Relation] {
    clauses.flatMap { clause -> [Relation] in
      let kind = String(clause.prefix { $0 != "[" }.dropLast())
      return clause.ranges(of: "](").map { link in
        Relation(file: file, kind: kind, other: String(clause[link.upperBound...].prefix { $0 != ")" }))
      }
    }
  }
}
