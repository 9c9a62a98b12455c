import Bytes
import Reactor
import Syscalls
import TLS

/// The bytes of an open link, on their way out.
extension Link {
  func scheduleFlush() {
    guard !isFlushScheduled, !isBlocked else { return }
    isFlushScheduled = true
    loop.deferWork { [weak self] in
      self?.isFlushScheduled = false
      self?.flush()
    }
  }

  /// Moves plaintext into the output, encrypted if there is a session.
  func encrypt() {
    guard let session else {
      output.append(unencrypted)
      unencrypted = []
      return
    }
    guard session.isOpen, !unencrypted.isEmpty else { return }
    let plaintext = unencrypted
    unencrypted = []
    do throws(TLSFailure) {
      try session.send(plaintext)
      output.append(session.takeOutput())
    } catch {
      let failure = LinkFailure.tls(error)
      later { $0.finish(failure) }
    }
  }

  func takeCiphertext() {
    guard let session else { return }
    output.append(session.takeOutput())
    // A peer can make TLS answer without end.
    checkBacklog()
    scheduleFlush()
  }

  /// Ends a link whose peer takes nothing.
  func checkBacklog() {
    guard pendingBytes > outputLimit else { return }
    let failure = LinkFailure.backlog(bytes: pendingBytes)
    later { $0.finish(failure) }
  }

  private func flush() {
    guard let raw = fd?.raw else { return }
    if case .open = state { encrypt() }
    guard !output.isEmpty || hasNothingToFlushButItsEnd else { return }
    do throws(Errno) {
      isBlocked = try !output.flush(to: raw)
    } catch {
      return finish(error.isDisconnected ? .cut : .broken(error))
    }
    updateInterest()
    if !isBlocked { flushed(raw) }
  }

  private var hasNothingToFlushButItsEnd: Bool {
    if case .closing = state { return !hasShutDown }
    return false
  }

  private func flushed(_ raw: CInt) {
    guard case .closing = state else {
      // The bytes of a handshake do not count as the owner's.
      if session?.isOpen != false { handler(.drained) }
      return
    }
    guard !hasShutDown else { return }
    hasShutDown = true
    if (try? Sockets.shutdownWriting(raw)) == nil { finish(nil) }
  }

  func updateInterest() {
    guard let watch else { return }
    var interest: Epoll.Readiness = []
    if !isReadingPaused { interest.insert(.read) }
    if isBlocked { interest.insert(.write) }
    do throws(Errno) {
      try loop.setInterest(watch, interest)
    } catch {
      let failure = LinkFailure.broken(error)
      later { $0.finish(failure) }
    }
  }
}

/// The bytes of an open link, on their way in.
extension Link {
  func ready(_ readiness: Epoll.Readiness) {
    let current = generation
    if readiness.contains(.write) || isBlocked && !readiness.isDisjoint(with: .hangUp) { flush() }
    guard generation == current else { return }
    if !isReadingPaused, !readiness.isDisjoint(with: [.read, .hangUp]) { read() }
  }

  private enum Input {
    case nothing
    case end
    case plaintext([UInt8])
    case events([TLSSession.Event])
  }

  private func read() {
    guard let raw = fd?.raw else { return }
    let input: Input
    do throws(Errno) {
      input = try unsafe loop.withReadBuffer { (buffer) throws(Errno) in
        guard let count = try unsafe Descriptors.read(raw, into: buffer) else { return .nothing }
        if count == 0 { return .end }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if let session { return unsafe .events(session.receive(bytes)) }
        return unsafe .plaintext(Array(bytes))
      }
    } catch {
      return finish(error.isDisconnected ? .cut : .broken(error))
    }
    handle(input)
  }

  private func handle(_ input: Input) {
    if case .closing = state {
      if case .end = input { finish(nil) }
      return
    }
    switch input {
    case .nothing: break
    case .plaintext(let bytes): handler(.received(bytes))
    case .events(let events): handle(events)
    case .end:
      finish(session?.endOfInput().map { _ in .cut })
    }
  }

  private func handle(_ events: [TLSSession.Event]) {
    takeCiphertext()
    let current = generation
    for event in events {
      guard generation == current, case .open = state else { return }
      switch event {
      case .secured(let facts):
        stopTimer()
        handler(.secured(facts))
      case .received(let bytes): handler(.received(bytes))
      case .closed: beginClosing()
      case .failed(let failure): finish(failure == .cut ? .cut : .tls(failure))
      }
    }
  }
}
