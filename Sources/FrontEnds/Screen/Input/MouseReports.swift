extension MouseEvent {
  /// Decodes a report of mode 1006: `ESC [ < button ; column ; line M`, or `m` for a release; nil for an unused button.
  init?(report: ControlSequence) {
    self.init(
      code: report.number(0), column: report.number(1, else: 1) - 1, line: report.number(2, else: 1) - 1,
      isRelease: report.final == UInt8(ascii: "m"))
  }

  /// Decodes a report of mode 1000 alone, for terminals without 1006: three bytes, each 32 more than its value.
  init?(oldReport code: UInt8, _ column: UInt8, _ line: UInt8) {
    guard code >= 32, column > 32, line > 32 else { return nil }
    let button = Int(code) - 32
    self.init(
      code: button & 3 == 3 && button < 32 ? button - 3 : button, column: Int(column) - 33, line: Int(line) - 33,
      isRelease: button & 3 == 3 && button < 64)
  }

  /// The bits of a button (xterm's ctlseqs, "Mouse Tracking"): 0 to 2 the button, 4 Shift, 8 Alt, 16 Control, 32 moved,
  /// 64 the wheel.
  private init?(code: Int, column: Int, line: Int, isRelease: Bool) {
    guard code < 128, let action = Self.action(code, isRelease: isRelease) else { return nil }
    var modifiers: Key.Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    self.init(action, at: Frame.Position(column: column, line: line), modifiers)
  }

  private static func action(_ code: Int, isRelease: Bool) -> Action? {
    let button = code & 3
    if code & 64 != 0 {
      if isRelease { return nil }
      return button == 0 ? .scrollUp : button == 1 ? .scrollDown : nil
    }
    guard button < 3 else { return nil }
    if isRelease { return .release(button) }
    return code & 32 != 0 ? .drag(button) : .press(button)
  }
}
