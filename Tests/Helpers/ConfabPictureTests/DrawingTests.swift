import Glibc
import HelperProtocol
import Syscalls
import TestSupport
import Testing

@Suite("confab-picture")
struct DrawingTests {
  private func draw(
    _ bytes: [UInt8], _ request: DrawingRequest, program: String = Products.program("confab-picture")
  ) throws -> DrawingProcess.Outcome {
    let file = try Files.inMemory(bytes)
    let process = try DrawingProcess(request, file: file.raw, program: program)
    let deadline = Deadline.seconds(60)
    while try Descriptors.wait(toRead: process.descriptor, milliseconds: deadline.remainingMilliseconds) == .readable {
      if let outcome = process.receive() { return outcome }
    }
    throw TestFailure("no end")
  }

  @Test("Each format is drawn as half-blocks of its colours, no larger than it is")
  func cells() throws {
    for (name, bytes) in SamplePictures.all {
      guard case .drawn(let drawing) = try draw(bytes, DrawingRequest(.trueColour, columns: 80, rows: 24)),
        case .cells(let cells) = drawing.content
      else { throw TestFailure("\(name) is not drawn") }
      #expect(drawing.columns == 2 && drawing.rows == 1 && cells.count == 2)
      let colours = try cells.map { try #require($0.background ?? $0.foreground) }
      #expect(colours[0] >> 16 > 200 && colours[0] & 0xFF < 60, "\(name)")
      #expect(colours[1] >> 16 < 60 && colours[1] & 0xFF > 200, "\(name)")
    }
  }

  @Test("A picture of more pixels than are decoded fills its room")
  func large() throws {
    let request = DrawingRequest(.trueColour, columns: 4, rows: 2)
    guard case .drawn(let drawing) = try draw(try SamplePictures.board(66), request) else {
      throw TestFailure("not drawn")
    }
    #expect(drawing.columns == 4 && drawing.rows == 2)
  }

  @Test(
    "Other styles are colours by number, or one sequence that passes the check",
    arguments: DrawingRequest.Style.allCases)
  func styles(style: DrawingRequest.Style) throws {
    let request = DrawingRequest(style, columns: 40, rows: 10, cellWidth: 4, cellHeight: 4)
    guard case .drawn(let drawing) = try draw(SamplePictures.png, request) else { throw TestFailure("not drawn") }
    #expect(drawing.columns == 4 && drawing.rows == 4)
    switch drawing.content {
    case .cells(let cells): #expect(cells.count == 16)
    case .strips(let strips): #expect(strips.count == 4 && strips.allSatisfy { $0.count > 50 })
    }
  }

  @Test("Pictures in 256 colours use none of the first 16, which are the theme's")
  func fixedColours() throws {
    let darkRed = try SamplePictures.board(66, hasOpacity: false)
    for (name, bytes) in SamplePictures.all + [("dark red", darkRed)] {
      guard case .drawn(let drawing) = try draw(bytes, DrawingRequest(.colours256, columns: 80, rows: 24)),
        case .cells(let cells) = drawing.content
      else { throw TestFailure("\(name) is not drawn") }
      let colours = cells.flatMap { [$0.foreground, $0.background].compactMap(\.self) }
      #expect(!colours.isEmpty && colours.allSatisfy { (16...255).contains($0) }, "\(name): \(colours)")
    }
  }

  @Test("Strips of sixels are as high as their cells, whatever that is", arguments: [5, 6, 7, 16, 17, 22])
  func sixelHeights(height: Int) throws {
    let request = DrawingRequest(.sixel, columns: 40, rows: 10, cellWidth: 4, cellHeight: height)
    guard case .drawn(let drawing) = try draw(SamplePictures.png, request) else { throw TestFailure("not drawn") }
    guard case .strips(let strips) = drawing.content else { throw TestFailure("no strips") }
    #expect(strips.count == drawing.rows && drawing.rows == (16 + height - 1) / height)
  }

  @Test("What is no picture, or a damaged one, is not drawn")
  func damaged() throws {
    let request = DrawingRequest(.trueColour, columns: 80, rows: 24)
    for bytes in [[], Array("GIF89a".utf8), Array(SamplePictures.png.dropLast(40)), Array("text".utf8)] {
      #expect(try draw(bytes, request) == .failed)
    }
  }

  @Test("A program that was taken over draws nothing that was not asked for")
  func lies() throws {
    let folder = try TemporaryFolder()
    for message in [
      "\\000\\000\\000\\002\\172\\000", "\\377\\377\\377\\377",
      "\\000\\000\\000\\007\\010\\001\\020\\001\\032\\001\\033",
    ] {
      let script = try folder.writeProgram("script", "#!/bin/sh\nprintf '\(message)' >&0\nread line\n")
      #expect(try draw([], DrawingRequest(.kitty, columns: 1, rows: 1), program: script) == .failed)
    }
  }

  @Test("A person who starts it is told who does")
  func byHand() throws {
    let done = try Program.run([Products.program("confab-picture")])
    #expect(done.status == .exited(64))
    #expect(done.errorText == "confab-picture is started by confab-ui\n")
  }
}
