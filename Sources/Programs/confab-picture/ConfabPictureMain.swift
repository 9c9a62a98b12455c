import ConfabPicture
import Glibc

/// Draws a picture for the terminal UI, which starts it. All of it is in ConfabPicture.
@main
struct Main {
  static func main() {
    exit(PictureProgram.main())
  }
}
