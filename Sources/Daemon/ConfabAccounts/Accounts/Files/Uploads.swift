import Bytes
import Clocks
import HelperProtocol
package import Records
import ConfabConfiguration
import State
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Uploads the files of messages of mine (XEP-0363), one after the other. A message goes out once all of its files have
/// addresses; what is uploaded is in the log, so that nothing is uploaded twice but for a crash. When the first upload of a
/// message begins, it is decided whether its files are encrypted; then each upload has a key of its own, which is durable
/// before bytes leave (docs/decisions/0200-encrypted-files.md).
package final class Uploads: StreamPart {
  /// The file that is being uploaded.
  private struct Work {
    let number: UInt64
    let entry: Outbox.Entry
    let message: MessageRecord
    let index: Int
    /// Nil: its bytes leave as they are.
    var key: FileKey?
    /// The record that has the key: once that is durable the upload begins, if it has not.
    var keyRecord: UInt64 = 0
    var hasBegun = false
    var transfer: TransferTicket?

    var file: Attachment { message.details?.attachments[index] ?? Attachment() }
    var copy: String { Uploads.copyName(of: message, index) }
    /// Hashes of the bytes that were stored.
    var hashes: [FileHash] { file.shared.metadata.hashes }

    /// The server hears this of the file before it is there; of an encrypted one nothing but its size.
    func metadata(named name: @autoclosure () -> String) -> FileMetadata {
      guard key != nil else { return file.shared.metadata }
      var metadata = FileMetadata()
      (metadata.name, metadata.type) = (name(), Uploads.unknownType)
      metadata.size = (file.size ?? 0) + UInt64(FileKey.tagBytes)
      return metadata
    }

    /// True if the uploaded bytes are the stored ones.
    func isUnchanged(in result: TransferResult) -> Bool { hashes.allSatisfy { result.hashes[$0.function] == $0.value } }
  }

  private let state: AccountState
  private let slots: UploadSlots
  private let finder: MessageFinder
  private let deliveries: Deliveries
  private let encryption: Encryption
  private let effects: Effects
  private var work: Work?
  private var pauses: [UInt64: UploadPause] = [:]
  /// Uploads that are done or begun, and not durable yet.
  private var recorded: [UInt64: [Int: UploadRecord]] = [:]
  /// The copies of each message that waits.
  private var copies: [UInt64: [String]] = [:]

  private static let unknownType = "application/octet-stream"

  init(_ slots: UploadSlots, _ finder: MessageFinder, _ encryption: Encryption, _ effects: Effects) {
    (self.slots, self.finder, self.effects, state) = (slots, finder, effects, finder.state)
    self.encryption = encryption
    deliveries = Deliveries(state, finder.storage)
  }

  private var storage: Storage { finder.storage }

  package static func copyName(of message: MessageRecord, _ index: Int) -> String {
    copyName(stanzaID: message.stanzaID ?? "", index)
  }

  package static func copyName(stanzaID: String, _ index: Int) -> String { "\(stanzaID).\(index)" }

  // MARK: - What happens

  /// The next sync goes on with the files.
  func streamBegins(_: NegotiatedStream) { for id in pauses.keys { pauses[id]?.until = nil } }

  func retired() { dropWork() }

  /// Records were given up: only what is durable counts.
  func forgetUnstored() {
    recorded = [:]
    if work?.hasBegun == false { work = nil }
  }

  /// When a pause is over.
  var deadline: Instant? { work == nil && slots.isReady ? pauses.values.compactMap(\.until).min() : nil }

  func tick() {
    for (id, pause) in pauses where pause.isOver(at: effects.now.instant) { pauses[id]?.until = nil }
    advance()
  }

  func featuresAreKnown() { advance() }

  func synced() { advance() }

  /// Goes on with what can go on.
  func advance() {
    guard !state.outbox.held.isEmpty || !copies.isEmpty else { return }
    forgetGone()
    if let work, !work.hasBegun, storage.queue.durable >= work.keyRecord { return begin() }
    guard slots.isReady, work == nil, storage.isWhole, storage.trouble == nil, storage.mayAppend, let next = takeNext(),
      work == nil
    else { return }
    work = next
    if let key = next.key { work?.keyRecord = record(next, url: "", key) } else { begin() }
  }

  /// The next file, if one can be uploaded; a message whose files may not go at all fails.
  private func takeNext() -> Work? {
    for (id, entry) in state.outbox.held.sorted(by: { $0.key < $1.key })
    where entry.fileCount > 0 && pauses[id]?.until == nil && deliveries.mayLeave(id) {
      let index = (0..<entry.fileCount).first { done(id, $0) == nil }
      guard let index, let message = finder.records.written(entry) else { continue }
      switch encryption.uploading(of: message, (0..<entry.fileCount).compactMap { upload(id, $0) }) {
      case .plain: return Work(number: effects.freshNumber(), entry: entry, message: message, index: index)
      case .encrypted:
        let key = FileKey(
          key: effects.random.bytes(FileKey.keyBytes), nonce: effects.random.bytes(FileKey.nonceBytes))
        return Work(number: effects.freshNumber(), entry: entry, message: message, index: index, key: key)
      case .waits: continue
      case .refused(let failure):
        deliveries.advance(DeliveryRecord(entry, of: state.number, .failed, failure: failure))
      }
    }
    return nil
  }

  private func upload(_ id: UInt64, _ index: Int) -> UploadRecord? {
    recorded[id]?[index] ?? state.outbox.uploads[id]?[UInt32(index)]
  }

  /// The upload of a file that has an address.
  private func done(_ id: UInt64, _ index: Int) -> UploadRecord? {
    upload(id, index).flatMap { $0.url.isEmpty ? nil : $0 }
  }

  /// Appends what is known of an upload; returns the record's number.
  private func record(_ work: Work, url: String, _ key: FileKey?) -> UInt64 {
    let upload = UploadRecord(account: state.number, id: work.entry.id, index: UInt32(work.index), url: url, key: key)
    recorded[work.entry.id, default: [:]][work.index] = upload
    return url.isEmpty ? storage.appendUrgently(.upload(upload)) : storage.append(.upload(upload))
  }

  private func begin() {
    guard let work, slots.isReady else { return self.work = nil }
    self.work?.hasBegun = true
    let isWanted = { [self] in self.work?.number == work.number }
    let metadata = work.metadata(named: effects.token(bytes: 12))
    slots.request(for: metadata, while: isWanted) { [self] in receive($0) }
  }

  /// Notes whose copies there are, and removes those of messages that wait no longer.
  private func forgetGone() {
    for (id, entry) in state.outbox.held where entry.fileCount > 0 && copies[id] == nil {
      let message = finder.records.written(entry)
      copies[id] = message.map { message in (0..<entry.fileCount).map { Self.copyName(of: message, $0) } } ?? []
    }
    for (id, names) in copies.sorted(by: { $0.key < $1.key }) where state.outbox.held[id]?.fileCount ?? 0 == 0 {
      let files = finder.records.message(id).flatMap { finder.present(id, $0) }?.message.details?.attachments ?? []
      // One that is hidden or retracted has no files any more.
      if names.indices.allSatisfy({ recorded[id]?[$0]?.url.isEmpty == false }), files.count == names.count {
        let copies = zip(names, files).map { SpooledCopy(name: $0, identity: $1.identity, message: id) }
        effects.order(.keepSpooled(copies, cacheSize: effects.daemon.files.cacheSize))
      } else {
        effects.order(.dropSpooled(names))
      }
      (copies[id], recorded[id], pauses[id]) = (nil, nil, nil)
    }
    if let id = work?.entry.id, copies[id] == nil { dropWork() }
  }

  private func dropWork() {
    if let transfer = work?.transfer { effects.cancel(transfer) }
    work = nil
  }

  // MARK: - One file

  private func receive(_ answer: UploadSlots.Answer) {
    switch answer {
    case .slot(let slot): open(slot)
    case .refused(let failure): fail(failure)
    case .later(let time): retry(notBefore: time)
    }
  }

  private func open(_ slot: UploadSlot) {
    guard let work else { return }
    effects.order(.openSpooled(work.copy)) { [self] outcome in
      let isWanted = self.work?.number == work.number
      switch outcome {
      case .opened(let file) where isWanted: put(file, slot)
      case .opened(let file): effects.act(.closeDescriptors([file]))
      case .missing where isWanted:
        fail(Failure(condition: "item-not-found", text: "the copy of the file is gone, or was replaced"))
      default: if isWanted { retry() }
      }
    }
  }

  private func put(_ file: DescriptorID, _ slot: UploadSlot) {
    guard let work else { return }
    if let key = work.key, EncryptedFileAddress(url: slot.get, key: key) == nil {
      effects.act(.closeDescriptors([file]))
      return fail(
        Failure(condition: "undefined-condition", text: "no key can be sent beside the address from the server"))
    }
    var request = slots.route.request(
      .put(size: work.file.size ?? 0), slot.put, headers: slot.headers,
      type: work.key == nil ? work.file.type : Self.unknownType)
    (request.hashes, request.key) = (work.hashes.map(\.function), work.key)
    self.work?.transfer = effects.transfer(request, file) { [self] event in
      guard self.work?.number == work.number else { return }
      switch event {
      case .progress(let done, let total): report(done, of: total)
      case .done(let result) where work.isUnchanged(in: result): uploaded(to: slot.get)
      case .done: failed(TransferFailure(.file, "its copy is damaged: the bytes are not those that were stored"))
      case .failed(let failure): failed(failure)
      }
    }
  }

  private func report(_ done: UInt64, of total: UInt64?) {
    guard let work else { return }
    effects.publish(
      .transfer(
        TransferProgress(
          account: state.number, conversation: work.message.jid, id: work.entry.id, index: work.index, done: done,
          total: total)))
  }

  private func uploaded(to url: String) {
    guard let work else { return }
    report(work.file.size ?? 0, of: work.file.size)
    let id = work.entry.id
    if state.outbox.held[id] != nil, deliveries.mayLeave(id), storage.mayAppend {
      let others = (0..<work.entry.fileCount).filter { $0 != work.index }
      if others.allSatisfy({ done(id, $0) != nil }) {
        finish(work, url)
      } else {
        _ = record(work, url: url, work.key)
      }
    }
    pauses[id] = nil
    self.work = nil
    advance()
  }

  /// All files of a message have addresses: it goes out.
  private func finish(_ work: Work, _ url: String) {
    let id = work.entry.id
    recorded[id, default: [:]][work.index] = UploadRecord(
      account: state.number, id: id, index: UInt32(work.index), url: url, key: work.key)
    let uploads = (0..<work.entry.fileCount).compactMap { done(id, $0) }
    for (index, upload) in uploads.enumerated() { recorded[id, default: [:]][index] = upload }
    // One that is hidden stands as it was written.
    let present = finder.present(id, work.message) ?? PresentMessage(id: id, number: id, message: work.message)
    var files = present.message.details?.files ?? []
    for (index, upload) in uploads.enumerated() where files.indices.contains(index) {
      (files[index].url, files[index].key) = (upload.url, upload.key)
    }
    storage.appendUrgently(.change(present.withFiles(files)))
  }

  // MARK: - When it does not work

  private func failed(_ failure: TransferFailure) {
    guard let work else { return }
    let file = "file \(work.index) of message \(work.entry.id)"
    effects.journal(.info, .transfer, of: state.record, "\(file) was not uploaded: \(failure.reason)")
    let lasting = Failure(condition: failure.cause.condition, text: failure.reason)
    switch failure.cause {
    case .cut, .time, .connection, .name, .program, .status(500...599): retry()
    case .status(403), .status(404), .status(410):
      pauses[work.entry.id, default: UploadPause()].slots += 1
      guard pauses[work.entry.id, default: UploadPause()].slots <= UploadPause.mostSlots else {
        return fail(lasting)
      }
      self.work = nil
      advance()
    default: fail(lasting)
    }
  }

  private func retry(notBefore time: Timestamp? = nil) {
    guard let work else { return }
    let least = time.map { effects.now.instant.advanced(by: max(.zero, $0 - effects.now.wall)) }
    pauses[work.entry.id, default: UploadPause()].begin(at: effects.now.instant, notBefore: least)
    self.work = nil
    advance()
  }

  private func fail(_ failure: Failure) {
    guard let work else { return }
    deliveries.advance(DeliveryRecord(work.entry, of: state.number, .failed, failure: failure))
    self.work = nil
    advance()
  }
}

/// How long a message waits until its upload is tried again, and what was tried.
struct UploadPause {
  /// Slots that were refused by the web server in a row.
  var slots = 0
  /// Nil: it does not wait.
  fileprivate(set) var until: Instant?
  private var length = Interval.seconds(5)

  /// New slots for one file.
  static let mostSlots = 3
  private static let longest = Interval.minutes(10)

  func isOver(at now: Instant) -> Bool { until.map { $0 <= now } ?? false }

  mutating func begin(at now: Instant, notBefore least: Instant?) {
    until = max(now.advanced(by: length), least ?? now)
    length = min(.milliseconds(2 * length.milliseconds), Self.longest)
  }
}

extension TransferFailure.Cause {
  /// The condition of RFC 6120 for this failure.
  fileprivate var condition: String {
    switch self {
    case .status(401), .status(403), .notAllowed: "forbidden"
    case .status(404), .status(410): "item-not-found"
    case .status(413), .tooLarge: "not-acceptable"
    default: "undefined-condition"
    }
  }
}
