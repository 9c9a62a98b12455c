import HelperProtocol
import Reactor
import Syscalls
import TestSupport
import Testing

@testable import ConfabTUI

@Suite("Drawing pictures")
struct PictureDrawersTests {
  @Test("pictures are drawn one after the other; what no program draws is none", arguments: ["/bin/false", "/none"])
  func failing(program: String) throws {
    let loop = try EventLoop()
    let drawers = PictureDrawers(loop: loop, program: program)
    let file = PassedDescriptor(taking: try Files.inMemory([1, 2, 3]))
    var outcomes: [Drawing?] = []
    for _ in 0..<3 { drawers.draw(DrawingRequest(.trueColour, columns: 10, rows: 10), file) { outcomes.append($0) } }
    let deadline = Deadline.seconds(60)
    while outcomes.count < 3 {
      guard !deadline.hasPassed else { throw TestFailure("\(outcomes.count) outcomes") }
      try loop.turn(block: false)
    }
    #expect(outcomes.allSatisfy { $0 == nil })
  }
}
