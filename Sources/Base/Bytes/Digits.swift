/// Decimal digits, eight at a time.
public enum Digits {
  /// The digits of a number below 100,000,000, the highest in the lowest byte, each as ASCII: in the order of memory, little
  /// endian. Halves, then quarters, then eighths of one word are divided at once.
  @inlinable @inline(__always)
  public static func eight(_ number: UInt32) -> UInt64 {
    let fours = UInt64(number / 10_000) | UInt64(number % 10_000) << 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x7F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) &<< 8 | 0x3030_3030_3030_3030
  }
}
