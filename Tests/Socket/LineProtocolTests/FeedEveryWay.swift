import LineProtocol
import Testing

/// What a reader makes of `bytes` fed whole, with the end of input after it.
func read(_ bytes: [UInt8], ends: Bool = true) -> [LineItem] {
  var reader = LineReader()
  var items: [LineItem] = []
  reader.feed(bytes, into: &items)
  if ends {
    reader.end()
    while let item = reader.next() { items.append(item) }
  }
  return items
}

func read(_ text: String, ends: Bool = true) -> [LineItem] {
  read(Array(text.utf8), ends: ends)
}

/// The same whole, split in two at every byte, and byte by byte; records an issue where they differ.
func readEveryWay(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> [LineItem] {
  let whole = read(bytes)
  for split in bytes.indices {
    let parts = read(pieces: [bytes[..<split], bytes[split...]])
    #expect(parts == whole, "split at \(split)", sourceLocation: sourceLocation)
  }
  let single = read(pieces: bytes.indices.map { bytes[$0...$0] })
  #expect(single == whole, "byte by byte", sourceLocation: sourceLocation)
  return whole
}

func readEveryWay(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> [LineItem] {
  readEveryWay(Array(text.utf8), sourceLocation: sourceLocation)
}

/// Fed in these pieces, each taken before the next comes, then ended.
func read(pieces: [ArraySlice<UInt8>]) -> [LineItem] {
  var reader = LineReader()
  var items: [LineItem] = []
  for piece in pieces { reader.feed(piece, into: &items) }
  reader.end()
  while let item = reader.next() { items.append(item) }
  return items
}

extension LineItem {
  /// The request, where it is one.
  var request: Request? {
    if case .request(let request) = self { request } else { nil }
  }

  /// The failure, where it is one.
  var failure: RequestFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }

  /// `code argument@position #tag`, for tables of cases.
  var summary: String {
    switch self {
    case .request(let request): "ok \(request.verb.rawValue)\(Self.mark(request.tag))"
    case .failure(let failure):
      failure.code.rawValue + (failure.argument.map { " " + $0 } ?? "") + (failure.position.map { "@\($0)" } ?? "")
        + Self.mark(failure.tag)
    }
  }

  private static func mark(_ tag: RequestTag?) -> String {
    switch tag {
    case .string(let text): " #\(text)"
    case .integer(let number): " #\(number)i"
    case nil: ""
    }
  }
}
