/// The version of this release: the greeting's, `version`'s and XEP-0092's.
package enum ConfabVersion {
  package static let text = "0.1.0"
}
