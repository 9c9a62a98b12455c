import Clocks
import ConfabCLI
import ConfabClient
import LineProtocol
import Testing

@Suite("Times on the command line")
struct TimeWordsTests {
  /// Two hours east of UTC in summer, one in winter, as in Berlin.
  private let berlin = TimeWords(
    now: { Timestamp(rfc3339: "2026-11-20T22:30:00Z") },
    offset: { $0 < Timestamp(milliseconds: 1_792_890_000_000) ? 7200 : 3600 })

  @Test(
    "times mean the local clock",
    arguments: [
      ("2026-11-20", "2026-11-19T23:00:00.000Z"), ("today", "2026-11-19T23:00:00.000Z"),
      ("Yesterday", "2026-11-18T23:00:00.000Z"), ("Today", "2026-11-19T23:00:00.000Z"),
      ("Tuesday", "2026-11-16T23:00:00.000Z"), ("2026-07-01", "2026-06-30T22:00:00.000Z"),
      ("2026-11-20 09:10", "2026-11-20T08:10:00.000Z"), ("2026-11-20T09:10:05", "2026-11-20T08:10:05.000Z"),
      ("yesterday 09:10", "2026-11-19T08:10:00.000Z"), ("09:10", "2026-11-20T08:10:00.000Z"),
      ("2h", "2026-11-20T20:30:00.000Z"), ("7d", "2026-11-13T22:30:00.000Z"), ("90s", "2026-11-20T22:28:30.000Z"),
      ("now", "2026-11-20T22:30:00.000Z"), ("9:10", "2026-11-20T08:10:00.000Z"),
      ("2026-1-2", "2026-01-01T22:00:00.000Z"),
      ("Fri", "2026-11-12T23:00:00.000Z"), ("monday 9:10", "2026-11-16T08:10:00.000Z"),
      ("2024-02-29", "2024-02-28T22:00:00.000Z"),
    ])
  func read(text: String, time: String) {
    #expect(berlin.read(text)?.rfc3339 == time)
  }

  @Test(
    "Times to come: durations run from now, and a time of day that is over is tomorrow's",
    arguments: [
      ("2h", "2026-11-21T00:30:00.000Z"), ("tomorrow", "2026-11-20T23:00:00.000Z"),
      ("tomorrow 09:10", "2026-11-21T08:10:00.000Z"), ("09:10", "2026-11-21T08:10:00.000Z"),
      ("23:45", "2026-11-20T22:45:00.000Z"), ("Tue 9:10", "2026-11-24T08:10:00.000Z"),
      ("friday", "2026-11-26T23:00:00.000Z"), ("2026-11-22", "2026-11-21T23:00:00.000Z"),
    ])
  func ahead(text: String, time: String) {
    #expect(berlin.read(text, isAhead: true)?.rfc3339 == time)
  }

  @Test("confab notify --until sends a time to come, and says what it takes")
  func notifyUntil() {
    let daemon = FakeDaemon(answers: #"{"ok":true}"#)
    #expect(daemon.run("notify", "--until=2h", "b@x", "never") == 0)
    let request = daemon.requests.first
    #expect(request?.time(.until)?.rfc3339 == "2026-11-20T11:10:00.000Z" && request?.string(.level) == "never")
    #expect(daemon.output.isEmpty)
    let wrong = FakeDaemon()
    #expect(wrong.run("notify", "--until=later", "b@x", "never") == 64)
    #expect(wrong.complaints.first?.contains("2h (from now)") == true)
    #expect(FakeDaemon().run("pin", "b@x", "perhaps") == 64)
  }

  @Test(
    "a text that is no time is refused",
    arguments: [
      "", "tomorrowish", "2026-02-30", "2026-13-01", "2026-1", "26-1-1", "24:00", "09:60", "9:1", "m", "2026-11-20 ",
      " 09:10",
      "2026-11-20 09:10 x", "-2h", "2h ago", "2026-11-20T", "٢٠٢٦-١١-٢٠",
    ])
  func none(text: String) { #expect(berlin.read(text) == nil) }

  @Test("the daemon gets only RFC 3339; a time that is RFC 3339 already stays")
  func request() {
    let daemon = FakeDaemon(answers: #"{"ok":true}"#)
    #expect(daemon.run("history", "b@x", "--since", "2h", "--until-time=2026-11-20T09:00:00.5+01:00") == 0)
    let request = daemon.requests.first
    #expect(request?.time(.since)?.rfc3339 == "2026-11-20T07:10:00.000Z")
    #expect(request?.time(.untilTime)?.rfc3339 == "2026-11-20T08:00:00.500Z")
    let wrong = FakeDaemon()
    #expect(wrong.run("search", "--since=lately", "x") == 64)
    #expect(wrong.complaints.first?.contains("yesterday") == true)
  }
}
