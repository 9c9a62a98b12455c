package import Bytes
import Crypto

/// How an event goes over the socket. The sender may be a program that a hostile server has taken over: what is read is
/// bounded by its frame, and its texts are cleaned.
extension TransferEvent {
  private enum Field {
    static let done: UInt32 = 1
    static let total: UInt32 = 2
    static let result: UInt32 = 3
    static let failure: UInt32 = 4
  }

  package var encoded: [UInt8] {
    var writer = FieldWriter()
    switch self {
    case .progress(let done, let total):
      writer.uint(Field.done, done)
      if let total { writer.uint(Field.total, total) }
    case .done(let result): writer.message(Field.result, result.write)
    case .failed(let failure): writer.message(Field.failure, failure.write)
    }
    return writer.bytes
  }

  package init(decoding bytes: [UInt8]) throws(FieldError) {
    var (done, total, end) = (UInt64?.none, UInt64?.none, TransferEvent?.none)
    try FieldReader.read(bytes) { (reader: inout FieldReader) throws(FieldError) in
      while let number = try reader.next() {
        switch number {
        case Field.done: done = try reader.uint()
        case Field.total: total = try reader.uint()
        case Field.result: end = .done(try TransferResult(reader))
        case Field.failure: end = .failed(try TransferFailure(reader))
        default: throw .wrongType(number: number)
        }
      }
    }
    if let event = end ?? done.map({ .progress(done: $0, total: total) }) { self = event } else { throw .truncated }
  }
}

extension TransferResult {
  private enum Field {
    static let status: UInt32 = 1
    static let type: UInt32 = 2
    static let count: UInt32 = 3
    static let hash: UInt32 = 4
  }

  fileprivate func write(_ writer: inout FieldWriter) {
    writer.uint(Field.status, UInt64(status))
    if let contentType { writer.string(Field.type, contentType) }
    writer.uint(Field.count, byteCount)
    for (algorithm, hash) in hashes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.message(Field.hash) {
        $0.string(1, algorithm.rawValue)
        $0.bytes(2, hash)
      }
    }
  }

  fileprivate init(_ reader: borrowing FieldReader) throws(FieldError) {
    var (status, type, count) = (0, String?.none, UInt64(0))
    var hashes: [HashAlgorithm: [UInt8]] = [:]
    try reader.message { (fields: inout FieldReader) throws(FieldError) in
      while let number = try fields.next() {
        switch number {
        case Field.status: status = Int(try fields.uint(UInt16.self))
        case Field.type: type = Self.cleanedType(try fields.string())
        case Field.count: count = try fields.uint()
        case Field.hash:
          let (algorithm, hash) = try Self.hash(fields)
          hashes[algorithm] = hash
        default: throw .wrongType(number: number)
        }
      }
    }
    self.init(status: status, contentType: type, byteCount: count, hashes: hashes)
  }

  private static func hash(_ reader: borrowing FieldReader) throws(FieldError) -> (HashAlgorithm, [UInt8]) {
    var (algorithm, hash) = (HashAlgorithm?.none, [UInt8]())
    try reader.message { (fields: inout FieldReader) throws(FieldError) in
      while let number = try fields.next() {
        switch number {
        case 1: algorithm = try HashAlgorithm(fields)
        case 2: hash = try fields.bytes()
        default: throw .wrongType(number: number)
        }
      }
    }
    guard let algorithm, hash.count == algorithm.byteCount else { throw .wrongType(number: reader.number) }
    return (algorithm, hash)
  }

  /// A Content-Type as a server sent it, if it can be passed on; else nil.
  package static func cleanedType(_ text: String) -> String? {
    (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? text : nil
  }
}

extension TransferFailure {
  private static let longestReason = 500

  fileprivate func write(_ writer: inout FieldWriter) {
    writer.uint(1, UInt64(cause.code))
    if case .status(let status) = cause { writer.uint(2, UInt64(status)) }
    writer.string(3, reason)
  }

  fileprivate init(_ reader: borrowing FieldReader) throws(FieldError) {
    var (code, status, reason) = (0, 0, "")
    try reader.message { (fields: inout FieldReader) throws(FieldError) in
      while let number = try fields.next() {
        switch number {
        case 1: code = Int(try fields.uint(UInt8.self))
        case 2: status = Int(try fields.uint(UInt16.self))
        case 3: reason = Self.cleaned(try fields.string())
        default: throw .wrongType(number: number)
        }
      }
    }
    guard let cause = Cause(code: code, status: status) else { throw .wrongType(number: reader.number) }
    self.init(cause, reason)
  }

  /// One line of bounded length: words of libraries and servers may be in it.
  package static func cleaned(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(longestReason).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: Unicode.Scalar("?")
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension TransferFailure.Cause {
  /// Causes without a status, in the order of their codes; 0 is a status.
  private static let others: [TransferFailure.Cause] = [
    .notAllowed, .tooLarge, .noSpace, .file, .url, .name, .connection, .tls, .cut, .time, .redirects, .http, .program,
  ]

  fileprivate var code: Int { (Self.others.firstIndex(of: self) ?? -1) + 1 }

  fileprivate init?(code: Int, status: Int) {
    if code == 0 {
      self = .status(status)
    } else if Self.others.indices.contains(code - 1) {
      self = Self.others[code - 1]
    } else {
      return nil
    }
  }
}
