import Clocks
package import Records
import State

/// Changes what the user has set of an account's conversations: by a command, because a message comes, or because a
/// level held for a time that is over.
package struct SettingsChanges {
  let state: AccountState
  let storage: Storage
  let effects: Effects

  private var number: UInt32 { state.number }
  private var now: Int64 { effects.now.wall.milliseconds }

  /// The settings as they will be; nil: nothing is set.
  private func settings(of jid: String) -> SettingsRecord? {
    storage.pending.settings(of: number, jid) ?? state.settings[jid]
  }

  /// Appends the changed settings; returns the record's number.
  package func change(_ jid: String, by change: (inout SettingsRecord) -> Void) -> UInt64 {
    var record = settings(of: jid) ?? SettingsRecord(account: number, jid: jid)
    record.endNotify(at: now)
    change(&record)
    return storage.appendUrgently(.settings(record))
  }

  /// Takes a conversation out of the archive, because a message is about to be appended to it, unless the user never
  /// wants to be notified of it.
  func unarchive(_ jid: String) {
    guard var record = settings(of: jid), record.isArchived, record.notify(at: now).level != .never else { return }
    record.isArchived = false
    storage.append(.settings(record))
  }

  // MARK: - Levels that hold for a time

  /// The conversations of which a level ends that no record has ended yet.
  private var ends: [(jid: String, at: Timestamp)] {
    state.settings.ends.compactMap { jid, end in
      let isPending = storage.pending.settings(of: number, jid) != nil
      return isPending ? nil : (jid, Timestamp(milliseconds: end))
    }
  }

  /// True if there are temporary levels, and their ends can be stored.
  private var canEnd: Bool { !state.settings.ends.isEmpty && storage.trouble == nil && storage.isWhole }

  /// When the next level ends.
  var deadline: Instant? {
    guard canEnd, let next = ends.map(\.at).min() else { return nil }
    return effects.now.instant.advanced(by: max(.zero, next - effects.now.wall))
  }

  /// Ends the levels whose time is over: what holds now is a record, so that front ends hear of it.
  func tick() {
    guard canEnd else { return }
    for end in ends.sorted(by: { $0.jid < $1.jid }) where end.at <= effects.now.wall {
      guard var record = state.settings[end.jid] else { continue }
      record.endNotify(at: now)
      storage.append(.settings(record))
    }
  }
}
