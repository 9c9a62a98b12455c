import HelperProtocol
import Sandbox
import Syscalls

/// `confab-picture`: draws one picture for the terminal UI, which gives it a socket and the file as descriptors 0 and 1.
package enum PictureProgram {
  private static let usage: Int32 = 64
  private static let failed: Int32 = 1
  private static let file: CInt = 1
  /// Bytes of a picture's file.
  private static let longestFile: UInt64 = 64 << 20

  /// Runs it for this process; the exit status. Without a message on the socket there is no drawing.
  package static func main() -> Int32 {
    SignalFD.ignoreFailedWrites()
    guard (try? Sockets.peerCredentials(StandardStreams.input)) != nil else {
      try? Descriptors.writeAll(StandardStreams.error, Array("confab-picture is started by confab-ui\n".utf8))
      return usage
    }
    guard let request = readRequest(), let size = try? Files.attributes(file).size, size <= longestFile,
      (try? PictureSandbox.enter()) != nil, let drawing = draw(request, size: Int(size)),
      let message = Frame.encode(drawing.encoded, limit: .max)
    else { return failed }
    return (try? Descriptors.writeAll(StandardStreams.input, message)) == nil ? failed : 0
  }

  private static func readRequest() -> DrawingRequest? {
    var frames = FrameReader()
    while let bytes = try? Descriptors.read(StandardStreams.input, atMost: 4096), !bytes.isEmpty {
      frames.receive(bytes)
      guard let message = try? frames.next() else { continue }
      return try? DrawingRequest(decoding: message)
    }
    return nil
  }

  private static func draw(_ request: DrawingRequest, size: Int) -> Drawing? {
    guard let bytes = try? Files.read(file, at: 0, count: size),
      let pixels = PictureDecoding.decode(bytes, fitting: wanted(request))
    else { return nil }
    return TerminalCanvas.draw(pixels, request)
  }

  /// Pixels needed for the drawing. Half-blocks show two colours a cell; 2 × 4 pixels a cell are enough for them.
  private static func wanted(_ request: DrawingRequest) -> (width: Int, height: Int) {
    let cell = request.style.isGraphics ? (request.cellWidth, request.cellHeight) : (2, 4)
    return (request.columns * cell.0, request.rows * cell.1)
  }
}

/// The rights that `confab-picture` keeps once it reads the picture: its memory, two descriptors, and some seconds.
package enum PictureSandbox {
  /// The file, its pixels, and what libchafa needs of them.
  private static let memory: UInt64 = 512 << 20
  private static let seconds: UInt64 = 20

  /// Gives up all other rights, for good. No other thread may run.
  package static func enter() throws {
    try Confinement.seal()
    try Confinement.limit(.init(memory: memory, descriptors: 8, fileSize: 0, seconds: seconds))
    try Confinement.limitFiles(toReading: [])
    try SystemCallFilter(SystemCallFilter.running).enforce()
  }
}
