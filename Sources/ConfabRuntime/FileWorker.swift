import ConfabEngine
import Reactor
import Syscalls
import XMPPExtensions

/// Does what is to be done with files, in order, on a thread of its own: a disk may sleep, and a descriptor may be of a
/// file system that does not answer.
final class FileWorker {
  /// The outcome of an order, before the driver has given its descriptor a number.
  enum Result: Sendable {
    case ended(FileOutcome)
    case opened(Avatar, PassedDescriptor)
  }

  /// Made for the first order: it has a descriptor.
  private var worker: WorkerThread?
  private let results: Mailbox<(FileTicket, Result)>
  private let avatars: AvatarFiles

  init(loop: EventLoop, data: String, onResult: @escaping (FileTicket, Result) -> Void) {
    results = loop.makeMailbox { onResult($0.0, $0.1) }
    avatars = AvatarFiles(in: data)
  }

  /// - Parameter descriptor: that of `FileOrder.read`.
  func carryOut(_ order: FileOrder, _ ticket: FileTicket, _ descriptor: PassedDescriptor?) {
    do throws(Errno) {
      try thread().run { [results, avatars] in results.send((ticket, Self.perform(order, descriptor, avatars))) }
    } catch {
      results.send((ticket, .ended(.failed("no thread could be started: \(error)"))))
    }
  }

  private func thread() throws(Errno) -> WorkerThread {
    if let worker { return worker }
    let made = try WorkerThread(name: "files")
    worker = made
    return made
  }

  private static func perform(_ order: FileOrder, _ descriptor: PassedDescriptor?, _ avatars: AvatarFiles) -> Result {
    do throws(Errno) {
      switch order {
      case .read(_, let limit):
        guard let descriptor else { return .ended(.unusable("too many descriptors are open")) }
        return .ended(read(descriptor, limit: limit))
      case .keepAvatar(let avatar):
        try avatars.keep(avatar)
        return .ended(.done)
      case .openAvatar(let hash):
        guard let (avatar, file) = try avatars.open(hash) else { return .ended(.missing) }
        return .opened(avatar, file)
      }
    } catch {
      return .ended(.failed("\(error)"))
    }
  }

  /// All of a regular file, which a file in memory is, too.
  private static func read(_ descriptor: PassedDescriptor, limit: Int) -> FileOutcome {
    do throws(Errno) {
      let attributes = try Files.attributes(descriptor.raw)
      guard attributes.kind == .regular else { return .unusable("the descriptor is not of a regular file") }
      guard let bytes = try Files.readAll(descriptor.raw, limit: limit) else { return .tooLong }
      return bytes.isEmpty ? .unusable("the file is empty") : .read(bytes)
    } catch {
      return .unusable("the descriptor cannot be read: \(error.text)")
    }
  }
}
