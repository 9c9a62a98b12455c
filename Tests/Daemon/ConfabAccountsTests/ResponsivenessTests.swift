import Testing

@testable import ConfabAccounts

@Suite("The responsiveness of a resumed stream")
struct ResponsivenessTests {
  @Test("A stream that was not resumed is never given up for silence")
  func notResumed() {
    var server = Responsiveness()
    let silences = (0..<5).map { _ in server.wasSilent() }
    #expect(!silences.contains(true) && !server.isDoubted && server.patience == KeepAlive.patience)
  }

  @Test("After one silence a resumed stream has less patience, after the next it is given up")
  func silences() {
    var server = Responsiveness()
    server.resumed()
    #expect(!server.isProven && !server.isDoubted)
    let first = server.wasSilent()
    #expect(!first && server.isDoubted && server.patience == KeepAlive.distrust)
    server.resumed()
    let second = server.wasSilent()
    #expect(second)
  }

  @Test("An answer ends the doubt")
  func answered() {
    var server = Responsiveness()
    server.resumed()
    _ = server.wasSilent()
    let answers = [server.answered(), server.answered()]
    #expect(answers == [true, false] && server.isProven && !server.isDoubted)
    server.resumed()
    let isGivenUp = server.wasSilent()
    #expect(!isGivenUp)
  }
}
