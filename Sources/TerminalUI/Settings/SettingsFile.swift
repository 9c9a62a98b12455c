/// What was read of `tui.conf`.
package struct SettingsFile: Equatable, Sendable {
  package let settings: UISettings
  /// What is wrong in it, a sentence each.
  package let errors: [String]
  /// The path where there is no file; nil: there is one, or no place for it.
  package let missing: String?

  package init(_ settings: UISettings = UISettings(), errors: [String] = [], missing: String? = nil) {
    (self.settings, self.errors, self.missing) = (settings, errors, missing)
  }
}
