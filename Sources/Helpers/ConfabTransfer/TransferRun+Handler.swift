import HelperProtocol

extension TransferRun: HTTPHandler {
  func begin(_ head: ResponseHead) -> Bool {
    self.head = head
    guard isSuccess(head.status) else { return false }
    switch request.direction {
    // An answer to an upload is of no use, unless it wants the rest first.
    case .put(let size): return received < size + request.overhead
    case .get(let limit):
      total = head.contentLength
      if let total, total > limit + request.overhead {
        failure = TransferFailure(.tooLarge, "the file has \(total) bytes; \(limit) is the limit")
      }
      return failure == nil
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // An answer to an upload is not for the file.
    guard case .get(let limit) = request.direction else { return true }
    guard UInt64(bytes.count) <= limit + request.overhead - received else {
      failure = TransferFailure(.tooLarge, "the file has more than \(limit) bytes, the limit")
      return false
    }
    return attempt { () throws(TransferFailure) in
      try unsafe body.write(bytes, at: received)
      received += UInt64(bytes.count)
    }
  }

  func send(into buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) -> Int? {
    guard case .put(let size) = request.direction else { return nil }
    var count = 0
    let room = unsafe UnsafeMutableRawBufferPointer(
      rebasing: buffer.prefix(Int(clamping: size + request.overhead - min(offset, size + request.overhead))))
    let isRead = attempt { () throws(TransferFailure) in
      count = try unsafe body.read(into: room, at: offset, ofFile: size)
      if count < room.count { throw TransferFailure(.file, "the file became shorter than \(size) bytes") }
    }
    received = offset + UInt64(count)
    return isRead ? count : nil
  }

  func tick(moved: UInt64) -> Bool {
    if case .put(let size) = request.direction { total = size + request.overhead }
    movedNow = moved
    socket.report(done: received, total: total, now: now)
    if clock.isOver(moved: self.moved, now: now) { failure = clock.failure }
    return failure == nil
  }

  private func attempt(_ body: () throws(TransferFailure) -> Void) -> Bool {
    do throws(TransferFailure) {
      try body()
    } catch {
      failure = error
    }
    return failure == nil
  }
}
