import TestSupport
import Testing

/// The dependencies that Package.swift declares by `layer(...)` and `program(...)`.
enum DeclaredDependencies {
  /// By target; read from the text, since asking the package manager while it runs the tests would wait for ever.
  static func read() throws -> [String: Set<String>] {
    let text = try #require(TestFiles.text(Products.repository + "/Package.swift"))
    let list = try #require(text.firstRange(of: "targets: ["))
    var declared: [String: Set<String>] = [:]
    for call in ["layer(", "program("] {
      for start in text[list.upperBound...].ranges(of: call) {
        let strings = literals(inCallAt: start.upperBound, of: text)
        if let name = strings.first?.split(separator: "/").last.map(String.init) {
          declared[name] = Set(strings.dropFirst())
        }
      }
    }
    return declared
  }

  /// The string literals up to the parenthesis that closes a call.
  private static func literals(inCallAt start: String.Index, of text: String) -> [String] {
    var depth = 1
    var literals: [String] = []
    var literal: String?
    for character in text[start...] {
      switch (character, literal) {
      case ("\"", nil): literal = ""
      case ("\"", let done?):
        literals.append(done)
        literal = nil
      case (_, let begun?): literal = begun + String(character)
      case ("(", nil): depth += 1
      case (")", nil): depth -= 1
      default: break
      }
      if depth == 0 { break }
    }
    return literals
  }
}
