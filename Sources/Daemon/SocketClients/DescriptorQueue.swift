import ConfabAccounts

/// The descriptors of a client's requests that have not been taken up.
struct DescriptorQueue {
  private var waiting: [(request: Int, descriptor: DescriptorID)] = []

  /// The most for one client; further ones are closed at once.
  static let limit = 16

  var isEmpty: Bool { waiting.isEmpty }

  /// Descriptors came for the request of this number.
  ///
  /// - Returns: those that are too many.
  mutating func append(_ descriptors: [DescriptorID], for request: Int) -> [DescriptorID] {
    let taken = descriptors.prefix(Self.limit - waiting.count)
    waiting += taken.map { (request, $0) }
    return Array(descriptors[taken.count...])
  }

  func count(for request: Int) -> Int { waiting.count { $0.request == request } }

  /// Takes those of a request.
  mutating func take(for request: Int) -> [DescriptorID] {
    guard !waiting.isEmpty else { return [] }
    defer { waiting.removeAll { $0.request == request } }
    return waiting.filter { $0.request == request }.map(\.descriptor)
  }

  /// Takes all.
  mutating func takeAll() -> [DescriptorID] {
    defer { waiting = [] }
    return waiting.map(\.descriptor)
  }
}
