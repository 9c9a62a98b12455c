import ConfabTransfer
import HelperProtocol

/// The socket between the daemon and `confab-transfer`: what is read is written so that it reads the same, and its words
/// are bounded.
@Sendable func fuzzTransfers(_ bytes: [UInt8]) {
  var reader = FrameReader()
  for start in stride(from: 0, to: bytes.count, by: 7) {
    reader.receive(Array(bytes[start..<min(start + 7, bytes.count)]))
  }
  while let message = try? reader.next() { checkMessage(message) }
  checkMessage(bytes)
}

private func checkMessage(_ message: [UInt8]) {
  if let event = try? TransferEvent(decoding: message) {
    hold((try? TransferEvent(decoding: event.encoded)) == event, "\(event) reads as it was written")
    guard case .failed(let failure) = event else { return }
    hold(failure.reason.unicodeScalars.count <= 500 && !failure.reason.contains("\n"), "a reason is one short line")
  }
  if let request = try? TransferRequest(decoding: message) {
    hold((try? TransferRequest(decoding: request.encoded)) == request, "a request reads as it was written")
  }
}

/// The web: a line each of a response's head, and the last one as a URL, from which what it redirects to is resolved.
@Sendable func fuzzWeb(_ bytes: [UInt8]) {
  var head = ResponseHead()
  for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) { _ = head.take(line) }
  for text in [head.location, String(decoding: bytes, as: UTF8.self)].compactMap(\.self) {
    if let base = WebAddress("https://example.org/a/b?c"), let address = base.resolving(text) { check(address) }
    if let address = WebAddress(text) { check(address) }
  }
}

private func check(_ address: WebAddress) {
  hold(!address.host.isEmpty && !address.scheme.isEmpty, "a URL has a scheme and a host")
}
