/// The contents of `tui.conf`, as far as they are right.
package struct SettingsFile: Equatable, Sendable {
  package let settings: UISettings
  /// Mistakes in it, a sentence each.
  package let errors: [String]
  /// The path where there is no file; nil: there is one, or no place for it.
  package let missing: String?

  package init(_ settings: UISettings = UISettings(), errors: [String] = [], missing: String? = nil) {
    (self.settings, self.errors, self.missing) = (settings, errors, missing)
  }
}
