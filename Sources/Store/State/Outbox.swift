import Bytes
package import Clocks
import Timelines
package import Records

/// The messages of one account that nobody has acknowledged yet: in the order in which they go out, and those that are
/// kept back.
package struct Outbox: Sendable {
  /// A message that was suspected so often is failed.
  package static let maximumSuspicions: UInt8 = 2

  /// One such message.
  package struct Entry: Sendable, Equatable {
    package var id: UInt64
    /// The packed location of its record in the log.
    package var location: UInt64
    package var jid: String
    package var time: Timestamp
    /// A durable record says that its bytes may have left.
    package var transmitted: Bool
    /// Its place among our stanzas on the present stream, where that counts them.
    package var place: UInt32?
    package var inDoubt = false
    /// Stream errors at which it was the first unacknowledged one.
    package var suspicions: UInt8 = 0
    /// It is not sent any more from then on.
    package var expires: Timestamp?
    /// Kept back until then; nil: it is not, or until somebody says so.
    package var heldUntil: Timestamp?
    /// It was to leave at another time first, and leaves at this one; nil: `time` says when.
    package internal(set) var rescheduledTo: Timestamp?
    /// When the message stands in its conversation.
    package var standsAt: Timestamp { rescheduledTo ?? time }
    /// The message that a change changes; nil for a message.
    package var target: UInt64?
    /// Files that have to be uploaded before it goes out; it is kept back until then.
    package var fileCount = 0
    /// Its record is that of a change of it: its files have addresses.
    package internal(set) var isRewritten = false
    /// It is kept back until the devices of its recipient, and their keys, are known.
    package internal(set) var awaitsKeys = false
    /// It was, and was let go.
    package internal(set) var awaitedKeys = false
    /// It goes to a room: it is kept back until I am in that, and done once the room has shown it.
    package var isOfRoom = false
    /// It goes to one occupant of a room: only such a conversation has an address with a resource.
    package var isInPrivate: Bool { jid.utf8.contains(UInt8(ascii: "/")) }
    /// It is kept back until I am in a room.
    package var awaitsRoom: Bool { isOfRoom || isInPrivate }
    /// How often it went again because the room had not shown it.
    package internal(set) var repeats: UInt8 = 0
    /// It left for its room on an earlier stream than the last one, which cannot bring what the room said of it.
    package internal(set) var isOfEarlierStream = false
    /// Its share of the queue; nil if no client sent it.
    var share: QueueShare?
    /// The sort key of the queue: the number of its record, or of the one that released it.
    package internal(set) var order: UInt64

    package init(
      id: UInt64, location: UInt64, jid: String, time: Timestamp, transmitted: Bool, order: UInt64? = nil
    ) {
      (self.id, self.location, self.jid, self.time) = (id, location, jid, time)
      (self.transmitted, self.order) = (transmitted, order ?? id)
    }
  }

  /// Messages to be sent, by their order. A slice, because they go mostly from the front, which costs nothing there
  /// however many there are.
  package private(set) var entries: ArraySlice<Entry> = []
  /// Messages kept back, by id.
  package private(set) var held: [UInt64: Entry] = [:]
  /// Messages to rooms that may have arrived, and that the rooms have not shown, by id.
  package private(set) var unreflected: [UInt64: Entry] = [:]
  /// The order of those that were kept back before.
  private var orders: [UInt64: UInt64] = [:]
  /// Shares of the queue by user, in units of `QueueShare`.
  package private(set) var shares: [UInt32: Int] = [:]

  /// Changes among all of these, by the message that they change.
  package private(set) var changes: [UInt64: [UInt64]] = [:]
  /// The uploads of files whose message waits for others, done or begun, by message and index.
  package private(set) var uploads: [UInt64: [UInt32: UploadRecord]] = [:]

  /// How many there are that go out.
  package var count: Int { entries.count }

  /// Where a message waits.
  enum Position: UInt8 {
    /// It goes out in its turn.
    case order
    case held
    /// Its room has not shown it.
    case unreflected
  }

  /// Puts a message at the end of the order, or where it waits otherwise.
  mutating func insert(_ entry: Entry, at position: Position = .order) {
    entry.share?.add(to: &shares)
    if let target = entry.target { changes[target, default: []].append(entry.id) }
    switch position {
    case .held: held[entry.id] = entry
    case .unreflected: unreflected[entry.id] = entry
    case .order:
      entries.append(entry)
      if entry.order != entry.id { orders[entry.id] = entry.order }
    }
  }

  /// Takes a message out of the order, until it is released.
  mutating func hold(_ id: UInt64, awaitingKeys: Bool = false) {
    guard var entry = take(id) else { return }
    (entry.heldUntil, entry.place, entry.awaitsKeys) = (nil, nil, awaitingKeys)
    insert(entry, at: .held)
  }

  /// Puts a message that is kept back, or that its room has not shown, at the end of the order: it goes out as one that
  /// never did. One to a room that was kept back for a time waits for the room from then on.
  mutating func release(_ id: UInt64, order: UInt64, isRepeat: Bool = false) {
    if let entry = held[id], entry.awaitsRoom, entry.heldUntil != nil {
      held[id]?.heldUntil = nil
      return
    }
    guard unreflected[id] != nil || held[id] != nil, var entry = take(id) else { return }
    (entry.heldUntil, entry.transmitted, entry.order, entry.isOfEarlierStream) = (nil, false, order, false)
    if entry.awaitsKeys { (entry.awaitsKeys, entry.awaitedKeys) = (false, true) }
    if isRepeat { entry.repeats += 1 }
    insert(entry)
  }

  /// The server has a message; true if it is done with that. One to a room is not: the room may not take it.
  mutating func acknowledge(_ id: UInt64) -> Bool {
    guard let entry = entry(id), entry.isOfRoom else { return true }
    awaitReflection(entry)
    return false
  }

  private mutating func awaitReflection(_ entry: Entry) {
    guard var entry = take(entry.id) else { return }
    (entry.place, entry.transmitted) = (nil, true)
    insert(entry, at: .unreflected)
  }

  /// A file of a message that waits for others is uploaded, or about to be.
  mutating func apply(_ upload: UploadRecord) { uploads[upload.id, default: [:]][upload.index] = upload }

  /// The files of a message are uploaded: it goes out as another record has it.
  mutating func uploaded(_ id: UInt64, location: UInt64, order: UInt64) {
    uploads[id] = nil
    guard var entry = held[id], entry.fileCount > 0 else { return }
    (entry.location, entry.fileCount, entry.isRewritten) = (location, 0, true)
    held[id] = entry
    if !entry.awaitsRoom { release(id, order: order) }
  }

  /// A message that is kept back for a time leaves at another one, as another record has it; false: it is not kept back.
  mutating func reschedule(_ id: UInt64, to time: Timestamp, location: UInt64) -> Bool {
    guard var entry = held[id], let before = entry.heldUntil else { return false }
    entry.expires = entry.expires?.advanced(by: time - before)
    (entry.location, entry.isRewritten, entry.heldUntil, entry.rescheduledTo) = (location, true, time, time)
    held[id] = entry
    return true
  }

  /// Changes one entry in place; false where it is not (any more) in the box.
  @discardableResult
  mutating func update(_ id: UInt64, _ change: (inout Entry) -> Void) -> Bool {
    if var entry = held[id] {
      change(&entry)
      held[id] = entry
      return true
    }
    if var entry = unreflected[id] {
      change(&entry)
      unreflected[id] = entry
      return true
    }
    guard let index = index(of: id) else { return false }
    change(&entries[index])
    return true
  }

  /// A message waits no more.
  mutating func remove(_ id: UInt64) {
    uploads[id] = nil
    _ = take(id)
  }

  private mutating func discount(_ entry: Entry) {
    entry.share?.take(from: &shares)
    guard let target = entry.target, let place = changes[target]?.firstIndex(of: entry.id) else { return }
    changes[target]?.remove(at: place)
    if changes[target]?.isEmpty == true { changes[target] = nil }
  }

  private mutating func take(_ id: UInt64) -> Entry? {
    guard let entry = entry(id) else { return nil }
    discount(entry)
    if held.removeValue(forKey: id) ?? unreflected.removeValue(forKey: id) != nil { return entry }
    guard let index = index(of: id) else { return nil }
    orders[id] = nil
    if index == entries.startIndex { entries = entries.dropFirst() } else { entries.remove(at: index) }
    // Removed entries stay in memory until the slice is replaced.
    if entries.isEmpty && index > 1000 { entries = [] }
    return entry
  }

  /// Another stream: nothing has a place on it yet, and I am in no room.
  mutating func forgetPlaces() {
    for index in entries.indices where entries[index].place != nil { entries[index].place = nil }
    for entry in entries.filter(\.awaitsRoom) {
      // A private message that may have arrived stays marked as transmitted.
      if entry.isOfRoom, entry.transmitted { awaitReflection(entry) } else { hold(entry.id) }
    }
    for id in unreflected.keys { unreflected[id]?.isOfEarlierStream = true }
  }

  /// The server has not had what stands behind this count.
  mutating func untransmit(beyond count: UInt32) {
    for index in entries.indices where entries[index].place?.isBeyond(count) == true {
      entries[index].transmitted = false
    }
  }

  /// Shares of the queue without these messages.
  package func shares(without settled: [UInt64]) -> [UInt32: Int] {
    settled.reduce(into: shares) { entry($1)?.share?.take(from: &$0) }
  }

  /// A message that goes out or is kept back.
  package func entry(_ id: UInt64) -> Entry? { held[id] ?? unreflected[id] ?? index(of: id).map { entries[$0] } }

  /// The messages that are kept back until keys are known, as they were written: some may have been let go, and held again,
  /// since others were.
  package var awaitingKeys: [Entry] {
    held.values.filter { $0.awaitsKeys && $0.fileCount == 0 && $0.heldUntil == nil }.sorted { $0.id < $1.id }
  }

  /// True if a message is not to leave yet because earlier ones of its conversation wait for keys, or were let go behind
  /// it.
  package func isBehindOthers(_ entry: Entry) -> Bool {
    let isWaiting = held.values.contains { $0.awaitsKeys && $0.jid == entry.jid && $0.id < entry.id }
    if isWaiting || orders.isEmpty { return isWaiting }
    return entries(after: entry.order, limit: .max).contains {
      $0.awaitedKeys && $0.jid == entry.jid && $0.id < entry.id && !$0.transmitted
    }
  }

  /// The messages to a room that are kept back until I am in it, and those that it has not shown, in their order.
  package func waiting(for room: String) -> (held: [Entry], unreflected: [Entry]) {
    let held = held.values.filter { $0.jid == room && $0.heldUntil == nil && $0.fileCount == 0 }
    let unreflected = unreflected.values.filter { $0.jid == room }
    return (held.sorted { $0.order < $1.order }, unreflected.sorted { $0.order < $1.order })
  }

  /// The private messages to occupants of a room that are kept back until I am in it, in their order.
  package func waiting(forOccupantsOf room: String) -> [Entry] {
    held.values.filter {
      $0.isInPrivate && $0.jid.hasPrefix(room + "/") && $0.heldUntil == nil && $0.fileCount == 0
    }.sorted { $0.order < $1.order }
  }

  /// At most `limit` entries behind this order, in order.
  package func entries(after order: UInt64, limit: Int) -> ArraySlice<Entry> {
    let start = lowerBound(order &+ 1)
    return entries[start..<start + min(limit, entries.endIndex - start)]
  }

  /// How many entries are behind this order.
  package func count(after order: UInt64) -> Int { entries.endIndex - lowerBound(order &+ 1) }

  /// The sort key of a message.
  package func order(of id: UInt64) -> UInt64 { orders[id] ?? id }

  private func index(of id: UInt64) -> Int? {
    let index = lowerBound(order(of: id))
    return index < entries.endIndex && entries[index].id == id ? index : nil
  }

  private func lowerBound(_ order: UInt64) -> Int { entries.partitioningIndex { $0.order >= order } }
}

