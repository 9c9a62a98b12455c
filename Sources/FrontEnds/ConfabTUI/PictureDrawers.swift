import HelperProtocol
import Reactor
import Syscalls

/// Runs of `confab-picture`, one after the other: each decodes a stranger's picture where it can do no harm.
///
/// The owner is the loop's thread.
final class PictureDrawers {
  private struct Job {
    let request: DrawingRequest
    let file: PassedDescriptor
    let isDone: (Drawing?) -> Void
  }

  private let loop: EventLoop
  private let program: String?
  private var waiting: [Job] = []
  private var current: (process: DrawingProcess, watch: Watch, job: Job)?

  /// - Parameter program: the path of `confab-picture`; nil: where it is installed.
  init(loop: EventLoop, program: String? = nil) { (self.loop, self.program) = (loop, program) }

  func draw(_ request: DrawingRequest, _ file: PassedDescriptor, _ isDone: @escaping (Drawing?) -> Void) {
    waiting.append(Job(request: request, file: file, isDone: isDone))
    goOn()
  }

  private func goOn() {
    guard current == nil, !waiting.isEmpty else { return }
    let job = waiting.removeFirst()
    do throws(Errno) {
      let process = try DrawingProcess(job.request, file: job.file.raw, program: program)
      let watch = try loop.watch(process.descriptor, for: .read) { [unowned self] _ in receive() }
      current = (process, watch, job)
    } catch {
      job.isDone(nil)
      goOn()
    }
  }

  private func receive() {
    guard let (process, watch, job) = current, let outcome = process.receive() else { return }
    loop.unwatch(watch)
    current = nil
    if case .drawn(let drawing) = outcome { job.isDone(drawing) } else { job.isDone(nil) }
    goOn()
  }
}
