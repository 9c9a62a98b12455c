import Glibc
import Synchronization

/// Jobs that are done one after the other, in the order in which they are given, on a thread that is there only while there
/// are jobs: at rest there is neither a thread nor a descriptor. For slow work that is seldom: files, key derivation.
///
/// Any thread may give jobs; what a job learns goes back by whatever it captures (a `Mailbox` of a loop).
package final class JobQueue: Sendable {
  package typealias Job = @Sendable () -> Void

  private struct State {
    var jobs: [Job] = []
    var isRunning = false
  }

  private let state = Mutex(State())
  private let name: String

  /// - Parameter name: for messages.
  package init(name: String) { self.name = name }

  /// Gives a job. Fails only where the system cannot start a thread; the job is then not done.
  package func run(_ job: @escaping Job) throws(Errno) {
    let mustStart = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { try start() }
  }

  private func start() throws(Errno) {
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let code = unsafe pthread_create(&thread, nil, { unsafe JobQueue.main($0) }, context)
    guard code == 0 else {
      unsafe Unmanaged<JobQueue>.fromOpaque(context).release()
      state.withLock { $0 = State() }
      throw Errno(code, "pthread_create", object: name)
    }
    pthread_detach(thread)
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let queue = unsafe Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue()
    while let jobs = queue.takeJobs() {
      for job in jobs { job() }
    }
    return nil
  }

  /// Nil if there are none: the thread ends, and the next job starts another one.
  private func takeJobs() -> [Job]? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isRunning = false
        return nil
      }
      defer { state.jobs = [] }
      return state.jobs
    }
  }
}