// In a checkpoint, behind the account.
extension Outbox.Entry {
  func write(at position: Outbox.Position, into writer: inout FieldWriter) {
    writer.uint(2, id)
    writer.uint(3, location)
    writer.string(4, jid)
    writer.int(5, time.milliseconds)
    writer.bool(6, transmitted)
    writer.bool(7, inDoubt)
    writer.uint(8, UInt64(suspicions))
    if let place { writer.uint(9, UInt64(place)) }
    if let expires { writer.int(10, expires.milliseconds) }
    if let heldUntil { writer.int(11, heldUntil.milliseconds) }
    if order != id { writer.uint(12, order) }
    if position != .order { writer.uint(13, UInt64(position.rawValue)) }
    if let target { writer.uint(14, target) }
    if fileCount > 0 { writer.uint(15, UInt64(fileCount)) }
    if isRewritten { writer.bool(16, true) }
    if isOfRoom { writer.bool(19, true) }
    if repeats > 0 { writer.uint(20, UInt64(repeats)) }
    if isOfEarlierStream { writer.bool(21, true) }
    if awaitsKeys { writer.bool(22, true) }
    if awaitedKeys { writer.bool(23, true) }
    if let rescheduledTo { writer.int(24, rescheduledTo.milliseconds) }
    guard let share else { return }
    writer.uint(17, UInt64(share.user))
    writer.uint(18, UInt64(share.units))
  }

