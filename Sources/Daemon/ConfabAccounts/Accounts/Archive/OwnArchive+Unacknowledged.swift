import Clocks
import State
import Records
import XMPPExtensions

/// Resolves what became of messages of mine that left on an earlier stream and were not acknowledged. The archive is
/// queried before the outbox continues. Messages that the archive has were sent; the others go again, or are in doubt
/// if the archive keeps no messages to that recipient (decision 0046).
extension OwnArchive {
  /// The resource is bound, and the last record of the earlier stream durable.
  func resolve() {
    guard outbox.hasUnresolved else { return leaveInDoubt() }
    if let known = archive.record {
      evidence.isAwaited = true
      return sync.catchUp(known)
    }
    // It was never fetched so far: first it has to be known whether there is one.
    guard features.isKnown else { return }
    guard features.hasArchive else { return leaveInDoubt() }
    evidence.isAwaited = true
    let first = state.outbox.entries.lazy.filter(\.transmitted).map(\.time).min()
    let start = first?.advanced(by: .milliseconds(-Self.margin.milliseconds))
    sync.start(ArchiveRun(.forward, from: .first, start: start), .catchingUp)
  }

  /// Resolves as soon as the last record of the earlier stream is durable.
  func resolveWhenDurable() {
    guard case .waiting(let after) = outbox.resolution, after <= storage.queue.durable else { return }
    outbox.resolution = .open
    resolve()
    begin()
  }

  /// Judges the messages that the archive lacks, after its last page: by the archive's preferences (XEP-0441), unless
  /// the archive has already shown that it keeps such messages.
  func judgeAbsent() {
    let isOpen = outbox.unresolved(except: evidence.arrived).contains { !isProvenLost($0) }
    guard isOpen, evidence.requestPreferences() else { return finishResolving() }
    requests.send(.archivePreferences) { ArchivePreferences.request(to: archive.address, id: $0) }
  }

  /// Takes the archive's preferences; nil if they are unreadable or late.
  func receivePreferences(_ preferences: ArchivePreferences?) {
    evidence.receive(preferences)
    if evidence.isAwaited, archive.run == nil { finishResolving() }
  }

  /// It is known which messages arrived. The archive is queried once more, because only the archive has messages that
  /// my other devices sent before carbons were enabled.
  private func finishResolving() {
    evidence.isAwaited = false
    archive.phase = .unknown
    outbox.leaveInDoubt(outbox.unresolved(except: evidence.arrived).filter { !isProvenLost($0) })
    begin()
  }

  /// True if the message is proven lost: the archive was read to its end, would have kept the message, and is the same
  /// archive as when the message was sent.
  private func isProvenLost(_ entry: Outbox.Entry) -> Bool {
    entry.id >= archive.record?.provesSince ?? 0 && evidence.absenceProvesLoss(to: entry.jid)
  }

  /// Nothing more is found out about unacknowledged messages.
  func leaveInDoubt() { outbox.leaveInDoubt(outbox.unresolved(except: evidence.arrived)) }
}
