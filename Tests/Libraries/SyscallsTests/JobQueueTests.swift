import Synchronization
import Syscalls
import TestSupport
import Testing

@Suite("jobs on a thread that comes and goes")
struct JobQueueTests {
  private final class Notes: Sendable {
    private let numbers = Mutex<[Int]>([])
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
  }

  private func wait(until condition: () -> Bool) throws {
    let deadline = Deadline.seconds(60)
    while !condition() {
      guard !deadline.hasPassed else { throw TestFailure("it does not happen") }
      _ = try Descriptors.wait(toRead: -1, milliseconds: 1)
    }
  }

  @Test("Jobs are done in the order in which they are given, also by threads that follow each other")
  func order() throws {
    let (jobs, notes) = (JobQueue(name: "test"), Notes())
    for round in 0..<50 {
      for number in 0..<20 { try jobs.run { notes.add(round * 20 + number) } }
      if round % 10 == 0 { try wait { notes.all.count == (round + 1) * 20 } }
    }
    try wait { notes.all.count == 1_000 }
    #expect(notes.all == Array(0..<1_000))
  }

  @Test("Where there are no jobs there is no thread")
  func rest() throws {
    let notes = Notes()
    weak var gone: JobQueue?
    do {
      let jobs = JobQueue(name: "test")
      gone = jobs
      try jobs.run { notes.add(1) }
    }
    try wait { gone == nil }
    #expect(notes.all == [1])
  }
}
