package import Clocks
package import Reactor
package import Syscalls

/// One front end on the Unix socket: bytes in, bytes out.
///
/// Owned by who handles its events. Everything happens on the loop's thread, and `onEvent` is called from the loop
/// itself, never from inside a method here. `closed` is the last event; it comes once, and not after `close()`.
package final class UnixConnection {
  package enum Event {
    /// Bytes of the peer, 1 byte to 16 KiB, cut anywhere, and the descriptors that came with the last of them.
    case received([UInt8], [PassedDescriptor])
    /// The peer closed its writing side; writing to it goes on.
    case endOfInput
    /// All output has gone to the kernel, or the peer is gone.
    case drained
    /// The peer has taken so many descriptors that were written to it.
    case descriptorsTaken(Int)
    /// The peer takes no more output; input that it sent before is still to come. Comes once.
    case writeFailed
    /// It is over: the peer closed altogether or broke, or `closeAfterFlush` is done. Input was delivered before.
    case closed
  }

  /// The peer that connected.
  package let peer: PeerCredentials
  /// Set it before the loop turns again.
  package var onEvent: (Event) -> Void = { _ in }

  private let loop: EventLoop
  private var fd: OwnedFD?
  private var watch: Watch?
  private var output = OutputBuffer()
  /// Descriptors that were written and that the peer may not have taken: they are open until it has.
  package private(set) var untakenDescriptors = 0
  /// Reports that the peer has read, while it may not have taken all descriptors.
  private var peerReading: PeerReadingWatch?
  private var isReadingPaused = false
  private var hasInputEnded = false
  /// The peer takes nothing any more: what is written is dropped.
  private var isOutputBroken = false
  /// The socket's buffer is full: wait until it is writable.
  private var isBlocked = false
  private var isFlushScheduled = false
  private var isClosing = false
  /// True if the peer's input is read and dropped.
  private var lingers = false
  private var closingTimer: TimerID?

  /// Takes a connected socket over; fails if the kernel has no memory to watch it.
  package init(taking fd: consuming OwnedFD, loop: EventLoop) throws(Errno) {
    self.loop = loop
    let raw = fd.raw
    peer = try Sockets.peerCredentials(raw)
    self.fd = consume fd
    watch = try loop.watch(raw, for: .read) { [unowned self] in handle($0) }
  }

  deinit { close() }

  /// The groups of who connected: its own and the supplementary ones.
  package var peerGroups: [UInt32] {
    guard let raw = fd?.raw, let supplementary = try? Sockets.peerGroups(raw) else { return [peer.gid] }
    return [peer.gid] + supplementary
  }

  /// Lets the kernel keep 32 KiB, and one piece more, of what the peer does not read; by default it is 208 KiB.
  package func limitSendBuffer() {
    if let raw = fd?.raw { try? Sockets.limitSendBuffer(raw, bytes: 16 << 10) }
  }

  /// Bytes written that the kernel has not taken.
  package var pendingBytes: Int { output.count }

  /// True if the connection is still open.
  package var isOpen: Bool { watch != nil }

  /// Sends bytes; those of one turn of the loop leave together at its end. If the peer takes no more output, they are
  /// dropped, and `drained` follows all the same: the peer's input is to be read to its end.
  package func write(_ bytes: [UInt8]) {
    guard isOpen, !isClosing, !bytes.isEmpty else { return }
    if !isOutputBroken { output.append(bytes) }
    scheduleFlush()
  }

  /// Writes bytes that carry a descriptor.
  package func write(_ bytes: [UInt8], passing descriptor: PassedDescriptor) {
    guard isOpen, !isClosing, !bytes.isEmpty else { return }
    if !isOutputBroken {
      output.append(bytes, passing: descriptor)
      untakenDescriptors += 1
    }
    scheduleFlush()
  }

  /// Sends bytes now; true where all of them have gone, or nobody is there to take them: no `drained` follows then.
  package func writeAtOnce(_ bytes: [UInt8]) -> Bool {
    guard isOpen, !isOutputBroken, !isClosing else { return true }
    let took = isFlushScheduled || isBlocked ? nil : send(bytes)
    guard took != bytes.count else { return true }
    output.append(bytes, sent: took ?? 0)
    // The rest goes, and what is wrong is found, from the loop.
    scheduleFlush()
    return false
  }

  private func send(_ bytes: [UInt8]) -> Int? {
    guard let raw = fd?.raw else { return nil }
    return try? Sockets.send(raw, bytes)
  }

  /// Reads nothing until `resumeReading`; the peer is held up by its full socket. Bytes already sent are kept.
  package func pauseReading() {
    isReadingPaused = true
    updateInterest()
  }

  package func resumeReading() {
    isReadingPaused = false
    updateInterest()
  }

  /// Reads no more, sends what is written, then closes; `closed` tells when. A peer that does not take it within
  /// `limit` loses it.
  ///
  /// - Parameter lingering: what the peer writes before it has read that is taken and dropped until it closes or the
  ///   time is up. Without, its writing fails, and a peer that gives up then does not see its answers.
  package func closeAfterFlush(within limit: Interval = .seconds(30), lingering: Bool = false) {
    guard isOpen, !isClosing else { return }
    isClosing = true
    lingers = lingering
    closingTimer = loop.startTimer(after: limit) { [weak self] in self?.finish() }
    scheduleFlush()
    updateInterest()
  }

  /// Closes at once and drops what was not sent; no event follows.
  package func close() {
    if let watch = watch.take() { loop.unwatch(watch) }
    if let timer = closingTimer.take() { loop.cancelTimer(timer) }
    peerReading = nil
    fd = nil
    output.removeAll()
  }
}

