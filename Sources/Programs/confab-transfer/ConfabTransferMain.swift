import ConfabTransfer
import Glibc

/// Moves a file over HTTP for the daemon. All of it is in ConfabTransfer.
@main
struct Main {
  static func main() {
    exit(TransferProgram.main())
  }
}
