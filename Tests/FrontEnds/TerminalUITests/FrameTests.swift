import Screen
import Testing

/// Whole screens against `Frames/SCENE-COLUMNSxLINES.txt`. After a change that is meant, `CONFAB_WRITE_FRAMES=1` writes the files
/// anew, and their difference is reviewed like code.
@Suite("Recorded frames")
struct FrameTests {
  static let sizes = [(80, 24), (120, 30), (40, 12)]

  @Test("a screen is the one that is recorded", arguments: FrameScene.allCases, sizes)
  func frame(scene: FrameScene, size: (columns: Int, lines: Int)) throws {
    let name = "\(scene.rawValue)-\(size.columns)x\(size.lines).txt"
    let heading = "\(size.columns)x\(size.lines), \(scene.heading)"
    let picture = FramePicture(scene.frame(columns: size.columns, lines: size.lines), heading).text
    if RecordedFrames.isWriting { RecordedFrames.write(name, picture) }
    let recorded = try #require(RecordedFrames.read(name), "no frame \(name); CONFAB_WRITE_FRAMES=1 records it")
    let differences = Self.differences(recorded, picture)
    #expect(differences.isEmpty, "\(name) differs:\n\(differences.joined(separator: "\n"))")
  }

  /// The lines that are not as recorded, those first.
  private static func differences(_ recorded: String, _ now: String) -> [String] {
    let (old, new) = (
      recorded.split(separator: "\n", omittingEmptySubsequences: false),
      now.split(separator: "\n", omittingEmptySubsequences: false)
    )
    return (0..<max(old.count, new.count)).flatMap { line -> [String] in
      let (before, after) = (line < old.count ? old[line] : "", line < new.count ? new[line] : "")
      return before == after ? [] : ["\(line + 1) - \(before)", "\(line + 1) + \(after)"]
    }
  }
}
