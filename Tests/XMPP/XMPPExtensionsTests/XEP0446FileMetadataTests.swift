import Bytes
import Testing
import XML

@testable import XMPPExtensions

@Suite struct XEP0446FileMetadataTests {
  private func read(_ inside: String) throws -> FileMetadata {
    FileMetadata(try element("<file xmlns='urn:xmpp:file:metadata:0'>\(inside)</file>"))
  }

  @Test("All that is said of a file is read")
  func reading() throws {
    let file = try read(
      "<media-type>Image/JPEG; x=y</media-type><name>summit.jpg</name><size>3032449</size><width>4096</width>"
        + "<height>2160</height><desc>a photo</desc>")
    #expect(file.type == "image/jpeg" && file.name == "summit.jpg" && file.size == 3_032_449)
    #expect(file.width == 4_096 && file.height == 2_160 && file.hashes.isEmpty)
  }

  @Test("What is no number or no media type is left out", arguments: ["-1", "1e3", " 5", "99999999999999999999", "١"])
  func badValues(_ number: String) throws {
    let file = try read("<size>\(number)</size><width>\(number)</width><media-type>image</media-type>")
    #expect(file == FileMetadata())
    #expect(try read("<width>4294967296</width>").width == nil)
    #expect(MediaType.cleaned("text/pl\nain") == nil && MediaType.cleaned("a/b/c") == nil)
  }

  @Test(
    "Names lead to no other folder and hide nothing",
    arguments: [
      ("../../etc/passwd", ".._.._etc_passwd"), ("/", "_"), ("..", nil), (".", nil), ("", nil), ("\u{202E}\u{85}", nil),
      ("a\nb\u{7}\u{1B}c\u{202E}gpj.exe", "abcgpj.exe"), ("x\u{2028}y\u{200F}", "xy"), ("猫 🐈‍⬛.jpg", "猫 🐈‍⬛.jpg"),
    ])
  func names(_ name: String, _ cleaned: String?) { #expect(FileName.cleaned(name) == cleaned) }

  @Test("A long name is cut off between characters")
  func longName() {
    let name = FileName.cleaned(String(repeating: "é", count: 4_000))
    #expect(name?.utf8.count == 254)
  }

  @Test("What is written is read back")
  func writing() throws {
    var file = FileMetadata()
    (file.name, file.type, file.size, file.width) = ("<a> & b.txt", "text/plain", 12, 7)
    var writer = XMLWriter()
    file.write(into: &writer)
    #expect(FileMetadata(try element(String(decoding: writer.bytes, as: UTF8.self))) == file)
  }
}
