import Reactor
import Synchronization
import Syscalls
import TerminalUI

/// Checks words on a thread of its own, which loads the dictionaries when it is first asked. Results come back as
/// events, by the mailbox.
final class SpellChecker: Sendable {
  /// The dictionaries of these languages; only the thread looks.
  private struct Shelf {
    var languages: [String] = []
    var dictionaries: [SpellingDictionary] = []
  }

  private let jobs = JobQueue(name: "spelling")
  private let shelf = Mutex(Shelf())
  private let folders: [String]
  private let mailbox: Mailbox<ApplicationEvent>

  /// - Parameter dictionaryPath: the variable `DICPATH`.
  init(dictionaryPath: String?, _ mailbox: Mailbox<ApplicationEvent>) {
    folders = SpellingDictionary.folders(dictionaryPath)
    self.mailbox = mailbox
  }

  /// Finds out which words are right in any of the languages; all are where none can be checked.
  func check(_ words: [String], in languages: [String]) throws(Errno) {
    try jobs.run { [self] in
      let verdicts = withDictionaries(languages) { dictionaries in
        words.map { word in (word, dictionaries.isEmpty || dictionaries.contains { $0.accepts(word) }) }
      }
      mailbox.send(.spelled(Dictionary(verdicts) { $1 }))
    }
  }

  func suggest(_ word: String, in languages: [String]) throws(Errno) {
    try jobs.run { [self] in
      let found = withDictionaries(languages) { dictionaries in dictionaries.map { $0.suggestions(word) } }
      mailbox.send(.suggestions(word, Self.interleaved(found)))
    }
  }

  /// The best of each language first, each once.
  static func interleaved(_ lists: [[String]]) -> [String] {
    var words: [String] = []
    for rank in 0..<(lists.map(\.count).max() ?? 0) {
      for list in lists where list.indices.contains(rank) && !words.contains(list[rank]) { words.append(list[rank]) }
    }
    return words
  }

  private func withDictionaries<Result: Sendable>(
    _ languages: [String], _ body: ([SpellingDictionary]) -> Result
  ) -> Result {
    shelf.withLock { shelf in
      if shelf.languages != languages { shelf = load(languages) }
      return body(shelf.dictionaries)
    }
  }

  private func load(_ languages: [String]) -> Shelf {
    var shelf = Shelf(languages: languages)
    for language in languages {
      do throws(SpellingDictionary.Failure) {
        shelf.dictionaries.append(try SpellingDictionary(language, folders: folders))
      } catch {
        mailbox.send(.failed("Spelling: \(error.reason)."))
      }
    }
    return shelf
  }
}
