package import Clocks
import MessageLog
package import Records

/// The accounts by their numbers. A record of an account that nothing is known of comes where that account's own record
/// cannot be read any more: its number is taken all the same, and all that the log says of it is kept, until it is
/// known whose it is.
package final class AccountTable {
  package private(set) var byNumber: [UInt32: AccountState] = [:]
  /// The gap that cuts sections where a request names none (`snap-interval`).
  package private(set) var gap: Interval
  /// The words that are mentions in all accounts' rooms.
  package let mentionWords = MentionWords()
  private let pages: IndexPages?
  private let log: LogUUID?
  /// The account of the last record.
  private var last: AccountState?

  init(gap: Interval, _ pages: IndexPages?, of log: LogUUID?) { (self.gap, self.pages, self.log) = (gap, pages, log) }

  package subscript(number: UInt32) -> AccountState? { byNumber[number] }

  /// In the order of their numbers.
  package var all: [AccountState] { byNumber.values.sorted { $0.number < $1.number } }

  /// The account with this number, created if there is none yet. The last one is cached: the next message is mostly for
  /// it, too.
  package func account(_ number: UInt32) -> AccountState {
    if let last, last.number == number { return last }
    let found = byNumber[number] ?? AccountState(number, pages: pages, of: log, gap: gap, mentionWords)
    (byNumber[number], last) = (found, found)
    return found
  }

  /// The account of a section of the configuration: that of its name and JID, or one of its JID whose name is lost; of
  /// several the newest. Else the only one of its JID that is in no section: this one was renamed.
  ///
  /// - Parameter isElsewhere: whether another section has this name, and the same JID.
  package func account(
    _ name: String, _ jid: String, isElsewhere: (String) -> Bool = { _ in false }
  ) -> AccountState? {
    let own = all.filter { $0.record.jid == jid }
    if let known = own.last(where: { $0.record.name == name }) ?? own.last(where: \.record.name.isEmpty) {
      return known
    }
    let free = own.filter { !isElsewhere($0.record.name) }
    return free.count == 1 ? free.first : nil
  }

  /// A number that no record has.
  package var freeNumber: UInt32 {
    guard let last = byNumber.keys.max() else { return 1 }
    // Only a forged log has the last number of all.
    return last < .max ? last + 1 : (1...last).first { byNumber[$0] == nil } ?? last
  }

  /// Records repeated in each new segment, so that accounts are known without any one segment.
  package var records: [Record] { all.map(\.record).filter { !$0.name.isEmpty }.map { .account($0) } }

  /// Accounts without a known JID.
  package var unknown: [AccountState] { all.filter(\.record.jid.isEmpty) }

  /// True if one of the accounts has a conversation with this bare JID, or has it on its roster.
  package func knows(_ jid: String) -> Bool {
    byNumber.values.contains { $0.conversations[jid] != nil || $0.contacts[jid] != nil }
  }

  /// Cuts every conversation anew after a changed `snap-interval`.
  package func changeGap(_ gap: Interval) {
    self.gap = gap
    for account in byNumber.values { account.conversations.changeGap(gap) }
  }
}
