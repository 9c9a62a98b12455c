import ConfabAccounts
import LineProtocol

/// The requests of a client that have not been taken up.
struct RequestQueue {
  private var reader: LineReader
  /// The next item, which could not be taken up yet.
  private var deferred: LineItem?
  /// There may be an item, or a part of one. Kept beside `reader`, which is copied when it is asked: for a thousand
  /// watchers that is a tenth of what an event costs.
  private(set) var mayHaveMore = false
  /// The client closed its writing side.
  private(set) var hasEnded = false
  /// How many items were taken from the reader.
  private var takenCount = 0
  private var descriptors = DescriptorQueue()

  init(rights: Rights) { reader = LineReader(rights: rights) }

  var isEmpty: Bool { deferred == nil && reader.isEmpty }

  /// Bytes that are not taken up.
  var heldBytes: Int { reader.heldBytes }

  /// An item waits until it can be taken up.
  var isDeferred: Bool { deferred != nil }

  mutating func append(_ bytes: [UInt8]) {
    reader.append(bytes)
    mayHaveMore = true
  }

  /// Takes bytes that came with descriptors.
  ///
  /// - Returns: the descriptors that belong to no request, or are too many.
  mutating func append(_ bytes: [UInt8], _ descriptors: [DescriptorID]) -> [DescriptorID] {
    mayHaveMore = true
    guard let place = reader.appendWithDescriptors(bytes) else { return descriptors }
    return self.descriptors.append(descriptors, for: takenCount + place)
  }

  /// How many descriptors the item has that was taken last.
  var descriptorCount: Int { descriptors.count(for: takenCount - 1) }

  /// Takes the descriptors of the item that was taken last.
  mutating func takeDescriptors() -> [DescriptorID] {
    descriptors.isEmpty ? [] : descriptors.take(for: takenCount - 1)
  }

  /// Takes the descriptors of all items.
  mutating func takeAllDescriptors() -> [DescriptorID] { descriptors.takeAll() }

  mutating func end() {
    reader.end()
    (mayHaveMore, hasEnded) = (true, true)
  }

  /// The next item to be taken up; nil until more comes.
  mutating func next() -> LineItem? {
    if let item = deferred.take() { return item }
    guard let item = reader.next() else {
      mayHaveMore = !reader.isEmpty
      return nil
    }
    takenCount += 1
    return item
  }

  /// The item could not be taken up; it is the next one again.
  mutating func deferItem(_ item: LineItem) { deferred = item }
}
