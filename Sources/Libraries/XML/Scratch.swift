/// Memory for plain values that has one owner, grows, and is used again. An array would be asked at each change whether it
/// is shared.
@safe struct Scratch<Value: BitwiseCopyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Value>
  private(set) var capacity = 0
  private(set) var count = 0

  init() { unsafe start = .allocate(capacity: 0) }

  deinit { unsafe start.deallocate() }

  /// The value of an index, which must be one of those that there are.
  subscript(index: Int) -> Value {
    @inline(__always) unsafeAddress {
      precondition(index >= 0 && index < count)
      return unsafe UnsafePointer(start + index)
    }
    @inline(__always) unsafeMutableAddress {
      precondition(index >= 0 && index < count)
      return unsafe start + index
    }
  }

  @inline(__always)
  mutating func append(_ value: Value) {
    if count == capacity { grow(by: 1) }
    unsafe (start + count).initialize(to: value)
    count += 1
  }

  @inline(__always)
  mutating func append(contentsOf values: UnsafeBufferPointer<Value>) {
    guard let first = values.baseAddress else { return }
    reserve(values.count)
    unsafe (start + count).initialize(from: first, count: values.count)
    count += values.count
  }

  /// Appends so many values, or none where there is none for one of these indices.
  @inline(__always)
  mutating func append(count added: Int, _ value: (_ index: Int) -> Value?) -> Bool {
    reserve(added)
    let end = unsafe start + count
    for index in 0..<added {
      guard let value = value(index) else { return false }
      unsafe (end + index).initialize(to: value)
    }
    count += added
    return true
  }

  /// A copy of some of them, exactly of their size.
  func array(_ range: Range<Int>) -> [Value] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe Array(UnsafeBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  /// Forgets those behind the first so many.
  mutating func cut(to kept: Int) {
    precondition(kept >= 0 && kept <= count)
    count = kept
  }

  /// Forgets the first so many; the others move to the front.
  mutating func drop(_ dropped: Int) {
    precondition(dropped >= 0 && dropped <= count)
    unsafe start.update(from: start + dropped, count: count - dropped)
    count -= dropped
  }

  /// Gives memory back that is not needed for what there is.
  mutating func shrink() { move(to: count) }

  /// Makes room for so many more.
  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if more > capacity - count { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) { move(to: max(count + more, capacity * 2, 32)) }

  private mutating func move(to room: Int) {
    let new = UnsafeMutablePointer<Value>.allocate(capacity: room)
    unsafe new.initialize(from: start, count: count)
    unsafe start.deallocate()
    unsafe start = new
    capacity = room
  }
}
