import COpenSSL
import Glibc

/// The contexts in use, one for each set of trust anchors, made anew when their file or directory has changed.
package final class TLSContexts {
  private var made: [TrustAnchors: (context: TLSContext, state: FileState?)] = [:]

  package init() {}

  /// The context for these anchors, made now where there is none for them as they are. Sessions that were proved by
  /// other anchors are not resumed: they go with their context.
  package func context(trusting anchors: TrustAnchors) throws(TLSFailure) -> TLSContext {
    let state = FileState(of: anchors)
    if let (context, then) = made[anchors], then == state { return context }
    made[anchors] = nil
    let context = try TLSContext(trusting: anchors)
    made[anchors] = (context, state)
    return context
  }
}

/// Values that change when a file is written or replaced, or the contents of a directory change.
private struct FileState: Equatable {
  private let numbers: [Int64]

  /// Nil if it cannot be read.
  init?(of anchors: TrustAnchors) {
    let path: String
    switch anchors {
    case .file(let file): path = file
    case .system:
      guard let directory = unsafe X509_get_default_cert_dir() else { return nil }
      path = unsafe String(cString: directory)
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    numbers = [
      Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size),
      Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_ctim.tv_sec),
      Int64(status.st_ctim.tv_nsec),
    ]
  }
}
