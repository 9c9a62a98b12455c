import Clocks
import Testing
import XMPPStream

@testable import ConfabAccounts

@Suite("Requests for acks")
struct AckRequestsTests {
  private func write(_ count: Int, _ counters: inout StreamManagement) {
    for _ in 0..<count {
      _ = counters.place([1])
      counters.wrote()
    }
  }

  @Test("An ack is requested for each output with messages of mine, and only then")
  func messages() {
    var requests = AckRequests()
    let counters = StreamManagement()
    requests.wroteMessage()
    let needs = [requests.takeNeed(counters), requests.takeNeed(counters)]
    #expect(needs == [true, false])
  }

  @Test("For other stanzas an ack is requested once there are many since the last request")
  func others() {
    var (requests, counters) = (AckRequests(), StreamManagement())
    write(AckRequests.mostUnrequested - 1, &counters)
    let few = requests.takeNeed(counters)
    write(1, &counters)
    let many = requests.takeNeed(counters)
    requests.wantRequest()
    let written = [requests.takeRequest(behind: counters.sentCount), requests.takeRequest(behind: counters.sentCount)]
    let covered = requests.takeNeed(counters)
    #expect([few, many, covered] == [false, true, false] && written == [true, false])
  }

  @Test("A request that is wanted meanwhile follows the answer, once")
  func repeated() {
    var requests = AckRequests()
    let now = Instant(milliseconds: 1_000)
    requests.await(until: now, atMost: now)
    requests.wantRepeat()
    #expect(requests.isAwaited)
    let follows = [requests.answered(), requests.answered()]
    #expect(follows == [true, false] && !requests.isAwaited)
  }

  @Test("One ping at a time is written, behind the message that it was wanted for")
  func pings() {
    var requests = AckRequests()
    requests.wantPing(behind: 7)
    requests.wantPing()
    let first = requests.takePing()
    requests.wantPing(behind: 9)
    let early = requests.takePing()
    requests.pingAnswered()
    let second = requests.takePing()
    #expect([first, early, second] == [7, nil, 9] && requests.isPingWanted)
  }
}
