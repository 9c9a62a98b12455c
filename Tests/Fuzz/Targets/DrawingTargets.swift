import ConfabPicture
import HelperProtocol
import Pictures

/// A picture is decoded, or refused. Large ones only take time.
@Sendable func fuzzPixels(_ bytes: [UInt8]) {
  if let header = PictureHeader(bytes), header.width > 2000 || header.height > 2000 { return }
  guard let pixels = PictureDecoding.decode(bytes, fitting: (64, 64)) else { return }
  hold(pixels.width > 0 && pixels.height > 0, "a picture has pixels")
  hold(pixels.bytes.count == pixels.width * pixels.height * 4, "each pixel has four bytes")
}

/// What comes back of a picture: the first byte is the style. What reaches the terminal moves no cursor and is no command.
@Sendable func fuzzDrawings(_ bytes: [UInt8]) {
  _ = try? DrawingRequest(decoding: bytes)
  guard let first = bytes.first else { return }
  let styles = DrawingRequest.Style.allCases
  let request = DrawingRequest(styles[Int(first) % styles.count], columns: 9, rows: 9)
  guard let drawing = try? Drawing(decoding: Array(bytes.dropFirst()), for: request) else { return }
  hold((try? Drawing(decoding: drawing.encoded, for: request)) == drawing, "a drawing reads as it was written")
  switch drawing.content {
  case .cells(let cells):
    hold(cells.allSatisfy { $0.scalar == " " || (0x2580...0x259F).contains($0.scalar.value) }, "cells are blocks")
  case .strips(let strips):
    let isASCII = strips.joined().allSatisfy { $0 < 0x80 && ($0 >= 0x20 || [0x07, 0x0A, 0x1B].contains($0)) }
    hold(isASCII && strips.count == drawing.rows, "graphics are ASCII, a strip a row")
  }
}
