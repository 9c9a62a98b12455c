import Glibc

/// The colour space in which equal lightness looks equally light (https://www.hsluv.org).
package enum HSLuv {
  /// Red, green and blue, each 0 to 1.
  /// - Parameters:
  ///   - hue: degrees, 0 to 360.
  ///   - saturation: 0 to 100.
  ///   - lightness: 0 to 100.
  package static func rgb(hue: Double, saturation: Double, lightness: Double) -> [Double] {
    guard lightness > 0.000_000_01 else { return [0, 0, 0] }
    guard lightness < 99.999_999_9 else { return [1, 1, 1] }
    let angle = hue / 180 * Double.pi
    let chroma = maximalChroma(lightness: lightness, angle: angle) / 100 * saturation
    // CIELUV to CIEXYZ, for D65.
    let u = cos(angle) * chroma / (13 * lightness) + 0.197_830_006_642_836_81
    let v = sin(angle) * chroma / (13 * lightness) + 0.468_319_994_938_791
    let y = luminance(lightness)
    let x = 9 * y * u / (4 * v)
    let z = (12 - 3 * u - 20 * v) * y / (4 * v)
    return toRGB.map { gamma(min(1, max(0, $0[0] * x + $0[1] * y + $0[2] * z))) }
  }

  /// Relative luminance, 0 to 1.
  private static func luminance(_ lightness: Double) -> Double {
    lightness <= 8 ? lightness / kappa : pow((lightness + 16) / 116, 3)
  }

  /// The largest chroma that sRGB has in a direction: where the ray meets the first of the six sides of its body.
  private static func maximalChroma(lightness: Double, angle: Double) -> Double {
    let term = pow(lightness + 16, 3) / 1_560_896
    let y = term > epsilon ? term : lightness / kappa
    var chroma = Double.greatestFiniteMagnitude
    for row in toRGB {
      for bound in [0.0, 1.0] {
        let divisor = (632_260 * row[2] - 126_452 * row[1]) * y + 126_452 * bound
        let slope = (284_517 * row[0] - 94_839 * row[2]) * y / divisor
        let intercept =
          ((838_422 * row[2] + 769_860 * row[1] + 731_718 * row[0]) * lightness * y - 769_860 * bound * lightness)
          / divisor
        let length = intercept / (sin(angle) - slope * cos(angle))
        if length >= 0 { chroma = min(chroma, length) }
      }
    }
    return chroma
  }

  private static func gamma(_ linear: Double) -> Double {
    linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }

  private static let kappa = 903.296_296_296_296_3
  private static let epsilon = 0.008_856_451_679_035_631
  /// CIEXYZ to linear sRGB.
  private static let toRGB: [[Double]] = [
    [3.240_969_941_904_521, -1.537_383_177_570_093, -0.498_610_760_293],
    [-0.969_243_636_280_87, 1.875_967_501_507_72, 0.041_555_057_407_175],
    [0.055_630_079_696_993, -0.203_976_958_888_97, 1.056_971_514_242_878],
  ]
}
