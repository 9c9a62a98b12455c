import MarkedText
import Reactor
import Syscalls

/// Reads the packs of emoticons, once, on a thread of its own: a folder may lie on a disk that sleeps.
final class EmoticonReader {
  private let folders: [String]
  private let jobs = JobQueue(name: "emoticons")
  private let results: Mailbox<EmoticonFiles>
  /// Gets what was read, on the loop's thread.
  var onRead: (EmoticonFiles) -> Void = { _ in }

  init(loop: EventLoop, environment: [String: String]) {
    folders = EmoticonFiles.folders(environment)
    var give: (EmoticonFiles) -> Void = { _ in }
    results = loop.makeMailbox { give($0) }
    give = { [unowned self] in onRead($0) }
  }

  func read() {
    do throws(Errno) {
      try jobs.run { [folders, results] in results.send(EmoticonFiles(in: folders)) }
    } catch {
      results.send(EmoticonFiles(problem: "no thread could be started: \(error)"))
    }
  }
}
