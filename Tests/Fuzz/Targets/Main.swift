import Glibc

// libFuzzer has the program's `main`, and calls these two. `confab-fuzz TARGET [what libFuzzer takes]`; `make fuzz`
// runs every target.

/// Called once: takes the target's name out of the command line, the rest of which is libFuzzer's.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  guard FuzzTarget.chosen != nil else {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(unsafe count.pointee > 1 ? 2 : 0)
  }
  unsafe arguments.pointee[1] = arguments.pointee[0]
  unsafe arguments.pointee += 1
  unsafe count.pointee -= 1
  return 0
}

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func run(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  FuzzTarget.chosen?.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: size)))
  return 0
}
