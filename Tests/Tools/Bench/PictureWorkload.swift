import Glibc
import HelperProtocol
import Syscalls
import TestSupport

/// `pictures`: one of 12 megapixels as half-blocks that fill a screen, by the program that the terminal UI starts for it, from its
/// start to the drawing.
enum PictureWorkload {
  private static let runs = 9
  private static let program = Products.releaseFolder + "/confab-picture"

  static func run(_ bench: Bench) throws {
    let maker = bench.folder.file("picture_maker")
    let libraries = "$(pkg-config --cflags --libs libpng libturbojpeg libwebp) -lm"
    let build = "cc -O2 -o \(maker) \(Products.support("picture_maker.c")) \(libraries)"
    for command in [["sh", "-c", build], [maker, bench.folder.path, "4000", "3000"]] {
      let run = try Program.run(command, until: .seconds(300))
      guard run.status == .exited(0) else { throw TestFailure("picture_maker: \(run.errorText)") }
    }
    for format in ["jpeg", "webp", "png"] {
      let path = bench.folder.file("picture." + format)
      let size = Double(TestFiles.read(path)?.count ?? 0) / 1e6
      let times = try (0..<runs).map { _ in try Stopwatch.measure { try draw(path) } / 1000 }
      bench.report(
        "\(format) of \(size.formatted(decimals: 1)) MB, drawn: wall, median", times.median, "ms", note: "(at most 300)"
      )
    }
  }

  private static func draw(_ path: String) throws {
    let file = try Files.openForReading(path)
    let request = DrawingRequest(.trueColour, columns: 200, rows: 50)
    let process = try DrawingProcess(request, file: file.raw, program: program)
    while try Descriptors.wait(toRead: process.descriptor, milliseconds: 60_000) == .readable {
      guard let outcome = process.receive() else { continue }
      guard case .drawn = outcome else { break }
      return
    }
    throw TestFailure("\(path) is not drawn")
  }
}
