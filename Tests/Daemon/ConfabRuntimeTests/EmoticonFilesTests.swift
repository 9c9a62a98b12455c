import Glibc
import MarkedText
import TestSupport
import Testing

@testable import ConfabRuntime

@Suite("Folders of packs") struct EmoticonFilesTests {
  private static func pack(_ code: String) -> String { #"{"emoticons":[{"code":"\#(code)","text":"x"}]}"# }

  @Test("They are those of the XDG Base Directory Specification")
  func folders() {
    let usual = ["/usr/local/share/confab/emoticons", "/usr/share/confab/emoticons"]
    #expect(EmoticonFiles.folders([:]) == usual)
    #expect(EmoticonFiles.folders(["HOME": "/h"]) == ["/h/.local/share/confab/emoticons"] + usual)
    #expect(
      EmoticonFiles.folders(["HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/a::relative:/b"])
        == ["/d/confab/emoticons", "/a/confab/emoticons", "/b/confab/emoticons"])
  }

  @Test("Files and folders are packs, the first of a name counts, and what is none has its reason")
  func packs() throws {
    let folder = try TemporaryFolder()
    for name in ["own", "shared", "own/folder", "own/bad", "own/empty"] { _ = try folder.makeFolder(name) }
    _ = try folder.write("own/a.json", Self.pack(":a:"))
    _ = try folder.write("own/a-b.json", Self.pack(":ab:"))
    _ = try folder.write("own/readme.txt", "not a pack")
    _ = try folder.write(
      "own/folder/pack.json", #"{"emoticons":[{"code":"p","picture":"p.png"},{"code":"l","picture":"l.png"}]}"#)
    _ = try folder.write("own/folder/p.png", "")
    #expect(unsafe symlink("/etc/passwd", folder.file("own/folder/l.png")) == 0)
    _ = try folder.write("own/bad/info.plist", "<!DOCTYPE plist [<!ENTITY a 'b'>]><plist><array/></plist>")
    #expect(unsafe mkfifo(folder.file("own/pipe.json"), 0o600) == 0)
    _ = try folder.write("shared/a.json", Self.pack(":b:"))
    _ = try folder.write(
      "shared/z.plist", "<plist><array><dict><key>code</key><string>0x1f603</string></dict></array></plist>")
    let files = EmoticonFiles(in: [folder.file("own"), folder.file("none"), folder.file("shared")])
    #expect(files.emoticons.packs.map(\.name) == ["a", "a-b", "folder", "z"])
    #expect(files.emoticons.emoticon(":a:") != nil && files.emoticons.emoticon(":b:") == nil)
    #expect(files.emoticons.emoticon("p")?.meaning == .picture(folder.file("own/folder/p.png")))
    #expect(files.emoticons.emoticon("l") == nil)
    #expect(files.problems.count == 3)
    #expect(files.problems.contains { $0.contains("bad/info.plist") && $0.contains("an entity") })
    #expect(files.problems.contains { $0.contains("pipe.json") && $0.contains("no regular file") })
    #expect(files.problems.contains { $0.contains("a picture is not in the pack's folder") })
  }
}
