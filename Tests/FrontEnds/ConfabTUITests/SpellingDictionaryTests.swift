import TestSupport
import Testing

@testable import ConfabTUI

/// Against the real library; config/packages.txt has it and two dictionaries.
@Suite("A spelling dictionary")
struct SpellingDictionaryTests {
  private static let folders = SpellingDictionary.folders(nil)

  @Test("knows right words from wrong ones, and what a wrong one may have meant")
  func english() throws {
    let dictionary = try SpellingDictionary("en_US", folders: Self.folders)
    for word in ["hello", "world", "Monday", "don't"] { #expect(dictionary.accepts(word), "\(word)") }
    for word in ["helo", "wrold", "monday", "дом", ""] { #expect(!dictionary.accepts(word), "\(word)") }
    #expect(dictionary.suggestions("wrold").contains("world"))
    #expect(dictionary.suggestions("") == [])
  }

  @Test("takes letters beyond ASCII, in words and suggestions")
  func german() throws {
    let dictionary = try SpellingDictionary("de_DE", folders: Self.folders)
    #expect(dictionary.accepts("Grüße"))
    #expect(!dictionary.accepts("Grüsze"))
    #expect(dictionary.suggestions("Grüsse").contains("Grüße"))
  }

  @Test("is read and given up on several threads at once")
  func threads() async throws {
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<20).allSatisfy { _ in (try? SpellingDictionary("en_US", folders: Self.folders))?.accepts("hello") == true
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  /// A dictionary of its own, in an encoding of one byte a letter.
  private func latin(_ folder: TemporaryFolder) throws -> SpellingDictionary {
    try TestFiles.write(
      folder.file("xx.aff"), Array("SET ISO8859-1\nTRY abcdefghijklmnopqrstuvwxyz".utf8) + [0xFC, 0x0A])
    try TestFiles.write(folder.file("xx.dic"), Array("2\ngr".utf8) + [0xFC] + Array("n\nrot\n".utf8))
    return try SpellingDictionary("xx", folders: SpellingDictionary.folders(folder.path))
  }

  @Test("is asked in its own encoding, and words that it cannot write are wrong")
  func encodings() throws {
    let folder = try TemporaryFolder("spelling")
    let dictionary = try latin(folder)
    #expect(dictionary.accepts("grün"))
    #expect(!dictionary.accepts("grun"))
    #expect(!dictionary.accepts("зелёный"))
    #expect(dictionary.suggestions("grüm") == ["grün"])
  }

  @Test("that is not installed, or has no known encoding, says so")
  func missing() throws {
    let folder = try TemporaryFolder("spelling")
    #expect(throws: SpellingDictionary.Failure(reason: "no dictionary zz_ZZ is installed")) {
      _ = try SpellingDictionary("zz_ZZ", folders: Self.folders)
    }
    try folder.write("yy.aff", "SET KLINGON\n")
    try folder.write("yy.dic", "1\nqapla\n")
    #expect(throws: SpellingDictionary.Failure.self) { _ = try SpellingDictionary("yy", folders: [folder.path]) }
  }

  @Test("takes hostile words: long, with zeros, with every byte of a broken text")
  func hostile() throws {
    let dictionary = try SpellingDictionary("en_US", folders: Self.folders)
    for word in [
      String(repeating: "a", count: 100_000), "a\0b", "\u{FFFD}\u{202E}", String(repeating: "\u{301}", count: 40),
    ] {
      #expect(!dictionary.accepts(word))
      _ = dictionary.suggestions(word)
    }
  }
}
