import Bytes
import HelperProtocol
import LineProtocol
import Pictures
package import Records
import ConfabConfiguration
import State
import XMPPExtensions

/// Fetches files of messages for clients that ask for them, or opens the copies on the disk. Stores the size, type and
/// dimensions of a fetched file with its message.
package final class Fetches: StreamPart {
  /// A file that a client has asked for.
  package struct Request {
    let ticket: Ticket
    /// The message, and its first record.
    let id: UInt64
    let message: MessageRecord
    let index: Int
    let file: Attachment
    /// True if no server is asked.
    let isLocal: Bool

    package init(
      ticket: Ticket, id: UInt64, message: MessageRecord, index: Int, file: Attachment, isLocal: Bool
    ) {
      (self.ticket, self.id, self.message) = (ticket, id, message)
      (self.index, self.file, self.isLocal) = (index, file, isLocal)
    }

    fileprivate var source: FetchedFile {
      var source = FetchedFile(identity: file.identity, message: id, hashes: file.shared.metadata.hashes)
      if file.url.isEmpty { source.copy = Uploads.copyName(of: message, index) }
      return source
    }
  }

  private let state: AccountState
  private let finder: MessageFinder
  private let effects: Effects
  private let slots: UploadSlots
  /// Requests for files of which nobody knows yet whether they are here.
  private var looking: [Ticket: Request] = [:]
  /// Requests for files that are not here, by `Attachment.identity`, and of those the ones that have not begun, in order.
  private var waiting: [String: [Request]] = [:]
  private var queue: [String] = []
  /// Downloads under way, likewise.
  private var running: [String: Download] = [:]

  private struct Download {
    /// The name of the file that it fills.
    let name: String
    var transfer: TransferTicket?
  }

  /// Fetched at the same time, for one account, and of these for one client.
  private static let mostAtOnce = 16
  private static let mostOfClient = 4

  init(_ slots: UploadSlots, _ finder: MessageFinder, _ effects: Effects) {
    (self.slots, self.finder, self.effects, state) = (slots, finder, effects, finder.state)
  }

  package func give(_ request: Request) {
    looking[request.ticket] = request
    effects.order(.openFetched(request.source, for: request.ticket.client)) { [self] outcome in
      let isWanted = looking.removeValue(forKey: request.ticket) != nil
      switch outcome {
      case .missing where request.file.url.isEmpty: refuse(request, .notFound, "the file has no address")
      case .missing where request.isLocal: refuse(request, .notFound, "the file is not here")
      case .missing, .wrongHash: if isWanted { fetch(request) }
      default: take(outcome, for: request)
      }
    }
  }

  private func take(_ outcome: FileOutcome, for request: Request) {
    switch outcome {
    case .fetched(let measured, let descriptor):
      let file = request.file.knowing(measured)
      let opened = OpenFile(
        descriptor: descriptor, name: request.file.name, size: measured.size, file: file,
        facts: note(file, request))
      effects.answer(request.ticket, .file(opened))
    case .tooMany: refuse(request, .limit, "too many files are open for clients")
    case .noSpace: refuse(request, .noSpace, "the disk is full")
    case .wrongHash: refuse(request, .failed, "the file is not the one that was sent: its hash is another")
    case .failed(let words): refuse(request, .storage, words)
    default: refuse(request, .storage, "the file could not be kept")
    }
  }

  private func refuse(_ request: Request, _ code: ErrorCode, _ reason: String) {
    effects.answer(request.ticket, .failed(RequestFailure(code, reason)))
  }

  /// Notes what the bytes of a file say, unless the message says it already.
  ///
  /// - Returns: the record that says it; 0 if none can.
  private func note(_ file: Attachment, _ request: Request) -> UInt64 {
    guard finder.storage.mayAppend, finder.storage.isWhole, let present = finder.present(request.id, request.message),
      var files = present.message.details?.files, files.indices.contains(request.index),
      files[request.index].identity == file.identity
    else { return 0 }
    guard files[request.index] != file else { return present.number }
    files[request.index] = file
    return finder.storage.appendUrgently(.change(present.withFiles(files)))
  }

  // MARK: - Fetching

  private func fetch(_ request: Request) {
    let file = request.file.identity
    waiting[file, default: []].append(request)
    guard waiting[file]?.count == 1 else { return }
    queue.append(file)
    goOn()
  }

  private func goOn() {
    while running.count < Self.mostAtOnce, let next = queue.firstIndex(where: mayBegin) {
      let (file, name) = (queue.remove(at: next), "new-\(effects.freshNumber())")
      running[file] = Download(name: name)
      begin(file, name)
    }
  }

  /// True if the first client that waits for a file has not too many other downloads running.
  private func mayBegin(_ file: String) -> Bool {
    let client = client(of: file)
    return running.keys.count { self.client(of: $0) == client } < Self.mostOfClient
  }

  private func client(of file: String) -> ClientID? { waiting[file]?.first?.ticket.client }

  private func begin(_ file: String, _ name: String) {
    effects.order(.makeFetched(name)) { [self] outcome in
      guard case .opened(let descriptor) = outcome else {
        if running[file]?.name == name { end(file) { take(outcome, for: $0) } }
        return
      }
      guard running[file]?.name == name, let wanted = waiting[file]?.first?.file else {
        effects.act(.closeDescriptors([descriptor]))
        return effects.order(.dropFetched(name))
      }
      get(wanted, name, descriptor)
    }
  }

  /// Encrypted bytes are decrypted as they come, and the file is whole once their tag fits: until then nobody gets it.
  private func get(_ wanted: Attachment, _ name: String, _ descriptor: DescriptorID) {
    let file = wanted.identity
    var httpRequest = slots.route.request(.get(limit: UInt64(effects.daemon.files.largestFetched)), wanted.url)
    httpRequest.key = wanted.key
    running[file]?.transfer = effects.transfer(httpRequest, descriptor) { [self] event in
      switch event {
      case .progress(let done, let total): report(file, done, total)
      case .done(let result):
        report(file, result.byteCount, result.byteCount)
        keep(file, name)
      case .failed(let failure):
        effects.order(.dropFetched(name))
        failed(wanted, name, failure)
      }
    }
  }

  /// It may be at the account's own service, at which more is allowed: then it is tried once more.
  private func failed(_ wanted: Attachment, _ name: String, _ failure: TransferFailure) {
    let file = wanted.identity
    guard [.notAllowed, .tls].contains(failure.cause), slots.mayLearnHosts(for: wanted.url) else {
      return end(file) { refuse($0, failure.cause.code, failure.reason) }
    }
    running[file]?.transfer = nil
    slots.learnHosts { [self] in
      guard running[file]?.name == name else { return }
      guard slots.route.knows(wanted.url) else {
        return end(file) { refuse($0, failure.cause.code, failure.reason) }
      }
      begin(file, name)
    }
  }

  func clientLeft(_ client: ClientID) { _ = take { $0.ticket.client == client } }

  func retired() {
    for request in take({ _ in true }) {
      effects.answer(request.ticket, .failed(.notConfigured(accountOf: request.id, argument: "id")))
    }
  }

  /// Ends the waiting requests of a client for a file; how many there were.
  package func stop(_ message: UInt64, _ index: Int, of client: ClientID) -> Int {
    let stopped = take { $0.ticket.client == client && $0.id == message && $0.index == index }
    for request in stopped { refuse(request, .failed, "this connection stopped it") }
    return stopped.count
  }

  /// Takes these requests back: what nobody waits for any more is not fetched.
  private func take(_ isMeant: (Request) -> Bool) -> [Request] {
    var taken = looking.values.filter(isMeant)
    for request in taken { looking[request.ticket] = nil }
    for (file, requests) in waiting.sorted(by: { $0.key < $1.key }) where requests.contains(where: isMeant) {
      taken += requests.filter(isMeant)
      let others = requests.filter { !isMeant($0) }
      waiting[file] = others.isEmpty ? nil : others
      if others.isEmpty { drop(file) }
    }
    goOn()
    return taken.sorted { $0.ticket.number < $1.ticket.number }
  }

  private func drop(_ file: String) {
    queue.removeAll { $0 == file }
    guard let download = running.removeValue(forKey: file), let transfer = download.transfer else { return }
    effects.cancel(transfer)
    effects.order(.dropFetched(download.name))
  }

  private func report(_ file: String, _ done: UInt64, _ total: UInt64?) {
    for request in waiting[file] ?? [] {
      effects.publish(
        .transfer(
          TransferProgress(
            account: state.number, conversation: request.message.jid, id: request.id, index: request.index, done: done,
            total: total)))
    }
  }

  /// Opens the file for each client, because clients may expect different hashes. Clients that asked for it by this
  /// message get it before it is durable; the others wait for the sync.
  private func keep(_ file: String, _ name: String) {
    guard let request = waiting[file]?.first(where: stands) else {
      effects.order(.dropFetched(name))
      return end(file) { refuse($0, .notFound, "the message is gone") }
    }
    let size = effects.daemon.files.cacheSize
    giveFresh(file, name, to: request.id)
    effects.order(.keepFetched(name, as: request.source, cacheSize: size)) { [self] outcome in
      guard running[file]?.name == name else { return effects.order(.dropFetched(name)) }
      // Clients that asked for it by another message may expect these bytes.
      if case .wrongHash = outcome { return keep(file, name) }
      guard case .done = outcome else {
        effects.order(.dropFetched(name))
        return end(file) { take(outcome, for: $0) }
      }
      end(file) { request in
        guard stands(request) else { return refuse(request, .notFound, "the message is gone") }
        effects.order(.openFetched(request.source, for: request.ticket.client)) { [self] in take($0, for: request) }
      }
    }
  }

  /// Gives a file that is whole to who asked for it as one of this message.
  private func giveFresh(_ file: String, _ name: String, to message: UInt64) {
    for request in waiting[file] ?? [] where request.id == message {
      var source = request.source
      source.fresh = name
      effects.order(.openFetched(source, for: request.ticket.client)) { [self] in take($0, for: request) }
    }
    waiting[file]?.removeAll { $0.id == message }
  }

  /// True if the message is neither hidden nor retracted by now.
  private func stands(_ request: Request) -> Bool {
    guard finder.storage.isWhole else { return true }
    let files = finder.present(request.id, request.message)?.message.details?.files ?? []
    return files.contains { $0.identity == request.file.identity }
  }

  private func end(_ file: String, _ body: (Request) -> Void) {
    running[file] = nil
    for request in waiting.removeValue(forKey: file) ?? [] { body(request) }
    goOn()
  }
}

extension Attachment {
  /// Names of the formats that `PictureHeader` reads, and that some clients use.
  private static let otherPictureTypes = ["image/jpg", "image/pjpeg", "image/apng", "image/x-png"]

  /// The attachment with the size, type and dimensions that the file's bytes show. A file that claims to be a picture
  /// of a known format and is none gets the type of unknown bytes.
  package func knowing(_ measured: MeasuredFile) -> Attachment {
    var file = self
    file.size = measured.size
    if let type = measured.type {
      file.type = type
    } else if let type = file.type?.lowercased(),
      PictureHeader.Format(rawValue: type) != nil || Self.otherPictureTypes.contains(type)
    {
      file.type = "application/octet-stream"
    }
    file.width = measured.picture.map { UInt32($0.width) }
    file.height = measured.picture.map { UInt32($0.height) }
    file.isAnimated = measured.picture?.isAnimated == true
    return file
  }
}

extension TransferFailure.Cause {
  fileprivate var code: ErrorCode {
    switch self {
    case .notAllowed: .notAllowed
    case .tooLarge: .tooLarge
    case .noSpace: .noSpace
    default: .failed
    }
  }
}
