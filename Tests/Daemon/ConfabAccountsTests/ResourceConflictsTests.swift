import Clocks
import Testing

@testable import ConfabAccounts

@Suite("Conflicts over a resource")
struct ResourceConflictsTests {
  @Test("The first conflict has no pause, further ones double it from a minute up to an hour")
  func pauses() {
    var conflicts = ResourceConflicts()
    let pauses = (0..<9).map { _ in conflicts.note(after: .seconds(5)) }
    #expect(pauses == [0, 1, 2, 4, 8, 16, 32, 60, 60].map { .minutes($0) } && conflicts.count == 9)
  }

  @Test("A stream of an hour begins the count anew; a login that was refused is no stream")
  func lasted() {
    var conflicts = ResourceConflicts()
    let pauses = [nil, nil, .minutes(59), .hours(1), nil].map { conflicts.note(after: $0) }
    #expect(pauses == [0, 1, 2, 0, 1].map { .minutes($0) })
  }
}
