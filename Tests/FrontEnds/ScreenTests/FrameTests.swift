@testable import Screen
import Testing

@Suite("Frames")
struct FrameTests {
  @Test("a wide cluster that is cut, or covered in part, becomes spaces")
  func cutClusters() {
    #expect(drawn { $0.draw(line("中文中"), column: 0, line: 0) } == "中文 ")
    #expect(drawn { $0.draw(line("中文"), column: 0, line: 0, limit: 3) } == "中   ")
    #expect(drawn([line("中文"), line("x")], at: [0, 1]) == " x文 ")
    #expect(drawn([line("中文"), line("x")], at: [0, 2]) == "中x  ")
    #expect(drawn([line("a👍🏽"), line("x")], at: [0, 2]) == "a x  ")
    #expect(drawn([line("👍🏽a"), line("xy")], at: [0, 3]) == "   xy")
    #expect(drawn([line("abcde"), line("👍🏽")], at: [0, 2]) == "ab   ")
  }

  @Test("frames are equal if their cells are, however they were drawn")
  func equality() {
    let word = line("ab")
    #expect(frame([(word, 0)]) == frame([(word, 0)]))
    #expect(frame([(word, 0)]) == frame([(line("a"), 0), (line("b"), 1)]))
    #expect(frame([(word, 0)]) != frame([(word, 1)]))
    #expect(frame([(word, 0)]) != frame([(line("ax"), 0)]))
    var painter = Painter()
    _ = painter.paint(frame([(word, 0)]), Capabilities())
    #expect(!painter.paint(frame([(word, 1)]), Capabilities()).isEmpty)
    #expect(painter.paint(frame([(line(" "), 0), (line("ab"), 1)]), Capabilities()).isEmpty)
  }

  private func frame(_ lines: [(line: StyledLine, column: Int)]) -> Frame {
    var frame = Frame(width: 5, height: 1)
    for (line, column) in lines { frame.draw(line, column: column, line: 0) }
    return frame
  }

  private func line(_ text: String) -> StyledLine { StyledLine(Clusters.split(text)) }

  private func drawn(_ lines: [StyledLine], at columns: [Int]) -> String {
    drawn { frame in
      for (line, column) in zip(lines, columns) { frame.draw(line, column: column, line: 0) }
    }
  }

  private func drawn(_ draw: (inout Frame) -> Void) -> String {
    var frame = Frame(width: 5, height: 1)
    draw(&frame)
    return frame.cells(line: 0).map(\.text).joined()
  }
}
