import TestSupport
import Testing

/// Who acknowledges what, checked by spin (Tests/Model/README.md); `make model` searches further.
@Suite("Tests/Model")
struct ModelTests {
  private static let folder = Products.repository + "/Tests/Model/"

  @Test("each model holds, searched to the end, and breaks the promise that it names without any of its rules")
  func holds() throws {
    let done = try Program.run([Self.folder + "run", "--small"], until: .seconds(1_200))
    #expect(done.status == .exited(0), "\(done.text)\(done.errorText)")
    let rows = done.text.split(separator: "\n").dropFirst()
    let models = ["archive", "inbound", "keeping", "outbound", "storage"]
    #expect(rows.count == models.count + models.map { Self.rules(of: $0).count }.reduce(0, +))
    for model in models {
      #expect(rows.contains { $0.hasPrefix(model) && $0.contains("(nothing)") })
      for rule in Self.rules(of: model) { #expect(rows.contains { $0.hasPrefix(model) && $0.contains(" \(rule) ") }) }
    }
  }

  @Test("a rule is a switch of its model")
  func switches() {
    for model in ["archive", "inbound", "keeping", "outbound", "storage"] {
      let text = TestFiles.text(Self.folder + model + ".pml") ?? ""
      #expect(Self.rules(of: model).count > 5)
      for rule in Self.rules(of: model) { #expect(text.contains("WITHOUT_\(rule)"), "\(model): \(rule)") }
    }
  }

  /// The rules that the comment at the head of a model names.
  private static func rules(of model: String) -> [Substring] {
    (TestFiles.text(folder + model + ".pml") ?? "").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count > 3 && words[0] == "*" && words[1] == "RULE" ? words[2] : nil
    }
  }
}
