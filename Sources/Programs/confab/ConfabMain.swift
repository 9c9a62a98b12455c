import ConfabCLI
import Glibc

@main
struct Main {
  static func main() {
    exit(Program.main())
  }
}
