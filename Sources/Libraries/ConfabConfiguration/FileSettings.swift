/// Settings of files that are sent and fetched.
package struct FileSettings: Equatable, Sendable {
  /// Bytes of fetched files that are kept.
  package var cacheSize = 256 << 20
  /// The most bytes of a file that is fetched.
  package var largestFetched = 64 << 20
  /// True if files may be fetched from addresses that are not globally reachable.
  package var fetchesPrivate = false
  /// Bytes of files that wait to be uploaded.
  package var spoolSize = 1 << 30
  /// True if JPEGs are sent without metadata that says where they were taken.
  package var stripsMetadata = true

  package init() {}
}
