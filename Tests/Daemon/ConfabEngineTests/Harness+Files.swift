import Clocks
import ConfabAccounts
import Crypto
import HelperProtocol
import Pictures
import XMPPExtensions

/// A transfer that the engine wants.
struct RunningTransfer {
  let ticket: TransferTicket
  let request: TransferRequest
  let file: DescriptorID
}

/// The files of messages, and a web.
extension Harness {
  /// The outcome of an order to files of messages.
  func messageFileOutcome(_ order: FileOrder) -> FileOutcome {
    switch order {
    case .spool where areFilesFull, .makeFetched where areFilesFull, .keepFetched where areFilesFull: return .noSpace
    case .spool(let descriptors, let plan): return spool(descriptors.map { contents[$0] }, plan)
    case .openSpooled(let name): return spool[name].map { .opened(hold($0)) } ?? .missing
    case .keepSpooled(let copies, _):
      for copy in copies {
        cache[copy.identity] = spool.removeValue(forKey: copy.name)
        keptFor[copy.identity, default: []].insert(copy.message)
      }
    case .dropSpooled(let names): for name in names { spool[name] = nil }
    case .sweepSpool(let names): spool = spool.filter { names.contains($0.key) }
    case .makeFetched(let name):
      fetching[name] = []
      return .opened(hold(Array(name.utf8)))
    case .keepFetched(let name, let file, _):
      guard let bytes = fetching[name], Self.match(bytes, file.hashes) else { return .wrongHash }
      fetching[name] = nil
      cache[file.identity] = bytes
      keptFor[file.identity, default: []].insert(file.message)
    case .listFetched: return .messages(Set(keptFor.values.joined()).sorted())
    case .forgetFetched(let messages):
      keptFor = keptFor.mapValues { $0.subtracting(messages) }
      cache = cache.filter { keptFor[$0.key]?.isEmpty == false }
    case .openFetched(let file, _):
      guard let bytes = file.fresh.map({ fetching[$0] }) ?? file.copy.map({ spool[$0] }) ?? cache[file.identity] else {
        return .missing
      }
      if file.copy == nil && file.fresh == nil { keptFor[file.identity, default: []].insert(file.message) }
      return Self.match(bytes, file.hashes) ? .fetched(Self.measured(bytes), hold(bytes)) : .wrongHash
    case .dropFetched(let name): fetching[name] = nil
    case .read, .keepAvatar, .openAvatar, .measureFreeSpace: return .missing
    }
    return .done
  }

  private static func match(_ bytes: [UInt8], _ hashes: [FileHash]) -> Bool {
    hashes.allSatisfy { (try? Digest.hash(bytes, $0.function)) == $0.value }
  }

  private func hold(_ bytes: [UInt8]) -> DescriptorID {
    lastDescriptor += 1
    contents[DescriptorID(lastDescriptor)] = bytes
    return DescriptorID(lastDescriptor)
  }

  private func spool(_ files: [[UInt8]?], _ plan: SpoolPlan) -> FileOutcome {
    var measured: [MeasuredFile] = []
    for (index, file) in files.enumerated() {
      guard let file, !file.isEmpty else { return .unusable("the file is empty") }
      var fact = Self.measured(file)
      fact.name = plan.name ?? "file\(index)"
      fact.hash = (try? Digest.hash(file, .sha256)).map { FileHash(.sha256, $0) }
      measured.append(fact)
    }
    let used = spool.values.reduce(0) { $0 + $1.count } + files.reduce(0) { $0 + ($1?.count ?? 0) }
    guard files.reduce(0, { $0 + ($1?.count ?? 0) }) <= plan.limit else { return .tooLong }
    guard used <= plan.limit else { return .noRoom }
    for (name, file) in zip(plan.names, files) { spool[name] = file }
    return .spooled(measured)
  }

  private static func measured(_ bytes: [UInt8]) -> MeasuredFile {
    var measured = MeasuredFile(size: UInt64(bytes.count))
    measured.picture = PictureHeader(bytes)
    measured.type = measured.picture?.format.rawValue
    return measured
  }

  /// The oldest transfer moves on, or ends.
  func transferred(_ event: TransferEvent) {
    guard let transfer = transfers.first else { return }
    if event.isEnd { transfers.removeFirst() }
    handle(.transfer(transfer.ticket, event))
    pass(.milliseconds(50))
  }

  /// The oldest transfer, an upload, is done.
  func uploaded() {
    guard let transfer = transfers.first, let bytes = contents[transfer.file] else { return }
    let hashes = transfer.request.hashes.map { ($0, (try? Digest.hash(bytes, $0)) ?? []) }
    transferred(
      .done(TransferResult(status: 201, byteCount: 1, hashes: Dictionary(uniqueKeysWithValues: hashes))))
  }

  /// The oldest transfer brings these bytes.
  func fetched(_ bytes: [UInt8]) {
    guard let name = transfers.first.flatMap({ contents[$0.file] }) else { return }
    fetching[String(decoding: name, as: UTF8.self)] = bytes
    transferred(.done(TransferResult(status: 200, byteCount: UInt64(bytes.count))))
  }
}
