import Glibc

/// A dictionary of one language: which words are right, and what a wrong one may have meant. One thread at a time uses it.
final class SpellingDictionary {
  /// Why a language cannot be checked, for people.
  struct Failure: Error, Equatable, Sendable {
    let reason: String
  }

  /// Hunspell cuts longer ones off.
  private static let longestWord = 100

  private let handle: HunspellHandle
  /// nil: the dictionary is UTF-8 as our texts are.
  private let converters: (to: TextConverter, from: TextConverter)?

  /// Loads a dictionary, which takes tens of milliseconds.
  ///
  /// - Parameters:
  ///   - language: as its files are called: `en_GB`.
  ///   - folders: where they may be.
  init(_ language: String, folders: [String]) throws(Failure) {
    guard let library = HunspellLibrary() else { throw Failure(reason: "libhunspell is not installed") }
    guard let path = folders.map({ $0 + "/" + language }).first(where: Self.isDictionary) else {
      throw Failure(reason: "no dictionary \(language) is installed")
    }
    guard let handle = library.open(affixes: path + ".aff", words: path + ".dic") else {
      throw Failure(reason: "the dictionary \(path) cannot be read")
    }
    self.handle = handle
    let encoding = Self.name(handle.encoding)
    if encoding == "UTF-8" {
      converters = nil
    } else if let to = TextConverter(from: "UTF-8", to: encoding), let from = TextConverter(from: encoding, to: "UTF-8")
    {
      converters = (to, from)
    } else {
      throw Failure(reason: "the dictionary \(path) has an unknown encoding, \(encoding)")
    }
  }

  private static func isDictionary(_ path: String) -> Bool {
    unsafe access(path + ".aff", R_OK) == 0 && access(path + ".dic", R_OK) == 0
  }

  /// The C library's name of an encoding.
  private static func name(_ encoding: String) -> String {
    encoding.hasPrefix("microsoft-") ? String(encoding.dropFirst(10)) : encoding
  }

  /// True if a word is spelled right. A word that the dictionary cannot write is not one of its language.
  func accepts(_ word: String) -> Bool {
    guard let bytes = encoded(word) else { return false }
    return handle.accepts(bytes)
  }

  /// Words that may be meant, best first.
  func suggestions(_ word: String) -> [String] {
    guard let bytes = encoded(word) else { return [] }
    return handle.suggestions(bytes).compactMap { suggestion in
      let text = converters.map { $0.from.convert(suggestion) } ?? suggestion
      return text.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private func encoded(_ word: String) -> [UInt8]? {
    let bytes = Array(word.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.longestWord, !bytes.contains(0) else { return nil }
    return converters.map { $0.to.convert(bytes) } ?? bytes
  }
}

extension SpellingDictionary {
  /// The folders with dictionaries: those of `DICPATH`, which the program hunspell reads too, and those of the system.
  static func folders(_ path: String?) -> [String] {
    let own = (path ?? "").split(separator: ":").map(String.init)
    return own + ["/usr/local/share/hunspell", "/usr/share/hunspell", "/usr/share/myspell/dicts", "/usr/share/myspell"]
  }
}
