import Bytes

/// The fields of a small message of Protocol Buffers, each there once at most: numbers of 32 bits and bytes. A message
/// with anything else is refused, because the library would read its own sense into it.
struct StrictFields {
  private var numbers: [UInt32: UInt32] = [:]
  private var contents: [UInt32: [UInt8]] = [:]

  /// Nil unless the message consists of fields of these numbers.
  init?(_ message: some Collection<UInt8>, numbers known: ClosedRange<UInt32>, bytes knownBytes: ClosedRange<UInt32>) {
    self.init(Array(message), [known], [knownBytes])
  }

  init?(_ message: [UInt8], _ known: [ClosedRange<UInt32>], _ knownBytes: [ClosedRange<UInt32>]) {
    do throws(FieldError) {
      let read = try FieldReader.read(message) { reader throws(FieldError) -> StrictFields? in
        var fields = StrictFields()
        while let number = try reader.next() {
          if known.contains(where: { $0.contains(number) }) {
            guard fields.numbers.updateValue(try reader.uint(UInt32.self), forKey: number) == nil else { return nil }
          } else if knownBytes.contains(where: { $0.contains(number) }) {
            guard fields.contents.updateValue(try reader.bytes(), forKey: number) == nil else { return nil }
          } else {
            return nil
          }
        }
        return fields
      }
      guard let read else { return nil }
      self = read
    } catch {
      return nil
    }
  }

  private init() {}

  func number(_ number: UInt32) -> UInt32? { numbers[number] }
  func bytes(_ number: UInt32) -> [UInt8]? { contents[number] }
}