  /// Takes one of these fields but 13.
  mutating func take(_ field: UInt32, _ reader: borrowing FieldReader) throws(FieldError) {
    switch field {
    case 2: (id, order) = (try reader.uint(), try reader.uint())
    case 3: location = try reader.uint()
    case 4: jid = try reader.string()
    case 5: time = Timestamp(milliseconds: try reader.int())
    case 6: transmitted = try reader.bool()
    case 7: inDoubt = try reader.bool()
    case 8: suspicions = try reader.uint(UInt8.self)
    case 9: place = try reader.uint(UInt32.self)
    case 10: expires = Timestamp(milliseconds: try reader.int())
    case 11: heldUntil = Timestamp(milliseconds: try reader.int())
    case 12: order = try reader.uint()
    case 14: target = try reader.uint()
    case 15: fileCount = Int(try reader.uint(UInt32.self))
    case 16: isRewritten = try reader.bool()
    case 17: share = QueueShare(user: try reader.uint(UInt32.self), units: 0)
    case 19: isOfRoom = try reader.bool()
    case 20: repeats = try reader.uint(UInt8.self)
    case 21: isOfEarlierStream = try reader.bool()
    case 22: awaitsKeys = try reader.bool()
    case 23: awaitedKeys = try reader.bool()
    case 24: rescheduledTo = Timestamp(milliseconds: try reader.int())
    case 18: share = QueueShare(user: share?.user ?? 0, units: Int(try reader.uint(UInt32.self)))
    default: break
    }
  }
}
