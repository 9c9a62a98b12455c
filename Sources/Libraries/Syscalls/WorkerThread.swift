import Glibc
import Synchronization

/// One thread that does jobs in the order in which they are given, and sleeps between them. It lives as long as the
/// process: the log's writer has one.
///
/// Any thread may give jobs; what a job learns goes back by whatever it captures (a `Mailbox` of a loop).
package final class WorkerThread: Sendable {
  package typealias Job = @Sendable () -> Void

  private struct State {
    var jobs: [Job] = []
    var isStarted = false
  }

  private let state = Mutex(State())
  private let wakeUp: OwnedFD
  private let name: String

  /// Fails where the process has no descriptor left. The thread starts with the first job.
  package init(name: String) throws(Errno) {
    self.name = name
    let event = try EventFD.blocking()
    wakeUp = event
  }

  /// Gives a job. Fails only where the system cannot start one more thread; the job is then not done.
  package func run(_ job: @escaping Job) throws(Errno) {
    let mustStart = state.withLock { state in
      state.jobs.append(job)
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if mustStart { try start() }
    EventFD.signal(wakeUp.raw)
  }

  private func start() throws(Errno) {
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let code = unsafe pthread_create(&thread, nil, { unsafe WorkerThread.main($0) }, context)
    guard code == 0 else {
      unsafe Unmanaged<WorkerThread>.fromOpaque(context).release()
      state.withLock { state in
        state.isStarted = false
        state.jobs.removeAll()
      }
      throw Errno(code, "pthread_create", object: name)
    }
    pthread_detach(thread)
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let worker = unsafe Unmanaged<WorkerThread>.fromOpaque(context).takeRetainedValue()
    while EventFD.wait(worker.wakeUp.raw) {
      for job in worker.takeJobs() { job() }
    }
    return nil
  }

  private func takeJobs() -> [Job] {
    state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
  }
}
