import CCurl
import Syscalls

/// One transfer of libcurl, with what it calls back.
@safe final class HTTPExchange {
  let easy: UnsafeMutableRawPointer
  private let request: HTTPRequest
  private let handler: any HTTPHandler
  private var socket: OwnedFD?
  private var head = ResponseHead()
  private var headerBytes: UInt64 = 0
  private var received: UInt64 = 0
  private var offset: UInt64 = 0
  /// Set where a callback ended the transfer.
  private var outcome: HTTPEnd?
  private let errorText: UnsafeMutablePointer<CChar>
  private var lists: [UnsafeMutablePointer<curl_slist>?] = unsafe []

  /// Headers of all responses of one exchange.
  private static let mostHeaderBytes: UInt64 = 64 << 10

  init?(_ request: HTTPRequest, socket: consuming OwnedFD, _ handler: any HTTPHandler) {
    guard let easy = unsafe curl_easy_init() else { return nil }
    unsafe self.easy = easy
    self.request = request
    self.handler = handler
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.socket = consume socket
    configure()
    setCallbacks()
  }

  deinit {
    unsafe curl_easy_cleanup(easy)
    unsafe lists.forEach { unsafe curl_slist_free_all($0) }
    unsafe errorText.deallocate()
  }

  /// Reports progress to the handler; false if the handler stops the transfer.
  func tick() -> Bool { handler.tick(moved: offset + received + headerBytes) }

  /// The end, of which libcurl says this.
  func end(_ code: CURLcode) -> HTTPEnd {
    if let outcome { return outcome }
    if code == CURLE_OK { return .finished }
    let words = unsafe String(cString: errorText)
    let text = words.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : words
    return switch code {
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2_STREAM: .cut(text)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
      .tls(text)
    default: .broken(text)
    }
  }
}

// MARK: Settings

extension HTTPExchange {
  private func configure() {
    set(CURLOPT_NOSIGNAL, 1)
    unsafe confab_curl_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    unsafe confab_curl_pointer(easy, CURLOPT_CURLU, UnsafeMutableRawPointer(request.address.handle))
    // The environment is not asked; the caller has connected, through a proxy or not.
    unsafe confab_curl_text(easy, CURLOPT_PROXY, "")
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_BUFFERSIZE, 64 << 10)
    set(CURLOPT_FORBID_REUSE, 1)
    set(CURLOPT_DNS_CACHE_TIMEOUT, -1)
    unsafe confab_curl_text(easy, CURLOPT_USERAGENT, "confab")
    unsafe confab_curl_text(easy, CURLOPT_ERRORBUFFER, UnsafePointer(errorText))
    setAuthorities()
    setHeaders()
    setMethod()
    resolve()
  }

  private func setAuthorities() {
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    unsafe confab_curl_text(easy, CURLOPT_CAINFO, nil)
    switch request.authorities {
    case .directory(let path): unsafe confab_curl_text(easy, CURLOPT_CAPATH, path)
    case .bytes(let bytes):
      unsafe confab_curl_text(easy, CURLOPT_CAPATH, nil)
      unsafe confab_curl_bytes(easy, CURLOPT_CAINFO_BLOB, bytes, bytes.count)
    }
  }

  private func setHeaders() {
    // Without an Expect header the body goes at once.
    setList(CURLOPT_HTTPHEADER, request.headers + ["Expect:"])
  }

  private func setMethod() {
    guard case .put(let size) = request.method else { return }
    set(CURLOPT_UPLOAD, 1)
    set(CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10)
    unsafe confab_curl_size(easy, CURLOPT_INFILESIZE_LARGE, Int64(clamping: size))
  }

  /// The name has an address that nothing is sent to, so that it is not looked up. An IPv6 address is not looked up, and
  /// this option cannot name one.
  private func resolve() {
    guard !request.address.host.contains(":") else { return }
    setList(CURLOPT_RESOLVE, ["\(request.address.host):\(request.address.port):192.0.2.1"])
  }

  private func set(_ option: CURLoption, _ value: Int) { unsafe confab_curl_number(easy, option, value) }

  private func setList(_ option: CURLoption, _ texts: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for text in texts { unsafe list = curl_slist_append(list, text) }
    unsafe confab_curl_list(easy, option, list)
    unsafe lists.append(list)
  }
}

// MARK: Callbacks

extension HTTPExchange {
  private func setCallbacks() {
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    for option in [
      CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_OPENSOCKETDATA,
    ] {
      unsafe confab_curl_pointer(easy, option, own)
    }
    unsafe confab_curl_on_bytes(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, own in
      unsafe HTTPExchange.of(own).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    unsafe confab_curl_on_bytes(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, own in
      unsafe HTTPExchange.of(own).takeLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    unsafe confab_curl_on_room(easy) { room, size, count, own in
      unsafe HTTPExchange.of(own).give(UnsafeMutableRawBufferPointer(start: room, count: size * count))
    }
    unsafe confab_curl_on_seek(easy) { own, offset, origin in
      unsafe HTTPExchange.of(own).seek(offset, origin)
    }
    unsafe confab_curl_on_open(easy) { own, _, _ in unsafe HTTPExchange.of(own).takeSocket() }
    unsafe confab_curl_on_opened(easy) { _, _, _ in confab_curl_already_connected }
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> HTTPExchange {
    // libcurl gives back what `setCallbacks` gave it.
    unsafe Unmanaged<HTTPExchange>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
  }

  /// The connection, once: there is no other.
  private func takeSocket() -> curl_socket_t { socket.take()?.release() ?? confab_curl_no_socket }

  private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
    headerBytes += UInt64(line.count)
    guard headerBytes <= Self.mostHeaderBytes else { return stop(.broken("the server sends headers without end")) }
    let isWhole = unsafe head.take(line)
    guard head.status != 101, !head.hasForeignCoding, !head.hasTwoLengths else {
      return stop(.broken("the server's headers are wrong"))
    }
    // Behind a body there may be more headers.
    guard isWhole, head.isFinal, received == 0, !handler.begin(head) else { return line.count }
    return stop(.finished)
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    received += UInt64(bytes.count)
    return unsafe handler.receive(bytes) ? bytes.count : stop(.stopped)
  }

  private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
    guard let count = unsafe handler.send(into: room, from: offset) else {
      outcome = .stopped
      return confab_curl_readfunc_abort
    }
    offset += UInt64(count)
    return count
  }

  private func seek(_ target: Int, _ origin: CInt) -> CInt {
    guard origin == 0, target >= 0 else { return CInt(CURL_SEEKFUNC_FAIL) }
    offset = UInt64(target)
    return CInt(CURL_SEEKFUNC_OK)
  }

  /// Ends the transfer from inside a callback of bytes.
  private func stop(_ end: HTTPEnd) -> Int {
    outcome = end
    return 0
  }
}
