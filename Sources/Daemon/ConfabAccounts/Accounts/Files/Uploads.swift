import Clocks
import HelperProtocol
package import Records
import ConfabConfiguration
import State
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Uploads the files of messages of mine (XEP-0363), one after the other. A message goes out once all of its files have
/// addresses; what is uploaded is in the log, so that nothing is uploaded twice but for a crash.
package final class Uploads: StreamPart {
  /// The file that is being uploaded.
  private struct Work {
    let number: UInt64
    let entry: Outbox.Entry
    let message: MessageRecord
    let index: Int
    var transfer: TransferTicket?

    var file: Attachment { message.details?.attachments[index] ?? Attachment() }
    var copy: String { Uploads.copyName(of: message, index) }
    /// Hashes of the bytes that were stored.
    var hashes: [FileHash] { file.shared.metadata.hashes }

    /// True if the uploaded bytes are the stored ones.
    func isUnchanged(in result: TransferResult) -> Bool { hashes.allSatisfy { result.hashes[$0.function] == $0.value } }
  }

  private let state: AccountState
  private let slots: UploadSlots
  private let finder: MessageFinder
  private let deliveries: Deliveries
  private let effects: Effects
  private var work: Work?
  private var pauses: [UInt64: UploadPause] = [:]
  /// Addresses of files that are uploaded, and not durable yet.
  private var recorded: [UInt64: [Int: String]] = [:]
  /// The copies of each message that waits.
  private var copies: [UInt64: [String]] = [:]

  init(_ slots: UploadSlots, _ finder: MessageFinder, _ effects: Effects) {
    (self.slots, self.finder, self.effects, state) = (slots, finder, effects, finder.state)
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
  func forgetUnstored() { recorded = [:] }

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
    guard slots.isReady, work == nil, storage.isWhole, storage.trouble == nil, let next = next() else { return }
    work = next
    let isWanted = { [self] in work?.number == next.number }
    slots.request(for: next.file.shared.metadata, while: isWanted) { [self] in receive($0) }
  }

  private func next() -> Work? {
    for (id, entry) in state.outbox.held.sorted(by: { $0.key < $1.key })
    where entry.fileCount > 0 && pauses[id]?.until == nil && deliveries.mayLeave(id) {
      let index = (0..<entry.fileCount).first { url(of: id, $0) == nil }
      guard let index, let message = finder.records.written(entry) else { continue }
      return Work(number: effects.freshNumber(), entry: entry, message: message, index: index)
    }
    return nil
  }

  private func url(of id: UInt64, _ index: Int) -> String? {
    state.outbox.uploads[id]?[UInt32(index)] ?? recorded[id]?[index]
  }

  /// Notes whose copies there are, and removes those of messages that wait no longer.
  private func forgetGone() {
    for (id, entry) in state.outbox.held where entry.fileCount > 0 && copies[id] == nil {
      let message = finder.records.written(entry)
      copies[id] = message.map { message in (0..<entry.fileCount).map { Self.copyName(of: message, $0) } } ?? []
    }
    for (id, names) in copies.sorted(by: { $0.key < $1.key }) where state.outbox.held[id]?.fileCount ?? 0 == 0 {
      let urls = names.indices.compactMap { recorded[id]?[$0] }
      let present = finder.records.message(id).flatMap { finder.present(id, $0) }?.message
      // One that is hidden or retracted has no files any more.
      if urls.count == names.count, present?.details?.attachments.isEmpty == false {
        let copies = zip(names, urls).map { SpooledCopy(name: $0, url: $1, message: id) }
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
    var request = slots.route.request(
      .put(size: work.file.size ?? 0), slot.put, headers: slot.headers, type: work.file.type)
    request.hashes = work.hashes.map(\.function)
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
      recorded[id, default: [:]][work.index] = url
      let urls = (0..<work.entry.fileCount).compactMap { self.url(of: id, $0) }
      if urls.count == work.entry.fileCount {
        finish(work, urls)
      } else {
        storage.append(
          .upload(UploadRecord(account: state.number, id: id, index: UInt32(work.index), url: url)))
      }
    }
    pauses[id] = nil
    self.work = nil
    advance()
  }

  /// All files of a message have addresses: it goes out.
  private func finish(_ work: Work, _ urls: [String]) {
    let id = work.entry.id
    for (index, url) in urls.enumerated() { recorded[id, default: [:]][index] = url }
    // One that is hidden stands as it was written.
    let present = finder.present(id, work.message) ?? PresentMessage(id: id, number: id, message: work.message)
    var files = present.message.details?.files ?? []
    for (index, url) in urls.enumerated() where files.indices.contains(index) { files[index].url = url }
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
