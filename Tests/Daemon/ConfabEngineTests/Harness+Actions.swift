import Bytes
import ConfabAccounts
import ConfabEngine
import MarkedText
import MessageLog
import Search
import ConfabConfiguration
import State
import TestSupport
import XMPPExtensions

/// What the engine wants is done, and it is told what follows from that.
extension Harness {
  func handleLater(_ event: Event?) {
    later.append(event)
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    while !later.isEmpty {
      guard let event = later.removeFirst() else {
        sync()
        continue
      }
      var actions: [Action] = []
      handled += 1
      engine.handle(event, at: now, into: &actions)
      for action in actions { perform(action) }
    }
  }

  func perform(_ action: Action) {
    if recordsActions { actions.append(Self.text(of: action)) }
    switch action {
    case .link(let id, let action): perform(action, id)
    case .client(let id, .write(let bytes)):
      lines[id, default: []] += bytes
      trace.append(.toClient(String(decoding: bytes, as: UTF8.self)))
      if !stalled.contains(id) { handleLater(.client(id, .drained)) }
    case .client(let id, .writePassing(let bytes, let descriptor)):
      passed.append(descriptor)
      perform(.client(id, .write(bytes)))
      if !stalled.contains(id) { handleLater(.client(id, .descriptorsTaken(1))) }
    case .closeDescriptors(let ids): closedDescriptors += ids
    case .broadcast(let ids, let bytes):
      for id in ids {
        lines[id, default: []] += bytes
        trace.append(.toClient(String(decoding: bytes, as: UTF8.self)))
        if stalled.contains(id) { handleLater(.client(id, .pendingOutput(bytes.count))) }
      }
    case .client(let id, .close): closedClients.insert(id)
    case .client(let id, .rejectAndClose):
      closedClients.insert(id)
      turnedAway.insert(id)
    case .client(let id, .pause): paused.insert(id)
    case .client(let id, .resume): paused.remove(id)
    case .commit(let batch):
      batches.append(batch)
      if syncsAtOnce { handleLater(nil) }
    case .keepDiskReserve:
      guard let trouble = reserveTrouble else { break }
      handleLater(.diskReserveKept(trouble()))
    case .changeKeys(let order):
      handleLater(.keysChanged(Self.change(order, on: disk)))
    case .storePages(let batch):
      pageBatches += 1
      pages.append(batch)
      if !holdsPages { storePages() }
    case .checkpoint(let snapshot):
      checkpoints.append(snapshot.checkpoint)
      handleLater(.checkpointStored(snapshot.perform(on: disk)))
    case .search(let id, let query, let scope, let user):
      searches.add(id, query, in: scope, for: user)
      if searchesAtOnce { search() }
    case .cancelSearch(let id):
      searches.cancel(id)
      cancelled += 1
    case .exit(let status): exitStatus = status
    case .file(let ticket, let order):
      fileOrders.append(order)
      if let outcome = fileOutcome(order) { handleLater(.file(ticket, outcome)) }
    case .transfer(let ticket, let request, let file):
      transfers.append(RunningTransfer(ticket: ticket, request: request, file: file))
    case .cancelTransfer(let ticket):
      transfers.removeAll { $0.ticket == ticket }
      cancelledTransfers += 1
    case .runHook(let run): hookRuns.append(run)
    case .killHook(let id): killedHooks.append(id)
    case .readEmoticons:
      emoticonReads += 1
      if let emoticons { handleLater(.emoticons(emoticons, problems: [])) }
    case .readConfiguration: if let nextConfiguration { handleLater(.configuration(nextConfiguration)) }
    case .journal(let level, let line, let fields):
      journalFields.append(fields)
      journal.append(line)
      if level <= .info { told.append(line) }
    case .serviceStatus(let words): serviceStatus.append(words)
    case .refreshNames: refreshes += 1
    case .releaseMemory: releases += 1
    case .logLevel, .forgetKeys: break
    }
  }

  /// The outcome of an order to files.
  private func fileOutcome(_ order: FileOrder) -> FileOutcome? {
    switch order {
    case .read(let id, let limit):
      guard let bytes = contents[id] else { return .unusable("it is no file") }
      return bytes.count > limit ? .tooLong : .read(bytes)
    case .keepAvatar(let avatar):
      guard keepsAvatars else { return .failed("the disk is full") }
      avatars[avatar.hash] = avatar
      return .done
    case .openAvatar(let hash, _):
      lastDescriptor += 1
      return avatars[hash].map { .avatar(OpenAvatar($0, DescriptorID(lastDescriptor))) } ?? .missing
    case .measureFreeSpace: return .freeSpace(freeSpace)
    default: return messageFileOutcome(order)
    }
  }

  private func perform(_ action: LinkAction, _ id: LinkID) {
    if case .connect(let host, let port, _) = action { targets.append("\(host):\(port)") }
    if holdsLinks { return hold(action, id) }
    switch action {
    case .connect(_, let port, _):
      ports[id] = port
      links[port] = id
      servers[port]?.restart()
      handleLater(.link(id, .opened(remote: "127.0.0.1:5223")))
    case .startTLS(let request):
      tlsDomains.append(request.domain)
      // Only who is known has the certificate.
      let isKnown = ports[id].map { servers[$0] != nil } ?? false
      handleLater(.link(id, isKnown ? .secured(tls) : .closed("the certificate is for evil.example")))
    case .write(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      trace.append(.toServer(text))
      guard let port = ports[id] else { break }
      if linksDrain { handleLater(.link(id, .drained)) }
      for answer in servers[port]?.receive(text) ?? [] { handleLater(.link(id, .received(Array(answer.utf8)))) }
      if servers[port]?.hasClosed == true { handleLater(.link(id, .closed(servers[port]?.closingReason))) }
    case .derive(_, let request):
      wanted = (id, request)
      if derivesKeys { derive() }
    case .close, .abort: if let port = ports.removeValue(forKey: id), links[port] == id { links[port] = nil }
    case .pause: pausedLinks.insert(id)
    case .resume: pausedLinks.remove(id)
    case .resolve: break
    }
  }

  /// What the last login needs of the password is there.
  func derive() {
    guard let wanted else { return }
    handleLater(.derived(wanted.link, .credential(ScriptedStream.credential(for: wanted.request))))
  }

  private func hold(_ action: LinkAction, _ id: LinkID) {
    switch action {
    case .resolve, .connect: links[5223] = id
    case .close, .abort: if links[5223] == id { links[5223] = nil }
    case .write(let bytes): trace.append(.toServer(String(decoding: bytes, as: UTF8.self)))
    case .startTLS, .derive, .pause, .resume: break
    }
  }

  /// An action as text that is the same wherever the action is.
  private static func text(of action: Action) -> String {
    switch action {
    case .commit(let batch): "commit \(batch.sequences)"
    case .checkpoint(let snapshot): "checkpoint \(snapshot.checkpoint.sequence) \(snapshot.checkpoint.body)"
    case .client(let id, .write(let bytes)): "client \(id.number): \(String(decoding: bytes, as: UTF8.self))"
    case .broadcast(let ids, let bytes): "clients \(ids.map(\.number)): \(String(decoding: bytes, as: UTF8.self))"
    case .link(let id, .write(let bytes)): "link \(id.number): \(String(decoding: bytes, as: UTF8.self))"
    default: "\(action)"
    }
  }
}

extension Harness {
  /// What the file of keys answers.
  private static func change(_ order: EpochKeyOrder, on disk: any LogStorage) -> StorageError? {
    do throws(StorageError) {
      try order.perform(on: disk)
      return nil
    } catch { return error }
  }
}
