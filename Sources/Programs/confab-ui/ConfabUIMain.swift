import ConfabTUI
import Glibc

/// The terminal UI, which `confab` becomes. All of it is in ConfabTUI.
@main
struct Main {
  static func main() {
    exit(UserInterface.main())
  }
}
