package import Bytes

/// How requests and drawings go over the socket.
extension DrawingRequest {
  package var encoded: [UInt8] {
    var writer = FieldWriter()
    writer.uint(1, UInt64(style.rawValue))
    for (number, value) in [(2, columns), (3, rows), (4, cellWidth), (5, cellHeight)] as [(UInt32, Int)] {
      writer.uint(number, UInt64(value))
    }
    return writer.bytes
  }

  package init(decoding bytes: [UInt8]) throws(FieldError) {
    var values = [UInt64](repeating: 0, count: 5)
    try FieldReader.read(bytes) { (reader: inout FieldReader) throws(FieldError) in
      while let number = try reader.next() {
        guard (1...5).contains(number) else { throw .wrongType(number: number) }
        values[Int(number) - 1] = try reader.uint()
      }
    }
    guard let style = UInt8(exactly: values[0]).flatMap(Style.init) else { throw .wrongType(number: 1) }
    let sizes = values.dropFirst().map { Int(clamping: $0) }
    self.init(style, columns: sizes[0], rows: sizes[1], cellWidth: sizes[2], cellHeight: sizes[3])
  }
}

extension Drawing {
  package var encoded: [UInt8] {
    var writer = FieldWriter()
    writer.uint(1, UInt64(columns))
    writer.uint(2, UInt64(rows))
    switch content {
    case .strips(let strips): for strip in strips { writer.bytes(3, strip) }
    case .cells(let cells):
      writer.message(4) { writer in
        for cell in cells {
          writer.untagged(UInt64(cell.scalar.value))
          for colour in [cell.foreground, cell.background] { writer.untagged(colour.map { UInt64($0) + 1 } ?? 0) }
        }
      }
    }
    return writer.bytes
  }

  /// - Throws: also if it is not what was asked for, or would do something else to the terminal.
  package init(decoding bytes: [UInt8], for request: DrawingRequest) throws(FieldError) {
    var (columns, rows, cells, strips) = (0, 0, [DrawnCell]?.none, [[UInt8]]())
    try FieldReader.read(bytes) { (reader: inout FieldReader) throws(FieldError) in
      while let number = try reader.next() {
        switch number {
        case 1: columns = Int(try reader.uint(UInt16.self))
        case 2: rows = Int(try reader.uint(UInt16.self))
        case 3: strips.append(try reader.bytes())
        case 4: cells = try Self.cells(reader)
        default: throw .wrongType(number: number)
        }
      }
    }
    guard (1...request.columns).contains(columns), (1...request.rows).contains(rows) else { throw .malformed }
    if request.style.isGraphics {
      let check = GraphicsCheck(request, columns: columns)
      guard cells == nil, strips.count == rows, strips.allSatisfy(check.passes) else { throw .malformed }
      self.init(columns: columns, rows: rows, content: .strips(strips))
    } else {
      guard let cells, strips.isEmpty, cells.count == columns * rows else { throw .malformed }
      self.init(columns: columns, rows: rows, content: .cells(cells))
    }
  }

  private static func cells(_ reader: borrowing FieldReader) throws(FieldError) -> [DrawnCell] {
    try reader.message { (fields: inout FieldReader) throws(FieldError) in
      var cells: [DrawnCell] = []
      while fields.bytesLeft > 0 {
        let scalar = Unicode.Scalar(UInt32(clamping: try fields.untagged())) ?? " "
        cells.append(
          DrawnCell(
            isShown(scalar) ? scalar : " ", foreground: colour(try fields.untagged()),
            background: colour(try fields.untagged())))
      }
      return cells
    }
  }

  /// A space and blocks: of one column, and no commands.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || (0x2580...0x259F).contains(scalar.value)
  }

  private static func colour(_ number: UInt64) -> UInt32? {
    number == 0 ? nil : UInt32(clamping: min(number - 1, 0xFFFFFF))
  }
}
