import SASL
import XML
import XMPPCore

/// A `<stream:features/>` element (RFC 6120, section 4.3.2), asked for what we understand.
struct OfferedFeatures {
  private let element: Element

  /// Nil where the element is something else.
  init?(_ element: Element) {
    guard element.isNamed("features", Namespace.streams) else { return nil }
    self.element = element
  }

  /// Section 5.4.1.
  var startTLS: Bool { element.child("starttls", Namespace.tls) != nil }

  /// Section 6.4.1 and XEP-0440.
  var sasl: SASLOffer {
    let list = element.child("mechanisms", Namespace.sasl)
    let bindings = element.child("sasl-channel-binding", Namespace.saslChannelBinding)
    return SASLOffer(
      mechanisms: list?.children("mechanism", Namespace.sasl).map(\.text) ?? [],
      channelBindings: bindings.map { $0.children("channel-binding", Namespace.saslChannelBinding) }?
        .compactMap { $0.attribute("type") })
  }

  /// Section 7.4.
  var bind: Bool { element.child("bind", Namespace.bind) != nil }

  /// What a logged-in client can use.
  func usable(requestStreamManagement: Bool) -> StreamFeatures {
    var features = StreamFeatures()
    features.streamManagement = requestStreamManagement && element.child("sm", Namespace.streamManagement) != nil
    features.rosterVersioning = element.child("ver", Namespace.rosterVersioning) != nil
    features.preApproval = element.child("sub", Namespace.preApproval) != nil
    features.capabilities = element.child("c", Namespace.caps).flatMap(capabilities)
    return features
  }

  private func capabilities(_ c: Element) -> ServerCapabilities? {
    guard let node = c.attribute("node"), let ver = c.attribute("ver"), let hash = c.attribute("hash") else {
      return nil
    }
    return ServerCapabilities(node: node, ver: ver, hash: hash)
  }
}
