import Bytes
package import Clocks
package import XML
package import XMPPCore

/// XEP-0363: where files are put before they are sent, and how a place for one is asked for.
package struct UploadService: Sendable, Equatable {
  package static let namespace: StaticString = "urn:xmpp:http:upload:0"

  package let jid: JID
  /// The most bytes of a file; nil: it does not say.
  package let largest: UInt64?

  /// Nil if an entity is no such service, by what it says of itself.
  package init?(_ jid: JID, _ info: DiscoInfo) {
    guard info.has(Self.namespace) else { return nil }
    self.jid = jid
    let forms = info.forms.filter { $0.formType == "\(Self.namespace)" }
    largest = forms.lazy.compactMap { $0.value(of: "max-file-size").flatMap { UInt64($0) } }.first
  }

  /// Asks for a place for a file.
  package func request(_ file: FileMetadata, id: String) -> [UInt8] {
    IQ.get(to: jid.description, id: id) {
      $0.empty(
        "request", xmlns: Self.namespace,
        attributes: ["filename": file.name ?? "file", "size": "\(file.size ?? 0)", "content-type": file.type])
    }
  }
}

/// A place for one file.
package struct UploadSlot: Sendable, Equatable {
  /// The URL to upload the file to, and the one for others to download it: both with https.
  package let put: String
  package let get: String
  /// The headers of the request that puts it there.
  package let headers: [Header]

  package struct Header: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  /// Reads the answer to a request; nil if it holds no place, or one that is not safe (section 4).
  package init?(_ iq: Element) {
    guard let slot = iq.child("slot", UploadService.namespace), let put = slot.child("put", UploadService.namespace),
      let putURL = Self.secure(put), let getURL = slot.child("get", UploadService.namespace).flatMap(Self.secure)
    else { return nil }
    (self.put, get) = (putURL, getURL)
    headers = put.children("header", UploadService.namespace).prefix(Self.mostHeaders).compactMap(Self.header)
  }

  private static let mostHeaders = 16
  private static let longestHeader = 8_192
  private static let headerNames = ["authorization", "cookie", "expires"]

  private static func secure(_ element: Element) -> String? {
    guard let url = FileURL.read(element.attribute("url") ?? ""), url.prefix(8).lowercased() == "https://",
      url.utf8.count > 8
    else { return nil }
    return url
  }

  /// A header that the extension allows, without line ends.
  private static func header(_ element: Element) -> Header? {
    let name = withoutLineEnds(element.attribute("name") ?? "").lowercased()
    var value = withoutLineEnds(element.text)
    while value.hasPrefix(" ") { value.removeFirst() }
    while value.hasSuffix(" ") { value.removeLast() }
    guard headerNames.contains(name), value.utf8.count <= longestHeader else { return nil }
    return Header(name: name.prefix(1).uppercased() + name.dropFirst(), value: value)
  }

  /// Without any control character: none may stand in a header (RFC 9110, section 5.5).
  private static func withoutLineEnds(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }
}

/// Why a service gives no place.
package enum UploadRefusal: Sendable, Equatable {
  /// The file is too large; the most bytes, if the service says it.
  case tooLarge(limit: UInt64?)
  /// Not now; maybe from this time on.
  case wait(until: Timestamp?)
  case other(StanzaError)

  /// Reads an error that answers a request (section 6).
  package init(_ iq: Element) {
    let error = iq.child("error", Namespace.client)
    if let tooLarge = error?.child("file-too-large", UploadService.namespace) {
      let limit = tooLarge.child("max-file-size", UploadService.namespace)?.text
      self = .tooLarge(limit: limit.flatMap { UInt64($0) })
    } else if error?.attribute("type") == "wait" {
      let stamp = error?.child("retry", UploadService.namespace)?.attribute("stamp")
      self = .wait(until: stamp.flatMap { Timestamp(rfc3339: $0) })
    } else {
      self = .other(StanzaError(parsing: iq))
    }
  }
}
