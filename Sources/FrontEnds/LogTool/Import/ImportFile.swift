import Syscalls

/// The file of an import, which is read more than once. Standard input, a pipe and the like are copied first.
struct ImportFile: ~Copyable {
  private static let chunk = 64 << 10

  private let file: OwnedFD

  /// - Parameters:
  ///   - name: `-`: standard input.
  ///   - scratch: the directory of the copy, which has no name and is gone when it is closed.
  init(_ name: String, scratch: String) throws(LogCommandFailure) {
    do throws(Errno) {
      guard name != "-" else {
        file = try Self.copy(0, scratch)
        return
      }
      let named = try Files.openForReading(name)
      let isRegular = try Files.attributes(named.raw).kind == .regular
      file = isRegular ? named : try Self.copy(named.raw, scratch)
    } catch {
      throw error.object == scratch ? .copy(scratch, error.text) : .input(name, error.text)
    }
  }

  /// The lines from the beginning; the file is lent.
  var lines: InputLines { InputLines(file.raw) }

  private static func copy(_ input: CInt, _ scratch: String) throws(Errno) -> OwnedFD {
    let copy = try Files.openTemporary(in: scratch)
    var size: UInt64 = 0
    while let bytes = try Descriptors.read(input, atMost: chunk), !bytes.isEmpty {
      do throws(Errno) {
        try Files.write(copy.raw, bytes, at: size)
      } catch {
        throw Errno(error.code, error.operation, object: scratch)
      }
      size += UInt64(bytes.count)
    }
    return copy
  }
}
