/// The negotiated properties of a TLS connection.
package struct TLSFacts: Hashable, Sendable {
  /// `TLSv1.3`
  package var version: String
  /// `TLS_AES_256_GCM_SHA384`
  package var cipher: String
  /// The application protocol, `xmpp-client`, where the server chose one.
  package var applicationProtocol: String?
  /// Channel-binding data `tls-exporter` (RFC 9266), 32 bytes, the same at both ends; nil if it would not be safe.
  package var tlsExporter: [UInt8]?
  /// Channel-binding data `tls-server-end-point` (RFC 5929, section 4.1); nil if it is undefined.
  package var tlsServerEndPoint: [UInt8]?
  /// True if the server was known by an earlier session and showed no certificate this time.
  package var isResumed: Bool
  /// When the first certificate of the verified chain ends, in Unix seconds; nil if none was shown.
  package var certificateEnd: Int64?

  package init(
    version: String, cipher: String, applicationProtocol: String? = nil, tlsExporter: [UInt8]? = nil,
    tlsServerEndPoint: [UInt8]? = nil, isResumed: Bool = false, certificateEnd: Int64? = nil
  ) {
    self.version = version
    self.cipher = cipher
    self.applicationProtocol = applicationProtocol
    self.tlsExporter = tlsExporter
    self.tlsServerEndPoint = tlsServerEndPoint
    self.isResumed = isResumed
    self.certificateEnd = certificateEnd
  }
}
