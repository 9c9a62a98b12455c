/// Text from outside, made safe for a line of output.
enum PlainLine {
  /// The text without anything that ends a line or steers a terminal: each such character is shown as `?`.
  static func of(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
