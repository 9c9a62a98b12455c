/// The bytes that a stream has to write, and those that its link has not handed to the kernel yet.
struct StreamOutput {
  /// Bytes on their way to the server at which messages wait.
  static let mostOutstanding = 256 << 10

  private var bytes: [UInt8] = []
  /// Bytes given to the link since it last reported that all had gone.
  private(set) var outstanding = 0

  /// True if messages of mine may be added: the link keeps up.
  var takesMessages: Bool { outstanding + bytes.count < Self.mostOutstanding }

  mutating func append(_ more: [UInt8]) { bytes += more }

  /// Takes the bytes for the link.
  mutating func take() -> [UInt8] {
    outstanding += bytes.count
    defer { bytes.removeAll() }
    return bytes
  }

  /// The link has handed all it had to the kernel.
  mutating func drained() { outstanding = 0 }
}
