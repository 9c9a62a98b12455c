import Bytes

/// The occupants of a room whose coming and going stands in its history.
package enum RoomNoise: UInt8, Sendable, CaseIterable {
  /// Occupants who spoke lately, or speak soon after.
  case smart = 1
  case always = 2

  /// The word of the line protocol.
  package var word: String { "\(self)" }
}

extension RoomNoise: FieldValue {
  /// A kind that only a later version knows is taken for the smallest.
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> RoomNoise {
    RoomNoise(rawValue: try reader.uint(UInt8.self)) ?? .smart
  }
}
