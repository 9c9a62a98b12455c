import Glibc
import Syscalls
import Testing

/// A terminal without a window: what a program writes to `device` is read from `controller`. pts(4)
final class PseudoTerminal {
  let controller: OwnedFD
  let device: OwnedFD

  /// TIOCSPTLCK and TIOCGPTN, which the C library's header does not show to Swift. ioctl_tty(2)
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  init(columns: UInt16 = 80, lines: UInt16 = 24) throws {
    let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    controller = OwnedFD(taking: unsafe open("/dev/ptmx", flags))
    var (locked, number): (CInt, CUnsignedInt) = (0, 0)
    #expect(unsafe ioctl(controller.raw, Self.setLock, &locked) == 0)
    #expect(unsafe ioctl(controller.raw, Self.getNumber, &number) == 0)
    device = OwnedFD(taking: unsafe open("/dev/pts/\(number)", flags))
    try #require(device.raw >= 0)
    resize(columns: columns, lines: lines)
  }

  func resize(columns: UInt16, lines: UInt16) {
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(controller.raw, UInt(TIOCSWINSZ), &size)
  }

  /// All that has been written by now.
  func output() -> String {
    var all: [UInt8] = []
    while let bytes = try? Descriptors.read(controller.raw, atMost: 4096), !bytes.isEmpty { all += bytes }
    return String(decoding: all, as: UTF8.self)
  }

  func type(_ text: String) throws { try Descriptors.writeAll(controller.raw, Array(text.utf8)) }

  /// Another descriptor of the terminal, with an owner of its own.
  func duplicate() throws -> OwnedFD { try Descriptors.duplicate(device.raw) }
}
