package import Bytes
package import Clocks
package import Reactor
package import Syscalls
package import TLS

/// One connection to a server: found, connected, secured, and then bytes both ways.
///
/// Owned by who handles its events; everything is on the loop's thread. Events come from the loop itself, never from
/// inside a method here. After `closed` the link is as new and may connect again; after `abort` no event comes until
/// it is used again. Its owner may drop it inside an event.
package final class Link {
  enum State {
    case idle
    case connecting
    case open
    /// `close` was called or the peer said goodbye: the rest is on its way out, and input is not looked at.
    case closing
  }

  let loop: EventLoop
  private let resolver: LoopResolver
  private let contexts: TLSContexts
  private let keepAlive: Sockets.KeepAlive
  let outputLimit: Int
  let handler: (LinkEvent) -> Void

  var state = State.idle
  /// Grows with every use, so that what was begun for an earlier one is told apart.
  var generation = 0
  /// The running connection attempt.
  private var connector: AnyObject?
  var fd: OwnedFD?
  var watch: Watch?
  var session: TLSSession?
  var timer: TimerID?
  /// Plaintext of this turn, encrypted in one go at its end.
  var unencrypted: [UInt8] = []
  var output = OutputBuffer()
  var isBlocked = false
  var isFlushScheduled = false
  var isReadingPaused = false
  var hasShutDown = false

  /// How long an orderly end may take.
  private static let linger = Interval.seconds(2)

  /// - Parameters:
  ///   - outputLimit: more bytes than this that wait to be sent end the link; its owner looks at `pendingBytes` and
  ///     waits for `drained` long before.
  ///   - handler: gets every event.
  package init(
    loop: EventLoop, resolver: LoopResolver, contexts: TLSContexts, keepAlive: Sockets.KeepAlive = .init(),
    outputLimit: Int = 8 << 20, handler: @escaping (LinkEvent) -> Void
  ) {
    self.loop = loop
    self.resolver = resolver
    self.contexts = contexts
    self.keepAlive = keepAlive
    self.outputLimit = outputLimit
    self.handler = handler
  }

  deinit { abort() }

  /// Bytes written that the kernel has not taken.
  package var pendingBytes: Int { unencrypted.count + output.count }

  /// Asks DNS for both kinds of service of a domain: `resolved`.
  package func resolve(domain: String) {
    let asked = generation
    resolver.services(of: domain) { [weak self] found in
      guard let self, generation == asked else { return }
      handler(.resolved(found))
    }
  }

  /// Connects to a name or an address: `opened`, or `closed` with the most telling failure of all its addresses.
  ///
  /// - Parameters:
  ///   - proxy: connects instead of us and resolves the name.
  ///   - timeout: for each address.
  package func connect(
    host: String, port: UInt16, through proxy: SOCKSProxy? = nil, timeout: Interval = .seconds(10)
  ) {
    guard case .idle = state else { return }
    state = .connecting
    guard let proxy else {
      connector = SocketConnector(
        loop: loop, resolver: resolver, host: host, port: port, timeout: timeout,
        onConnected: { [unowned self] in connected($0, to: $1.description) },
        onFailed: { [unowned self] in finish($0) })
      return
    }
    connector = ProxyConnector(
      loop: loop, resolver: resolver, proxy: proxy, host: host, port: port, timeout: timeout,
      onConnected: { [unowned self] in connected($0, to: $1) }, onFailed: { [unowned self] in finish($0) })
    if connector == nil { later { $0.finish(.proxy("\(host) is not a name that a proxy can resolve")) } }
  }

  /// Secures the connection: `secured`, or `closed`. Bytes written before are sent before, in the clear.
  ///
  /// - Parameter timeout: for the handshake.
  package func startTLS(_ request: TLSRequest, timeout: Interval = .seconds(20)) {
    guard case .open = state, session == nil else { return }
    do throws(TLSFailure) {
      let context = try contexts.context(trusting: request.authorityFile.map { .file($0) } ?? .system)
      let now = loop.now().wall.milliseconds / 1000
      session = try TLSSession(
        context: context, serverName: request.domain, offersXMPP: request.alpn,
        resumption: request.account.map { .init(owner: $0, isAllowed: request.resumes, now: now) })
    } catch {
      let failure = LinkFailure.tls(error)
      return later { $0.finish(failure) }
    }
    timer = loop.startTimer(after: timeout) { [unowned self] in
      finish(.timedOut(step: "the TLS handshake"))
    }
    output.append(unencrypted)
    unencrypted = []
    takeCiphertext()
  }

  /// Sends bytes; those of one turn of the loop leave together at its end. Nothing happens on a link that is not open.
  package func write(_ bytes: [UInt8]) {
    guard case .open = state, !bytes.isEmpty else { return }
    unencrypted += bytes
    checkBacklog()
    scheduleFlush()
  }

  /// Takes no more input until `resumeReading`, but for what was read already (64 KiB at most).
  package func pauseReading() {
    isReadingPaused = true
    updateInterest()
  }

  package func resumeReading() {
    isReadingPaused = false
    updateInterest()
  }

  /// Sends what is written, says goodbye, waits for the peer's end for two seconds at most: `closed(nil)`.
  package func close() {
    switch state {
    case .idle, .closing: return
    case .connecting: later { $0.finish(nil) }
    case .open: beginClosing()
    }
  }

  /// Drops everything at once.
  package func abort() {
    generation += 1
    state = .idle
    connector = nil
    if let watch = watch.take() { loop.unwatch(watch) }
    stopTimer()
    fd = nil
    session = nil
    unencrypted = []
    output.removeAll()
    (isBlocked, isReadingPaused, hasShutDown) = (false, false, false)
  }
}

// MARK: Beginning and end

extension Link {
  /// Runs `body` from the loop, unless the link has moved on.
  func later(_ body: @escaping (Link) -> Void) {
    let current = generation
    loop.deferWork { [weak self] in
      if let self, generation == current { body(self) }
    }
  }

  func finish(_ failure: LinkFailure?) {
    abort()
    handler(.closed(failure?.sentence))
  }

  func stopTimer() {
    if let timer = timer.take() { loop.cancelTimer(timer) }
  }

  private func connected(_ socket: consuming OwnedFD, to remote: String) {
    connector = nil
    let raw = socket.raw
    fd = consume socket
    do throws(Errno) {
      try Sockets.setTCPOptions(raw, keepAlive)
      watch = try loop.watch(raw, for: .read) { [unowned self] in ready($0) }
    } catch {
      return finish(.broken(error))
    }
    state = .open
    handler(.opened(remote: remote))
  }

  func beginClosing() {
    encrypt()
    session?.close()
    if let session { output.append(session.takeOutput()) }
    state = .closing
    stopTimer()
    timer = loop.startTimer(after: Link.linger) { [unowned self] in finish(nil) }
    isReadingPaused = false
    updateInterest()
    scheduleFlush()
  }
}
