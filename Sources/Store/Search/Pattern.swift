/// A sequence that is looked for in others, each of which is gone through once, whatever stands there: the algorithm of
/// Knuth, Morris and Pratt.
struct Pattern<Element: Equatable> {
  private let elements: [Element]
  /// For the first n elements: the length of their longest proper prefix that is also their suffix.
  private var borders: [UInt32] = [0, 0]

  init(_ elements: [Element]) {
    self.elements = elements
    var held = 0
    for element in elements.dropFirst() {
      held = self.held(held, and: element)
      borders.append(UInt32(held))
    }
  }

  /// The first place from `start` on where it stands, all of it before `end`; `element` says what stands where. An
  /// empty one stands nowhere.
  @inline(__always)
  func first(from start: Int, to end: Int, _ element: (Int) -> Element) -> Int? {
    guard !elements.isEmpty else { return nil }
    var (place, held) = (start, 0)
    while end - place >= elements.count - held {
      held = self.held(held, and: element(place))
      place += 1
      if held == elements.count { return place - held }
    }
    return nil
  }

  /// How many of the first elements stand at the end of something, where so many did and one more comes.
  @inline(__always)
  private func held(_ before: Int, and next: Element) -> Int {
    var held = before
    var isNext = elements[held] == next
    while !isNext, held > 0 {
      held = Int(borders[held])
      isNext = elements[held] == next
    }
    return isNext ? held + 1 : 0
  }
}
