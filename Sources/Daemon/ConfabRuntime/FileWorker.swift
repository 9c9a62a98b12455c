import ConfabAccounts
import Reactor
import Syscalls
import XMPPExtensions

/// Does what is to be done with files, in order, on a thread of its own: a disk may sleep, and a descriptor may be of a
/// file system that does not answer.
final class FileWorker {
  /// The outcome of an order, before the driver has given its descriptor a number.
  enum Result: Sendable {
    case ended(FileOutcome)
    case avatar(Avatar, PassedDescriptor)
    case opened(PassedDescriptor)
    case fetched(MeasuredFile, PassedDescriptor)
  }

  /// The folders that hold files.
  private struct Folders: Sendable {
    let avatars: AvatarFiles
    let spool: SpoolFiles
    let cache: CacheFiles

    /// True if files were ever sent or fetched.
    var hold: Bool { spool.isThere || cache.isThere }
  }

  private let jobs: JobQueue
  private let results: Mailbox<(FileTicket, Result)>
  private let folders: Folders

  /// - Parameter name: of its thread.
  init(_ name: String, loop: EventLoop, data: String, onResult: @escaping (FileTicket, Result) -> Void) {
    jobs = JobQueue(name: name)
    results = loop.makeMailbox { onResult($0.0, $0.1) }
    folders = Folders(avatars: AvatarFiles(in: data), spool: SpoolFiles(in: data), cache: CacheFiles(in: data))
  }

  /// - Parameter descriptors: those of the order that could be held.
  func carryOut(_ order: FileOrder, _ ticket: FileTicket, _ descriptors: [PassedDescriptor]) {
    if order.isOfKeptFiles, !folders.hold { return results.send((ticket, .ended(.done))) }
    do throws(Errno) {
      try jobs.run { [results, folders] in results.send((ticket, Self.perform(order, descriptors, folders))) }
    } catch {
      results.send((ticket, .ended(.failed("no thread could be started: \(error)"))))
    }
  }

  private static func perform(_ order: FileOrder, _ descriptors: [PassedDescriptor], _ folders: Folders) -> Result {
    do throws(Errno) {
      return try result(of: order, descriptors, folders)
    } catch {
      return .ended(error.isNoSpace ? .noSpace : .failed("\(error)"))
    }
  }

  private static func result(
    of order: FileOrder, _ descriptors: [PassedDescriptor], _ folders: Folders
  ) throws(Errno) -> Result {
    switch order {
    case .read(_, let limit):
      guard let descriptor = descriptors.first else { return .ended(.unusable("too many descriptors are open")) }
      return .ended(read(descriptor, limit: limit))
    case .keepAvatar(let avatar): try folders.avatars.keep(avatar)
    case .openAvatar(let hash, _):
      guard let (avatar, file) = try folders.avatars.open(hash) else { return .ended(.missing) }
      return .avatar(avatar, file)
    case .spool(_, let plan): return .ended(folders.spool.copy(descriptors, plan))
    case .openSpooled(let name): return try folders.spool.open(name).map { .opened($0) } ?? .ended(.missing)
    case .keepSpooled(let copies, let limit):
      for copy in copies { try? folders.cache.adopt(copy, limit: limit) }
      try folders.spool.remove(copies.map(\.name))
    case .dropSpooled(let names): try folders.spool.remove(names)
    case .sweepSpool(let names):
      try folders.spool.removeAll(but: names)
      try folders.cache.sweep()
    case .makeFetched(let name): return .opened(try folders.cache.make(name))
    case .keepFetched(let name, let file, let limit):
      guard try folders.cache.keep(name, as: file, limit: limit) else { return .ended(.wrongHash) }
    case .openFetched(let file, _): return try folders.cache.open(file)
    case .listFetched: return .ended(.messages(try folders.cache.messages()))
    case .forgetFetched(let messages): try folders.cache.forget(messages)
    case .dropFetched(let name): try folders.cache.remove(name)
    // The driver measures.
    case .measureFreeSpace: break
    }
    return .ended(.done)
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

extension FileOrder {
  /// True for orders that have nothing to do if no file was ever sent or fetched.
  fileprivate var isOfKeptFiles: Bool {
    switch self {
    case .sweepSpool, .listFetched, .forgetFetched: true
    default: false
    }
  }
}
