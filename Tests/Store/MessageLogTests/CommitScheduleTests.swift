import Clocks
import MessageLog
import Testing

@Suite struct CommitScheduleTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  @Test func nothingToWriteStartsNothing() {
    #expect(CommitSchedule().nextStart(at: at(0)) == nil)
  }

  @Test(arguments: [false, true])
  func theFirstRecordAfterAPauseStartsAtOnce(urgent: Bool) {
    var schedule = CommitSchedule()
    schedule.appended(urgent: urgent)
    #expect(schedule.nextStart(at: at(1000)) == at(1000))
    schedule.started(at: at(1000))
    schedule.completed(at: at(1004))
    schedule.appended(urgent: urgent)
    #expect(schedule.nextStart(at: at(2000)) == at(2000))
  }

  @Test func oneAtATime() {
    var schedule = CommitSchedule()
    schedule.appended(urgent: true)
    schedule.started(at: at(0))
    schedule.appended(urgent: true)
    #expect(schedule.nextStart(at: at(1)) == nil)
    schedule.completed(at: at(2))
    #expect(schedule.nextStart(at: at(2)) == at(2))
  }

  @Test(
    "under load a patient record waits max(10 ms, what the last batch took)",
    arguments: [(0, 10), (9, 10), (10, 10), (40, 40)])
  func patientRecordsWait(took: Int64, wait: Int64) {
    var schedule = CommitSchedule()
    schedule.appended(urgent: false)
    schedule.started(at: at(100))
    schedule.appended(urgent: false)
    let end = at(100 + took)
    schedule.completed(at: end)
    #expect(schedule.nextStart(at: end) == at(100 + took + wait))
  }

  @Test func anUrgentRecordTakesThePatientOnesAlong() {
    var schedule = CommitSchedule()
    schedule.appended(urgent: false)
    schedule.started(at: at(0))
    schedule.completed(at: at(1))
    schedule.appended(urgent: false)
    #expect(schedule.nextStart(at: at(1)) == at(11))
    schedule.appended(urgent: true)
    schedule.appended(urgent: false)
    #expect(schedule.nextStart(at: at(2)) == at(2))
    schedule.started(at: at(2))
    schedule.completed(at: at(3))
    #expect(schedule.nextStart(at: at(3)) == nil)
  }

  @Test("inbound traffic alone causes at most 100 syncs a second", arguments: [0, 1, 3, 10, 12] as [Int64])
  func inboundTrafficAlone(took: Int64) {
    var schedule = CommitSchedule()
    var starts = 0
    var endsAt: Instant?
    for now in Int64(0)..<10_000 {
      if let end = endsAt, end <= at(now) {
        schedule.completed(at: at(now))
        endsAt = nil
      }
      schedule.appended(urgent: false)
      if let next = schedule.nextStart(at: at(now)), next <= at(now) {
        schedule.started(at: at(now))
        endsAt = at(now + took)
        starts += 1
      }
    }
    #expect(starts <= 1001)
    #expect(starts >= 400)
  }
}
