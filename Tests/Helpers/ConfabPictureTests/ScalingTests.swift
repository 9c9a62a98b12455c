import Testing

@testable import ConfabPicture

@Suite("Pixels of another size")
struct ScalingTests {
  private static let pixels = Pixels(
    width: 2, height: 2, bytes: [200, 0, 0, 255, 100, 0, 0, 255, 0, 50, 0, 0, 0, 0, 80, 255])

  @Test("A pixel is the mean of what it covers; transparent ones give no colour")
  func mean() {
    #expect(Self.pixels.scaled(to: 1, 1).bytes == [100, 0, 26, 191])
    #expect(Self.pixels.scaled(to: 2, 1).bytes == [200, 0, 0, 127, 50, 0, 40, 255])
    #expect(Self.pixels.scaled(to: 2, 2) == Self.pixels)
  }

  @Test("A larger picture repeats its pixels")
  func enlarged() {
    let large = Self.pixels.scaled(to: 4, 2)
    #expect(Array(large.bytes.prefix(16)) == [200, 0, 0, 255, 200, 0, 0, 255, 100, 0, 0, 255, 100, 0, 0, 255])
  }

  @Test("Rows are filled up with transparent pixels")
  func rows() {
    #expect(Self.pixels.rows(1..<2, height: 2).bytes == [0, 50, 0, 0, 0, 0, 80, 255] + [UInt8](repeating: 0, count: 8))
  }
}
