/// Pop-ups about a message.
extension PickerItems {
  func targets(_ targets: [TextTarget]) -> [PickerItem] {
    targets.map { PickerItem($0.target, $0.words, $0.intent, more: .copy($0.target)) }
  }
}
