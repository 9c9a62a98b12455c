package import Clocks
package import Timelines
package import State
package import MessageLog

/// One search, from its beginning to its end.
package struct SearchID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// The text to search for, and the messages to search.
package struct SearchQuery: Sendable, Equatable {
  package var text: String
  /// Only messages of these accounts.
  package var accounts: [Account]
  /// A bare JID: only in the conversations with it.
  package var conversation: String?
  /// A bare JID: only what it wrote.
  package var sender: String?
  /// Only messages of this time or later.
  package var since: Timestamp?
  /// Only messages before this time.
  package var until: Timestamp?
  /// Only messages that stand before this one.
  package var before: Entry.Key?
  /// How many at most.
  package var limit: Int

  /// An account, by its number and its own bare JID.
  package struct Account: Sendable, Equatable {
    package var number: UInt32
    package var jid: String

    package init(_ number: UInt32, _ jid: String) { (self.number, self.jid) = (number, jid) }
  }

  package init(text: String, accounts: [Account], limit: Int) {
    (self.text, self.accounts, self.limit) = (text, accounts, limit)
  }

  /// The own JID of an account; nil where its messages are not wanted.
  package func jid(of account: UInt32) -> String? { accounts.first { $0.number == account }?.jid }

  /// True if a message with this key may be a result.
  func admits(_ key: Entry.Key) -> Bool {
    if let since, key.time < since { return false }
    if let until, key.time >= until { return false }
    return before.map { key < $0 } ?? true
  }

  /// True if a range may hold a result.
  func admits(_ logRange: LogRange) -> Bool {
    if let since, logRange.latest < since { return false }
    if let until, logRange.earliest >= until { return false }
    return before.map { logRange.earliest <= $0.time } ?? true
  }
}

/// The log as it is when a search begins.
package struct SearchScope: Sendable {
  package var index: LogIndex
  package var timeRanges: [LogRange]
  /// Hidden histories, by account and bare JID.
  package var forgotten: [UInt32: Forgotten]

  package init(index: LogIndex, timeRanges: [LogRange], forgotten: [UInt32: Forgotten] = [:]) {
    (self.index, self.timeRanges, self.forgotten) = (index, timeRanges, forgotten)
  }
}

/// A message that was found.
package struct SearchHit: Sendable, Equatable {
  package var account: UInt32
  package var key: Entry.Key
  /// The record that it was found in, by its number: of a message that was changed not the one that made it.
  package var number: UInt64
  /// The packed location of that record.
  package var location: UInt64
  /// The matches in the message's text, in Unicode scalars.
  package var ranges: [Range<Int>] = []
}

/// The result of a search.
package struct SearchOutcome: Sendable, Equatable {
  /// Newest first.
  package var hits: [SearchHit] = []
  /// There are older ones.
  package var hasMore = false
  /// Bytes of the log that the disk could not read, or that are gone, about, and that were passed over.
  package var unreadable = 0
  /// The disk failed: what is here is not all.
  package var failure: StorageError?

  package init(hits: [SearchHit] = [], hasMore: Bool = false, failure: StorageError? = nil) {
    (self.hits, self.hasMore, self.failure) = (hits, hasMore, failure)
  }
}
