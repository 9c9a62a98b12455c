import Clocks
import ConfabEngine
import HelperProtocol
import JSON
import ConfabConfiguration
import TestSupport
import Testing

/// Files that are not taken (XEP-0363).
@Suite("send-file refused")
struct FileRefusalTests {
  private let sending = FileSendingTests()

  @Test("On a full disk a file is refused, and nothing is stored")
  func fullDisk() throws {
    let (harness, client) = try sending.harness()
    harness.areFilesFull = true
    let answers = sending.send(harness, client, "send-file \(FileSendingTests.bob)", [FileSendingTests.gif])
    #expect(answers.map { $0["error"]?.string } == ["no-space"] && ChangeTests.history(harness).isEmpty)
  }

  @Test("Without an upload service nothing is stored")
  func noService() throws {
    let (harness, client) = try sending.harness()
    _ = sending.send(harness, client, "send-file \(FileSendingTests.bob)", [FileSendingTests.gif])
    FileSendingTests.answerDiscovery(harness, hasService: false)
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["not-supported"])
    #expect(harness.spool.isEmpty && ChangeTests.history(harness).isEmpty)
  }

  @Test("A file that is larger than the server allows is refused with the limit")
  func tooLarge() throws {
    let (harness, client) = try sending.harness()
    _ = sending.send(harness, client, "send-file \(FileSendingTests.bob)", [FileSendingTests.gif])
    FileSendingTests.answerDiscovery(harness, limit: 5)
    let answer = try #require(harness.takeLines(client).first)
    #expect(answer["error"]?.string == "too-large" && answer["limit"]?.integer == 5 && harness.spool.isEmpty)
  }

  @Test("A file whose copy was changed on the disk is not sent: the message fails, and says why")
  func damagedCopy() throws {
    let (harness, client) = try sending.harness()
    _ = sending.send(harness, client, "send-file \(FileSendingTests.bob)", [FileSendingTests.gif])
    FileSendingTests.answerDiscovery(harness)
    FileSendingTests.answerSlot(harness, "a")
    let upload = try #require(harness.transfers.first)
    harness.contents[upload.file]?[7] ^= 1
    harness.uploaded()
    let message = try #require(ChangeTests.history(harness).last)
    #expect(message["state"]?.string == "failed" && !harness.toServer.contains("<message"))
    #expect(message["failure"]?["text"]?.string == "its copy is damaged: the bytes are not those that were stored")
    #expect(harness.spool.isEmpty && harness.cache.isEmpty)
  }

  @Test("What cannot be copied is refused")
  func badFiles() throws {
    let (harness, client) = try sending.harness { $0.daemon.files.spoolSize = 100 }
    for files in [[nil], [FileSendingTests.gif, []], []] as [[[UInt8]?]] {
      let answers = sending.send(harness, client, "send-file \(FileSendingTests.bob)", files)
      #expect(answers.map { $0["error"]?.string } == ["bad-argument"])
      #expect(answers.first?["argument"]?.string == "descriptor")
    }
    let large = sending.send(harness, client, "send-file \(FileSendingTests.bob)", [[UInt8](repeating: 1, count: 101)])
    #expect(large.map { $0["error"]?.string } == ["too-large"] && large.first?["limit"]?.integer == 100)
    #expect(
      sending.send(harness, client, "send-file as=a/b \(FileSendingTests.bob)", [FileSendingTests.gif]).first?[
        "argument"]?.string == "as")
    #expect(ChangeTests.history(harness).isEmpty && harness.spool.isEmpty)
  }

  @Test("A file that has no room while others wait is refused for now")
  func fullSpool() throws {
    let (harness, client) = try sending.harness { $0.daemon.files.spoolSize = 100 }
    harness.cut()
    for code in [nil, "limit"] {
      let answer = sending.send(
        harness, client, "send-file \(FileSendingTests.bob)", [[UInt8](repeating: 1, count: 60)])
      #expect(answer.map { $0["error"]?.string } == [code])
    }
    let both = [[UInt8]](repeating: [UInt8](repeating: 1, count: 60), count: 2)
    let answer = sending.send(harness, client, "send-file \(FileSendingTests.bob)", both).first
    #expect(answer?["error"]?.string == "too-large" && harness.spool.count == 1)
  }
}
