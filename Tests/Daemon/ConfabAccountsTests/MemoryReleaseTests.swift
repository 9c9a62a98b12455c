import Clocks
import State
import Testing

@testable import ConfabAccounts

/// The rule of when memory is given back, without an engine.
@Suite struct MemoryReleaseTests {
  private let start = Instant(milliseconds: 1_000)

  private func after(_ milliseconds: Int64) -> Instant { start.advanced(by: .milliseconds(milliseconds)) }

  /// The pause that has come then.
  private func due(_ release: inout MemoryRelease, _ milliseconds: Int64) -> Eviction.Pause? {
    release.takeDue(at: after(milliseconds))
  }

  private func stored(_ count: Int, keepsBuffers: Bool = false) -> MemoryRelease {
    var release = MemoryRelease()
    _ = release.stored(count, isResting: false, keepsBuffers: keepsBuffers, at: start)
    return release
  }

  @Test func aFewRecordsAreNotWorthALook() {
    #expect(!stored(9_999).isWorthwhile)
    #expect(stored(9_999).deadline == nil)
    #expect(stored(10_000).isWorthwhile)
  }

  @Test func aBurstEndsWhenNothingHasComeForAWhile() {
    var release = stored(20_000)
    release.expectEnd(at: start)
    release.expectEnd(at: after(40))
    #expect(due(&release, 89) == nil)
    #expect(release.deadline == after(90))
    #expect(due(&release, 90) == .betweenBursts)
    #expect(due(&release, 90) == nil)
  }

  @Test func behindABurstWhatTheNextOneNeedsIsKeptTenSeconds() {
    var release = stored(20_000)
    release.given(in: .betweenBursts, at: start)
    #expect(!release.isWorthwhile)
    #expect(due(&release, 9_999) == nil)
    #expect(due(&release, 10_000) == .long)
    #expect(release.deadline == nil)
  }

  @Test func anotherBurstMakesThePauseLonger() {
    var release = stored(20_000)
    release.given(in: .betweenBursts, at: start)
    let few = release.stored(63, isResting: false, keepsBuffers: true, at: after(5_000))
    #expect(!few && release.deadline == after(10_000))
    let isBurst = release.stored(64, isResting: false, keepsBuffers: true, at: after(6_000))
    #expect(isBurst)
    #expect(release.deadline == after(16_000))
  }

  @Test func roomAloneIsGivenBackToo() {
    #expect(stored(300, keepsBuffers: true).deadline == after(10_000))
    var login = MemoryRelease()
    login.connectionsChanged(at: start)
    #expect(login.deadline == after(10_000))
    #expect(due(&login, 10_000) == .long)
  }

  @Test func aLongPauseEndsABurstThatWasExpectedToEnd() {
    var release = stored(20_000, keepsBuffers: true)
    release.expectEnd(at: after(9_990))
    #expect(due(&release, 10_000) == .long)
    release.given(in: .long, at: after(10_000))
    #expect(release.deadline == nil)
  }
}
