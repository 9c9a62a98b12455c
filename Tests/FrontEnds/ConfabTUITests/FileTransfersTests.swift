import Syscalls
import TestSupport
import Testing

@testable import ConfabTUI
@testable import TerminalUI

@Suite("Files that are sent and kept")
struct FileTransfersTests {
  private let folder: TemporaryFolder
  private let transfers: FileTransfers

  init() throws {
    folder = try TemporaryFolder("files")
    transfers = FileTransfers(home: folder.path)
  }

  private func reason(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? FileFailure)?.reason
    }
  }

  @Test("a regular file is opened, also below the home folder; a folder, a pipe and nothing are not")
  func opening() throws {
    try folder.write("a.txt", "content")
    let files = try transfers.open(["~/a.txt", folder.file("a.txt")])
    #expect(
      try files.map { try Files.read($0.raw, at: 0, count: 99) } == Array(repeating: Array("content".utf8), count: 2))
    _ = try folder.makeFolder("sub")
    for path in ["~/sub", "/dev/null", "~/none"] {
      #expect(reason { _ = try transfers.open([path]) }?.hasSuffix("there is no regular file") == true)
    }
    #expect(transfers.isFile(folder.file("a.txt")) && !transfers.isFile(folder.path))
  }

  @Test("a folder is listed: its folders and files, no pipes; one that is not there has a reason")
  func listing() throws {
    try folder.write("a.txt", "content")
    _ = try folder.makeFolder("sub")
    let entries = [
      FolderListing.Entry(name: "a.txt", isFolder: false, size: 7), .init(name: "sub", isFolder: true, size: 0),
    ]
    let listed = transfers.list("~")
    #expect(listed.entries.map(\.name) == ["sub", "a.txt"] && listed.entries[1] == entries[0])
    #expect(listed.entries[0].isFolder && listed.failure.isEmpty && listed.path == "~")
    #expect(transfers.list("~/none").failure == "~/none: No such file or directory")
    #expect(transfers.list("/dev").entries.allSatisfy { $0.name != "null" })
  }

  @Test("a file is saved under a path or into a folder, and never over another one")
  func saving() throws {
    let content = Array(String(repeating: "content", count: 50_000).utf8)
    let file = try Files.inMemory(content)
    _ = try folder.makeFolder("sub")
    for (path, place) in [("~/x.gif", "x.gif"), ("~/sub", "sub/cat.gif"), (folder.file("y"), "y")] {
      #expect(try transfers.save(file.raw, as: path, name: "cat.gif") == folder.file(place))
      let saved = try Files.openForReading(folder.file(place))
      #expect(try Files.readAll(saved.raw, limit: 1 << 20) == content)
    }
    let again = reason { _ = try transfers.save(file.raw, as: "~/x.gif", name: "cat.gif") }
    #expect(again == folder.file("x.gif") + ": there is such a file already")
    #expect(reason { _ = try transfers.save(file.raw, as: "~/none/x", name: "cat.gif") } != nil)
  }

  @Test("a copy for another program goes with its owner")
  func opened() throws {
    let file = try Files.inMemory([1, 2, 3])
    var copy: OpenedFile? = try OpenedFile(file.raw, ending: "png", folder: folder.path)
    let path = copy?.path ?? ""
    #expect(path.hasPrefix(folder.path) && path.hasSuffix(".png") && transfers.isFile(path))
    copy = nil
    #expect(!transfers.isFile(path))
  }
}
