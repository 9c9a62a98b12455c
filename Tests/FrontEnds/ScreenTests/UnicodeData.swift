import Glibc
import Testing

/// Files of Debian's `unicode-data`, as rows of their fields.
struct UnicodeData {
  static let folder = "/usr/share/unicode/"
  static var isInstalled: Bool { unsafe access(folder + "UnicodeData.txt", R_OK) == 0 }

  /// The fields of each row without its comment: the first one is a code point, or a range of them.
  static func rows(_ file: String) throws -> [(range: ClosedRange<UInt32>, fields: [Substring])] {
    let text = try #require(File.text(folder + file), "\(file) cannot be read")
    return try text.split(separator: "\n").compactMap { line in
      let fields = (line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? "")
        .split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
      guard fields.count > 1, let first = fields.first, !first.isEmpty else { return nil }
      return (try range(first), Array(fields.dropFirst()))
    }
  }

  /// `1F600..1F64F`; of a sequence the first code point.
  private static func range(_ text: Substring) throws -> ClosedRange<UInt32> {
    let ends = text.split(separator: " ").first?.split(separator: ".").compactMap { UInt32($0, radix: 16) } ?? []
    let first = try #require(ends.first, "\(text)")
    return first...(ends.count > 1 ? ends[1] : first)
  }

  static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// Files read and written whole.
enum File {
  /// nil if it cannot be read.
  static func text(_ path: String) -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ text: String, to path: String) throws {
    let file = try unsafe #require(unsafe fopen(path, "w"), "\(path) cannot be written")
    defer { unsafe fclose(file) }
    let bytes = Array(text.utf8)
    let count = unsafe fwrite(bytes, 1, bytes.count, file)
    #expect(count == bytes.count)
  }
}
