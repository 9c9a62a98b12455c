import Bytes
package import Clocks
package import Timelines
package import Records

/// The flags of a timeline's entry: properties of a message that are known without reading its record.
extension EntryFlags {
  /// Bit 1: mine.
  package static let mine = Self(rawValue: 1 << 1)
  /// Bit 2: it was transmitted, nobody could say whether it arrived, and it went again.
  package static let inDoubt = Self(rawValue: 1 << 2)
  /// Bit 3: taken out of our archive.
  package static let archived = Self(rawValue: 1 << 3)
  /// Bits 4–6: the delivery state of a message of mine.
  private static let stateShift: UInt16 = 4
  /// Bit 7: somebody's, who wants to hear when it was read (XEP-0333).
  package static let markable = Self(rawValue: 1 << 7)

  /// Bit 8: it was changed, and the entry leads to the record of its last change.
  package static let changed = Self(rawValue: 1 << 8)
  /// Bit 9: it was taken back, and does not count as unread.
  package static let retracted = Self(rawValue: 1 << 9)
  /// Bit 10: it was fetched as history, and is not unread.
  package static let history = Self(rawValue: 1 << 10)

  /// Bit 11: it names me, in a room.
  package static let mention = Self(rawValue: 1 << 11)

  /// Bit 12: its sender was ignored, in a room; it is not unread, and pages leave it out.
  package static let ignored = Self(rawValue: 1 << 12)
  /// Bit 13: the coming or going of an occupant of a room; it is not unread.
  package static let event = Self(rawValue: 1 << 13)

  private static let noNews = Self([.mine, .retracted, .history, .ignored, .event])

  /// True if the message counts as unread behind the read position.
  package var isNews: Bool { rawValue & Self.noNews.rawValue == 0 }

  /// The delivery state of a message of mine.
  package var state: DeliveryState {
    get { DeliveryState(rawValue: UInt8(truncatingIfNeeded: rawValue >> Self.stateShift & 7)) ?? .queued }
    set {
      self = Self(rawValue: rawValue & ~(7 << Self.stateShift) | UInt16(newValue.rawValue) << Self.stateShift)
    }
  }
}

