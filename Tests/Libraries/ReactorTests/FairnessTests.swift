import Clocks
import Reactor
import Syscalls
import Testing

@Suite("The loop: nobody starves")
struct FairnessTests {
  @Test("a descriptor that always has more to read delays neither others nor timers by more than a turn")
  func endlessInput() throws {
    let loop = try EventLoop()
    let flood = try Sockets.pair()
    let quiet = try Sockets.pair()
    let chunk = [UInt8](repeating: 1, count: 4096)
    var (floods, answers, timers) = (0, 0, 0)
    _ = try loop.watch(flood.first.raw, for: .read) { _ in
      _ = try? Descriptors.read(flood.first.raw, atMost: 64)
      try? Descriptors.writeAll(flood.second.raw, [UInt8](repeating: 2, count: 64))
      floods += 1
    }
    _ = try loop.watch(quiet.first.raw, for: .read) { _ in
      _ = try? Descriptors.read(quiet.first.raw, atMost: 64)
      answers += 1
    }
    try Descriptors.writeAll(flood.second.raw, chunk)
    for turn in 1...100 {
      try Descriptors.writeAll(quiet.second.raw, [1])
      _ = loop.startTimer(after: .zero) { timers += 1 }
      try loop.turn()
      #expect(answers == turn && timers == turn)
    }
    #expect(floods == 100)
  }
}
