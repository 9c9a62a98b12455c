import Testing

@testable import ConfabAccounts

@Suite("The output of a stream")
struct StreamOutputTests {
  @Test("Messages wait while much is on its way, taken or not, until the link has handed it on")
  func space() {
    var output = StreamOutput()
    output.append(Array(repeating: 0, count: StreamOutput.mostOutstanding - 1))
    #expect(output.takesMessages)
    output.append([1])
    #expect(!output.takesMessages && output.outstanding == 0)
    let taken = output.take()
    #expect(taken.count == StreamOutput.mostOutstanding)
    #expect(!output.takesMessages && output.outstanding == StreamOutput.mostOutstanding)
    output.drained()
    #expect(output.takesMessages && output.outstanding == 0)
  }

  @Test("Bytes are taken once")
  func taken() {
    var output = StreamOutput()
    output.append([1, 2])
    output.append([3])
    let taken = [output.take(), output.take()]
    #expect(taken == [[1, 2, 3], []])
  }
}
