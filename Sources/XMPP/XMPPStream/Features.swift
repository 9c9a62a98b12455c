import SASL
import XML
import XMPPCore

/// A `<stream:features/>` element (RFC 6120, section 4.3.2), as far as we understand it: one that came, or one that is
/// expected.
struct OfferedFeatures {
  /// Section 5.4.1.
  let startTLS: Bool
  /// Section 6.4.1 and XEP-0440.
  let sasl: SASLOffer
  /// Section 7.4.
  let bind: Bool
  /// The features for a logged-in client.
  let stream: StreamFeatures

  /// Nil where the element is something else.
  init?(_ element: Element) {
    guard element.isNamed("features", Namespace.streams) else { return nil }
    startTLS = element.child("starttls", Namespace.tls) != nil
    sasl = Self.sasl(element)
    bind = element.child("bind", Namespace.bind) != nil
    stream = Self.stream(element)
  }

  /// Features of any stage of a login, where the server offers what it did before.
  init(expecting sasl: SASLOffer, _ stream: StreamFeatures) {
    (startTLS, bind) = (true, true)
    (self.sasl, self.stream) = (sasl, stream)
  }

  private static func sasl(_ element: Element) -> SASLOffer {
    let list = element.child("mechanisms", Namespace.sasl)
    let bindings = element.child("sasl-channel-binding", Namespace.saslChannelBinding)
    return SASLOffer(
      mechanisms: list?.children("mechanism", Namespace.sasl).map(\.text) ?? [],
      channelBindings: bindings.map { $0.children("channel-binding", Namespace.saslChannelBinding) }?
        .compactMap { $0.attribute("type") })
  }

  private static func stream(_ element: Element) -> StreamFeatures {
    var features = StreamFeatures()
    features.streamManagement = element.child("sm", Namespace.streamManagement) != nil
    features.rosterVersioning = element.child("ver", Namespace.rosterVersioning) != nil
    features.clientState = element.child("csi", Namespace.clientState) != nil
    let limits = element.child("limits", Namespace.streamLimits)
    features.maximumStanzaBytes = limits?.child("max-bytes", Namespace.streamLimits).flatMap { UInt32($0.text) }.map {
      Int($0)
    }
    return features
  }
}
