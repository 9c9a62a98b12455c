package import Clocks

/// Marks of an entry that belong to the caller (mine or not, unread, hidden, ...): a timeline keeps them and reads
/// none. Public, so that what reads them is inlined in other targets.
public struct EntryFlags: OptionSet, Hashable, Sendable {
  public var rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Replaces the default implementation, which is not inlined.
  public func contains(_ flags: EntryFlags) -> Bool { rawValue & flags.rawValue == flags.rawValue }
}

/// One message of a conversation, as a timeline keeps it: what orders it, and where the rest of it stands.
///
/// 30 bytes, 32 apart in an array: ten million messages cost 320 MB, so nothing is added here lightly.
package struct Entry: Hashable, Sendable {
  /// The time by which messages are ordered first (docs/PROTOCOL.md, `time`).
  package var time: Timestamp
  /// The sequence number of the record that made the message: its `id`.
  package var id: UInt64
  /// The packed location of that record in the log; a timeline only carries it.
  package var location: UInt64
  /// The place among messages of the same time where an archive tells it (servers stamp whole seconds); else 0.
  package var archiveOrder: UInt32
  /// The caller's marks.
  package var flags: EntryFlags

  package init(
    time: Timestamp, id: UInt64, location: UInt64 = 0, archiveOrder: UInt32 = 0, flags: EntryFlags = []
  ) {
    (self.time, self.id, self.location, self.archiveOrder, self.flags) = (time, id, location, archiveOrder, flags)
  }

  /// The message, by its time and number.
  package var place: Place { Place(time: time, id: id) }

  /// A message and its time.
  package struct Place: Hashable, Sendable {
    package var time: Timestamp
    package var id: UInt64

    package init(time: Timestamp, id: UInt64) { (self.time, self.id) = (time, id) }
  }

  /// The entry's sort key.
  package var key: Key { Key(time: time, id: id, archiveOrder: archiveOrder) }

  /// The sort key of messages in a conversation.
  package struct Key: Hashable, Comparable, Sendable {
    package var time: Timestamp
    package var id: UInt64
    package var archiveOrder: UInt32

    package init(time: Timestamp, id: UInt64, archiveOrder: UInt32 = 0) {
      (self.time, self.id, self.archiveOrder) = (time, id, archiveOrder)
    }

    package var place: Place { Place(time: time, id: id) }

    /// The order of a conversation: by time, then as the archive has it, then by id.
    package static func < (one: Key, other: Key) -> Bool {
      if one.time != other.time { return one.time < other.time }
      if one.archiveOrder != other.archiveOrder { return one.archiveOrder < other.archiveOrder }
      return one.id < other.id
    }
  }
}
