import Syscalls

/// Programs that were started: one that has the terminal until it ends, and others of which nobody wants to know more.
struct HelperPrograms {
  /// The program that has the terminal, and the file if it is the editor.
  private struct Guest {
    let program: ChildPrograms.ID
    let file: EditorFile?
  }

  private var children = ChildPrograms()
  private var guest: Guest?

  /// True while another program has the terminal.
  var hasGuest: Bool { guest != nil }

  mutating func start(_ command: [String], input: [UInt8]? = nil) throws(Errno) {
    _ = try children.start(command, input: input)
  }

  /// Starts a program that gets the terminal, which is given back already.
  mutating func host(_ command: [String], _ file: EditorFile?) throws(Errno) {
    JobControl.setIgnoresInterrupts(true)
    do throws(Errno) {
      guest = Guest(program: try children.start(command, hasTerminal: true), file: file)
    } catch {
      JobControl.setIgnoresInterrupts(false)
      throw error
    }
  }

  /// The program that had the terminal, once it has ended: its file, and whether it left well.
  mutating func takeGuest() -> (file: EditorFile?, succeeded: Bool)? {
    let ended = children.takeEnded()
    guard let guest, let end = ended.first(where: { $0.0 == guest.program }) else { return nil }
    self.guest = nil
    JobControl.setIgnoresInterrupts(false)
    return (guest.file, end.succeeded)
  }
}
