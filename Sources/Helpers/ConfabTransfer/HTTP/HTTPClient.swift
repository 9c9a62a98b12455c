import CCurl
import Syscalls

/// HTTP/1.1 and 2, by libcurl: one exchange at a time, each on a connection that its caller made. libcurl looks no name up,
/// connects to nothing, follows nothing, and knows no cookies, credentials, files or proxies.
@safe package final class HTTPClient {
  private let multi: UnsafeMutableRawPointer
  /// Readable once nobody waits for the result any more; -1: none.
  private let owner: CInt

  /// Once a process.
  ///
  /// - Parameter owner: a socket; its end stops an exchange.
  init?(owner: CInt = -1) {
    guard curl_global_init(confab_curl_ssl) == CURLE_OK, let multi = unsafe curl_multi_init() else { return nil }
    unsafe self.multi = multi
    self.owner = owner
  }

  deinit { unsafe curl_multi_cleanup(multi) }

  /// Makes the request and waits for the end.
  func run(_ request: HTTPRequest, on socket: consuming OwnedFD, _ handler: any HTTPHandler) -> HTTPEnd {
    guard let exchange = HTTPExchange(request, socket: socket, handler) else { return .broken("libcurl has no memory") }
    unsafe curl_multi_add_handle(multi, exchange.easy)
    defer { unsafe curl_multi_remove_handle(multi, exchange.easy) }
    var running: CInt = 1
    while true {
      guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { return .broken("libcurl gave up") }
      if running == 0 { return exchange.end(result()) }
      guard exchange.tick(), wait() else { return .stopped }
    }
  }

  /// Waits for the network, no longer than until the next tick; false once the owner is gone.
  private func wait() -> Bool {
    var watched = curl_waitfd(fd: owner, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    let count: UInt32 = owner < 0 ? 0 : 1
    return unsafe curl_multi_poll(multi, &watched, count, Self.tick, nil) == CURLM_OK && watched.revents == 0
  }

  /// Milliseconds.
  private static let tick: CInt = 250

  private func result() -> CURLcode {
    var count: CInt = 0
    guard let message = unsafe curl_multi_info_read(multi, &count) else { return CURLE_OK }
    return unsafe confab_curl_result(message)
  }
}
