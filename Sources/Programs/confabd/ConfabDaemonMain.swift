import ConfabRuntime
import Glibc
import Syscalls

/// The daemon. All of it is in ConfabRuntime.
@main
struct Main {
  static func main() {
    StandardStreams.openMissing()
    exit(Daemon.run(ProcessArguments.mended(), environment: ProcessEnvironment.variables()))
  }
}
