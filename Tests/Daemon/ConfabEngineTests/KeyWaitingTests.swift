import Clocks
import JSON
import Ratchet
import TestSupport
import Testing
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabEngine

@Suite("Messages that wait for keys")
struct KeyWaitingTests {
  @Test("A list that nobody answers keeps a first message for 10 seconds, and one to a known device until it fails")
  func silence() throws {
    let world = try EncryptedWorld([])
    world.silentNodes = { $0.contains("devicelist") || $0.contains(":devices") }
    _ = world.ask("send bob@example.org hello")
    world.harness.pass(.seconds(9))
    #expect(world.messages.isEmpty)
    world.harness.pass(.seconds(2))
    #expect(world.messages.count == 1)

    let carol = try EncryptedPeer("carol@example.org", 1)
    let other = try EncryptedWorld([carol])
    _ = other.ask("send carol@example.org one")
    other.harness.pass(.minutes(6))
    other.silentNodes = { $0.contains("devicelist") || $0.contains(":devices") }
    _ = other.ask("send carol@example.org two")
    other.harness.pass(.seconds(50))
    #expect(other.messages.count == 1)
    other.harness.pass(.seconds(60))
    #expect(other.objects("carol@example.org").last?["failure"]?["condition"]?.string == "keys-unavailable")
  }

  @Test("Many messages to a contact whose keys are just coming leave once each, in their order")
  func manyAtOnce() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    world.harness.syncsAtOnce = false
    for number in 1...5 {
      _ = world.ask("send bob@example.org \(number)")
      world.harness.sync()
    }
    for _ in 0..<20 {
      world.harness.sync()
      world.serve()
    }
    world.harness.syncsAtOnce = true
    world.harness.sync()
    world.serve()
    #expect(try world.messages.map { try bob.read($0) } == ["1", "2", "3", "4", "5"])
    #expect(world.harness.engine.storage.queue.last < 200)
  }

  @Test("What was written offline leaves before what is written while its keys are asked for")
  func writtenOffline() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("disconnect")
    for number in 1...5 { _ = world.ask("send bob@example.org \(number)") }
    world.silentNodes = { $0.contains("devicelist") || $0.contains(":devices") }
    _ = world.ask("connect")
    for number in 6...10 { _ = world.ask("send bob@example.org \(number)") }
    #expect(world.messages.isEmpty)
    world.silentNodes = { _ in false }
    world.serve()
    #expect(try world.messages.map { try bob.read($0) } == (1...10).map(String.init))
  }

  @Test("A message is kept for a contact who has never been asked about, and others do not wait for it")
  func othersGo() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    world.silentNodes = { $0.contains("bundles") }
    _ = world.ask("send bob@example.org one")
    _ = world.ask("send bob@example.org two")
    _ = world.ask("send carol@example.org three")
    #expect(world.messages.count == 1)
    #expect(world.messages.first?.contains("three") == true)
    world.silentNodes = { _ in false }
    world.serve()
    #expect(try world.messages.dropFirst().map { try bob.read($0) } == ["one", "two"])
  }

  @Test("A message whose recipient's lists come before it is durable leaves as soon as it is")
  func slowDisk() throws {
    let world = try EncryptedWorld([])
    world.harness.syncsAtOnce = false
    _ = world.ask("send bob@example.org hello")
    #expect(world.messages.isEmpty)
    world.harness.syncsAtOnce = true
    for _ in 0..<4 {
      world.harness.sync()
      world.harness.pass(.milliseconds(50))
    }
    #expect(world.messages.last?.contains("hello") == true)
  }

  @Test("A message that waited for keys before a kill leaves once the archive is read, however late that is")
  func waitedBeforeKill() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob], archive: ArchiveTests.archive(2))
    world.harness.servers[5223]?.acknowledges = false
    _ = world.ask("send encrypt=no carol@example.org in doubt")
    world.silentNodes = { $0.contains("devicelist") || $0.contains(":devices") }
    _ = world.ask("send bob@example.org hello")
    #expect(world.messages.count == 1)

    var archive = ArchiveTests.archive(2)
    archive.patience = 0
    let (now, storage) = (world.harness.now, world.harness.storage)
    let next = try EncryptedWorld([bob], on: storage, now: now, seed: 2, archive: archive)
    #expect(next.messages.isEmpty)
    next.harness.servers[5223]?.archive?.patience = .max
    for _ in 0..<60 {
      next.harness.pass(.seconds(2))
      next.serve()
    }
    #expect(next.messages.count == 2)
    #expect(try bob.read(#require(next.messages.last)) == "hello")
  }
}
