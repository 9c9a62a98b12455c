import Bytes
import CCares

/// One c-ares channel: its servers, sockets and running queries. The only place that touches c-ares' memory.
@safe final class AresChannel {
  /// Called with a socket and what it waits for; neither means that it is about to be closed.
  typealias SocketHandler = (_ fd: CInt, _ waitsForInput: Bool, _ waitsForRoom: Bool) -> Void

  private let handle: ares_channel
  private let sockets: SocketSink

  /// The first try's time in milliseconds; three tries end after 2 + 4 + 8 seconds.
  private static let firstTry: CInt = 2000
  private static let tries: CInt = 3

  /// - Parameter servers: `address:port`, separated by commas; empty for those of the system.
  /// - Throws: what went wrong, in words.
  init(servers: String, _ handler: @escaping SocketHandler) throws(ResolverError) {
    sockets = SocketSink(handler)
    var handle: ares_channel?
    let status = unsafe confab_ares_init(
      &handle, AresChannel.firstTry, AresChannel.tries, SocketSink.callback,
      Unmanaged.passUnretained(sockets).toOpaque())
    guard status == ARES_SUCCESS, let handle = unsafe handle else {
      throw ResolverError(reason: AresChannel.words(status))
    }
    unsafe self.handle = handle
    if !servers.isEmpty {
      let status = unsafe ares_set_servers_ports_csv(handle, servers)
      guard status == ARES_SUCCESS else { throw ResolverError(reason: AresChannel.words(status)) }
    }
  }

  /// Ends the running queries, each with an answer, and closes the sockets.
  deinit { unsafe ares_destroy(handle) }

  /// Milliseconds until `process` is to be called though no socket is ready; nil if nothing runs.
  var timeout: Int64? {
    let milliseconds = unsafe confab_ares_timeout(handle)
    return milliseconds < 0 ? nil : milliseconds
  }

  /// Handles a ready socket, or with neither the queries whose time is up.
  func process(readable: CInt?, writable: CInt?) {
    unsafe confab_ares_process(handle, readable ?? -1, writable ?? -1)
  }

  /// Asks for the SRV records of a full name; `answer` is called once, perhaps before this returns.
  func services(_ name: String, _ answer: @escaping (ServiceAnswer) -> Void) {
    let box = unsafe Unmanaged.passRetained(Box(answer)).toOpaque()
    unsafe ares_query(
      handle, name, confab_ares_internet, confab_ares_srv,
      { argument, status, _, bytes, count in
        guard let argument = unsafe argument else { return }
        let box = unsafe Unmanaged<Box<ServiceAnswer>>.fromOpaque(argument).takeRetainedValue()
        box.answer(unsafe AresChannel.services(status, bytes, count))
      }, box)
  }

  /// Asks for the addresses of one family; `answer` is called once, perhaps before this returns.
  func addresses(_ name: String, _ family: AddressFamily, _ answer: @escaping (AddressAnswer) -> Void) {
    let box = unsafe Unmanaged.passRetained(Box(answer)).toOpaque()
    unsafe confab_ares_addresses(
      handle, name, family == .v6 ? 1 : 0,
      { argument, status, _, list in
        defer { unsafe ares_freeaddrinfo(list) }
        guard let argument = unsafe argument else { return }
        let box = unsafe Unmanaged<Box<AddressAnswer>>.fromOpaque(argument).takeRetainedValue()
        box.answer(unsafe AresChannel.addresses(status, list))
      }, box)
  }

  static func words(_ status: CInt) -> String { unsafe String(cString: ares_strerror(status)) }
}

extension AresChannel {
  /// More records or addresses than this are not looked at.
  private static let most = 64

  private static func services(_ status: CInt, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> ServiceAnswer {
    guard status == ARES_SUCCESS else { return isNothing(status) ? .none : .failed(words(status)) }
    var list: UnsafeMutablePointer<ares_srv_reply>?
    let status = unsafe ares_parse_srv_reply(bytes, count, &list)
    defer { unsafe ares_free_data(list) }
    guard status == ARES_SUCCESS else { return isNothing(status) ? .none : .failed(words(status)) }
    var records: [ServiceRecord] = []
    var refusals = 0
    var next = unsafe list
    while let reply = unsafe next?.pointee, records.count < most {
      unsafe next = reply.next
      let target = unsafe String(cString: reply.host)
      if target.isEmpty || target == "." {
        refusals += 1
      } else if let target = HostName.checked(target), unsafe reply.port != 0 {
        records.append(
          unsafe ServiceRecord(priority: reply.priority, weight: reply.weight, host: target, port: reply.port))
      }
    }
    guard records.isEmpty else { return .records(byPriority(records)) }
    return refusals == 1 ? .refused : .none
  }

  private static func byPriority(_ records: [ServiceRecord]) -> [ServiceRecord] {
    records.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }.map(\.element)
  }

  private static func addresses(_ status: CInt, _ list: UnsafeMutablePointer<ares_addrinfo>?) -> AddressAnswer {
    guard status == ARES_SUCCESS else { return isNothing(status) ? .none : .failed(words(status)) }
    var found: [HostAddress] = []
    var next = unsafe list?.pointee.nodes
    while let node = unsafe next, found.count < most {
      unsafe next = node.pointee.ai_next
      var bytes = [UInt8](repeating: 0, count: 16)
      var scope: UInt32 = 0
      let count = unsafe confab_ares_address(node, &bytes, &scope)
      if count > 0 { found.append(HostAddress(bytes: Array(bytes.prefix(count)), scope: scope)) }
    }
    return found.isEmpty ? .none : .addresses(found)
  }

  /// The name, or records of this type, do not exist: an answer and no failure.
  private static func isNothing(_ status: CInt) -> Bool {
    status == ARES_ENOTFOUND || status == ARES_ENODATA
  }
}

/// The context of a query in c-ares.
private final class Box<Answer> {
  let answer: (Answer) -> Void
  init(_ answer: @escaping (Answer) -> Void) { self.answer = answer }
}

/// The receiver of c-ares' socket changes; it outlives the channel that it belongs to.
private final class SocketSink {
  private let handler: AresChannel.SocketHandler

  init(_ handler: @escaping AresChannel.SocketHandler) { self.handler = handler }

  static let callback: ares_sock_state_cb = { data, fd, readable, writable in
    guard let data = unsafe data else { return }
    let sink = unsafe Unmanaged<SocketSink>.fromOpaque(data).takeUnretainedValue()
    sink.handler(fd, readable != 0, writable != 0)
  }
}