/// One conversation: an account and a bare JID, made from the log. Confined to the engine's thread.
package final class Conversation {
  package let account: UInt32
  private var unreadCount: UInt32 = 0
  /// How it stands to what is on a page of it.
  var evictionState = EvictionState.changed
  /// It was asked for since somebody last looked who may be evicted.
  var isWanted = false
  /// The part of `weight` that is counted at present.
  var weighed = 0
  /// The other side's bare JID, normalised.
  package let jid: String
  /// Empty while there is `evicted`.
  private var loaded: Timeline
  private var evicted: EvictedTimeline?
  /// Rare values: most conversations that strangers began have none.
  private var marks: Marks?

  /// The state of a conversation in memory relative to its copy on a page.
  enum EvictionState: UInt8 {
    /// No page holds its present content.
    case changed
    /// A page with it is being written.
    case leaving
    /// A page holds it.
    case stored
    /// It is not in memory any more: nobody may change this object.
    case evicted
  }

  private final class Marks {
    var read: UInt64 = 0
    var movedBack: MovedBack?
    var draft = ""
    var ignored = 0
  }

  /// The shared read position: the number of the message that arrived last of those that are read; 0: none is.
  package internal(set) var read: UInt64 {
    get { marks?.read ?? 0 }
    set { if newValue != read { ownMarks.read = newValue } }
  }

  /// How the user moved the read position back last; nil: it is behind all that was ever read.
  package internal(set) var movedBack: MovedBack? {
    get { marks?.movedBack }
    set { if newValue != movedBack { ownMarks.movedBack = newValue } }
  }

  /// The number of unread messages.
  package internal(set) var unread: Int {
    get { Int(unreadCount) }
    set { unreadCount = UInt32(clamping: newValue) }
  }

  /// The number of messages whose senders were ignored.
  package internal(set) var ignored: Int {
    get { marks?.ignored ?? 0 }
    set { if newValue != ignored { ownMarks.ignored = newValue } }
  }

  package var draft: String {
    get { marks?.draft ?? "" }
    set { if newValue != draft { ownMarks.draft = newValue } }
  }

  private var ownMarks: Marks {
    if let marks { return marks }
    let made = Marks()
    marks = made
    return made
  }

  /// A message of a conversation, and its place among those of all conversations.
  package struct Place: Sendable, Equatable {
    package var time: Timestamp
    package var id: UInt64
  }

  package init(account: UInt32, jid: String, gap: Interval) {
    (self.account, self.jid) = (account, jid)
    loaded = Timeline(gap: gap)
  }

  package var timeline: Timeline {
    load()
    return loaded
  }

  /// How many messages there are.
  package var count: Int { evicted?.count ?? loaded.count }

  /// How many entries could leave memory.
  var evictable: Int { evicted == nil ? look { $0.evictable } : 0 }

  /// Bytes of memory, about, without those that are counted as entries.
  var weight: Int {
    200 + 2 * jid.utf8.count + (marks?.draft.utf8.count ?? 0) + 32 * min(look { $0.tailCount }, Timeline.shortestTail)
  }

  /// True if `jid` is the conversation's JID, byte for byte.
  func isWith(_ jid: Span<UInt8>) -> Bool { self.jid.utf8.span.hasBytes(of: jid) }

  /// Looks at what is in memory in its place: asked for by itself, it is copied first. For each message, several times.
  private func look<R>(_ body: (inout Timeline) -> R) -> R { body(&loaded) }

  /// True if the conversation was used lately; clears the mark.
  func takeWanted() -> Bool {
    defer { isWanted = false }
    return isWanted
  }

  @inline(__always) private func load() {
    if evicted != nil { loadEvicted() }
  }

  private func loadEvicted() {
    guard let stored = evicted.take() else { return }
    loaded = stored.timeline(gap: loaded.gap)
  }

  /// Puts a message in its place; says what changed of the sections.
  func insert(_ entry: Entry) -> Timeline.Change {
    load()
    let change = loaded.insert(entry)
    if isUnread(entry) { unread += 1 }
    if entry.flags.contains(.ignored) { ignored += 1 }
    return change
  }

  /// Messages that are looked at for the state of one.
  private static let mostBehind = 1_000

  /// True if a message of mine from another device, which comes late, was displayed: a later one is, and recipients
  /// display earlier messages first.
  func isDisplayed(upTo place: Entry.Key) -> Bool {
    guard let newest = newestEntry, place < newest.key else { return false }
    let first = timeline.firstRow(notBefore: place.time)
    for row in first..<min(first + Self.mostBehind, timeline.count) {
      let entry = timeline[row]
      guard place < entry.key, entry.flags.contains(.mine) else { continue }
      if [.sent, .delivered, .displayed].contains(entry.flags.state) { return entry.flags.state == .displayed }
    }
    return false
  }

  /// A message's entry leads to another record from now on; false where there is no such message.
  ///
  /// - Parameter isRetracted: that record says that the message was taken back.
  func move(_ place: Place, to location: UInt64, isRetracted: Bool) -> Bool {
    guard let row = timeline.row(ofTime: place.time, id: place.id) else { return false }
    let before = isUnread(loaded[row])
    loaded.change(row: row) {
      $0.location = location
      $0.flags.insert(.changed)
      if isRetracted { $0.flags.insert(.retracted) } else { $0.flags.remove(.retracted) }
    }
    let after = isUnread(loaded[row])
    if before != after { unread += after ? 1 : -1 }
    return true
  }

  /// A message is no message of its own any more; returns the section around it, which may be another now.
  func absorb(_ absorbed: MessageChange.Absorbed) -> Timeline.Resection? {
    guard let time = absorbed.time,
      let row = timeline.row(ofTime: Timestamp(milliseconds: time), id: absorbed.record)
    else { return nil }
    let entry = loaded[row]
    if isUnread(entry) { unread -= 1 }
    if entry.flags.contains(.ignored) { ignored -= 1 }
    return loaded.remove(row: row)
  }

  /// A message stands at another time from now on; returns the sections around both places.
  func stand(_ place: Place, at time: Timestamp) -> Timeline.Resection? {
    guard let row = timeline.row(ofTime: place.time, id: place.id) else { return nil }
    return loaded.move(row: row, to: time)
  }

  /// Takes what a checkpoint says, before anything else is applied; false where that cannot be.
  func restore(
    _ segments: [Timeline.Segment], _ evicted: EvictedTimeline?, unread: Int, from pages: IndexPages?
  ) -> Bool {
    guard let restored = Timeline(gap: loaded.gap, segments: segments, source: pages),
      evicted == nil || restored.count == 0
    else { return false }
    (loaded, self.evicted) = (restored, evicted)
    self.unread = unread
    return true
  }

  /// Writes what `restore` takes. One of which all but a short tail is on pages will be evicted.
  func writeTimeline(into writer: inout FieldWriter) {
    if let evicted, evicted.write(9, into: &writer) { return }
    load()
    guard loaded.source != nil, loaded.evictable == 0, loaded.count > 0 else {
      return TimelineSegments.write(loaded.segments, into: &writer)
    }
    var body = FieldWriter()
    TimelineSegments.write(loaded.segments, into: &body)
    writer.message(9) {
      EvictedTimeline.write(count: loaded.count, newest: loaded[loaded.count - 1], body: body.bytes, into: &$0)
    }
  }

  /// Changes where the timeline's entries are, and nothing of what it says.
  func move<R>(_ body: (inout Timeline) -> R) -> R {
    load()
    return body(&loaded)
  }

  /// Moves the delivery state of a message of mine on; false where there is no such message, or it has got further
  /// already: what is delivered does not fail, and what failed stays so.
  ///
  /// - Parameter overFailure: that it failed was made up by an import, and gives way to what a later one knows.
  func advance(to state: DeliveryState, inDoubt: Bool, at place: Place, overFailure: Bool = false) -> Bool {
    guard let row = timeline.row(ofTime: place.time, id: place.id) else { return false }
    var flags = loaded[row].flags
    // Imported messages count as sent, and may have been cancelled at their origin.
    let isCancelledElsewhere = flags.state == .sent && state == .cancelled
    let isCorrected = overFailure && flags.state == .failed && state != .queued
    guard flags.contains(.mine), flags.state.canBecome(state) || isCancelledElsewhere || isCorrected
    else { return false }
    flags.state = state
    if inDoubt { flags.insert(.inDoubt) }
    loaded.change(row: row) { $0.flags = flags }
    return true
  }

  /// Lets go of all messages that there are.
  func forget() {
    load()
    loaded.removeAll()
    (unread, ignored) = (0, 0)
    (read, movedBack) = (0, nil)
  }

  func changeGap(_ gap: Interval) { loaded.changeGap(gap) }

  /// The place of the newest message.
  package var newest: Place? { newestEntry.map { Place($0) } }

  package var newestEntry: Entry? { evicted?.newest ?? (loaded.count == 0 ? nil : loaded[loaded.count - 1]) }

  /// The conversation's place in the list: that of its newest message not dated later than `now`. A conversation with
  /// later messages only comes after all others.
  package func place(asOf now: Timestamp) -> Place? {
    guard let newest, newest.time > now else { return newest }
    let row = timeline.firstRow(notBefore: now.advanced(by: .milliseconds(1))) - 1
    return row < 0 ? Place(time: Timestamp(milliseconds: .min), id: newest.id) : Place(timeline[row])
  }

  /// True if the message of this row is read, and the next one is not. A message of mine says nothing.
  package func isLastRead(row: Int) -> Bool {
    let flags = timeline[row].flags
    guard !isUnread(timeline[row]), !flags.contains(.mine) || flags.contains(.history) else { return false }
    return row + 1 == timeline.count || isUnread(timeline[row + 1])
  }

  /// True if a message is older than another one, in whichever conversations they are.
  package static func precedes(_ a: Place, _ b: Place) -> Bool { (a.time, a.id) < (b.time, b.id) }
}

extension Conversation.Place {
  package init(_ entry: Entry) { self.init(time: entry.time, id: entry.id) }
}

extension DeliveryState {
  /// True if a message can go from this state to another, or stay in it with another mark.
  package func canBecome(_ next: DeliveryState) -> Bool {
    switch self {
    case .queued: true
    case .sent: next != .queued && next != .cancelled
    case .delivered, .displayed: next > self && next <= .displayed
    // An error is the word of one resource, or of the server before another resource answered: a message that has
    // arrived stays delivered.
    case .failed: next == .delivered || next == .displayed
    case .cancelled: false
    }
  }
}