extension UnixConnection: TurnEndHandler {
  /// Sends what was written in this turn.
  package func endTurn() {
    isFlushScheduled = false
    flush()
  }
}

extension UnixConnection {
  /// Closes and tells; the end of every path but `close()`.
  private func finish() {
    guard isOpen else { return }
    close()
    onEvent(.closed)
  }

  private func handle(_ readiness: Epoll.Readiness) {
    if readiness.contains(.write) || isBlocked && !readiness.isDisjoint(with: .hangUp) { flush() }
    let hasHungUp = !readiness.isDisjoint(with: .hangUp)
    // Told before the last input is read, so that nothing is made of it that nobody reads.
    if hasHungUp, !isClosing, !hasInputEnded { breakOutput() }
    guard isOpen else { return }
    if isClosing, lingers, readiness.isWorthReading {
      dropInput()
    } else if hasInputEnded || isClosing {
      if hasHungUp { finish() }
    } else if !isReadingPaused, readiness.isWorthReading {
      read()
    } else if isReadingPaused, hasHungUp {
      // Its last input is read once reading goes on.
      updateInterest()
    }
  }

  /// The most bytes of one read: so much of each connection may wait to be taken up.
  private static let mostRead = 16 << 10

  /// One read for each wake-up, so that a peer that writes without end leaves the others their turn.
  private func read() {
    guard let raw = fd?.raw else { return }
    var bytes: [UInt8]?
    var descriptors: [PassedDescriptor] = []
    do throws(Errno) {
      bytes = try unsafe loop.withReadBuffer { (buffer) throws(Errno) in
        let buffer = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<Self.mostRead])
        return try unsafe Sockets.receive(raw, into: buffer, &descriptors).map { unsafe Array(buffer[..<$0]) }
      }
    } catch {
      // The peer closed with our bytes unread: everything that it sent was read before this.
      isOutputBroken = true
      bytes = []
    }
    guard let bytes else { return }
    bytes.isEmpty ? endInput() : onEvent(.received(bytes, descriptors))
  }

  /// Takes what came and forgets it; the end of it is the end.
  private func dropInput() {
    guard let raw = fd?.raw else { return }
    do throws(Errno) {
      let count = try unsafe loop.withReadBuffer { (buffer) throws(Errno) in
        try unsafe Descriptors.read(raw, into: buffer)
      }
      if count == 0 { finish() }
    } catch {
      finish()
    }
  }

  private func endInput() {
    hasInputEnded = true
    updateInterest()
    onEvent(.endOfInput)
    if isOutputBroken { finish() }
  }

  private func scheduleFlush() {
    guard !isFlushScheduled, !isBlocked else { return }
    isFlushScheduled = true
    loop.deferWork(self)
  }

  private func flush() {
    guard let raw = fd?.raw else { return }
    let wasBlocked = isBlocked
    do throws(Errno) {
      isBlocked = try !output.flush(to: raw)
    } catch {
      breakOutput()
    }
    if isBlocked != wasBlocked { updateInterest() }
    if !isBlocked { outputTaken() }
  }

  private func breakOutput() {
    isBlocked = false
    output.removeAll()
    guard !isOutputBroken else { return }
    isOutputBroken = true
    onEvent(.writeFailed)
  }

  private func outputTaken() {
    if isClosing && lingers && !isOutputBroken && !hasInputEnded { return stopWriting() }
    if isClosing || isOutputBroken && hasInputEnded { return finish() }
    watchTaking()
    onEvent(.drained)
  }

  /// Waits until the peer has taken the descriptors that the kernel holds for it.
  private func watchTaking() {
    guard untakenDescriptors > 0, peerReading == nil, !isOutputBroken, let raw = fd?.raw else { return }
    do throws(Errno) {
      peerReading = try PeerReadingWatch(of: raw, loop) { [unowned self] in
        if output.isEmpty, Sockets.isAllRead(raw) { reportTaken() }
      }
    } catch {
      // No descriptor is left to wait with, so the kernel's own bound has to do.
      reportTaken()
    }
  }

  private func reportTaken() {
    let count = untakenDescriptors
    untakenDescriptors = 0
    peerReading = nil
    onEvent(.descriptorsTaken(count))
  }

  private func stopWriting() {
    guard let raw = fd?.raw, (try? Sockets.shutdownWriting(raw)) != nil else { return finish() }
  }

  private func updateInterest() {
    guard let watch else { return }
    var interest: Epoll.Readiness = []
    if isClosing ? lingers : !isReadingPaused && !hasInputEnded { interest.insert(.read) }
    if isBlocked { interest.insert(.write) }
    // While reading is paused, too: a peer that is gone is told of once.
    if interest.isEmpty, hasInputEnded || isReadingPaused && !isOutputBroken { interest = .hangUp }
    do throws(Errno) {
      try loop.setInterest(watch, interest)
    } catch {
      loop.deferWork { [weak self] in self?.finish() }
    }
  }
}
