/// An event of a connection to a server. TLS, addresses and sockets are below it.
package enum LinkEvent: Equatable, Sendable {
  case resolved(Services)
  /// TCP is up; `remote` is `[::1]:5222`, or `example.org:5222 through 127.0.0.1:9050`.
  case opened(remote: String)
  /// The TLS handshake is done and the certificate is the domain's.
  case secured(TLSFacts)
  /// Bytes of the stream, in order, 1 byte to 64 KiB, cut anywhere; plaintext of TLS once secured.
  case received([UInt8])
  /// All that was written has been handed to the kernel.
  case drained
  /// The end, with the cause in words; nil: the peer closed in order, or `close` is done.
  case closed(String?)
}
