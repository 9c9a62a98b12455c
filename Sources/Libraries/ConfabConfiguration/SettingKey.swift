/// A kind of section.
package enum SettingSection: String, CaseIterable, Sendable {
  case daemon, account, socket, hook

  /// There may be several, each with a name of its own: `[account NAME]`.
  package var isNamed: Bool { self != .daemon }
  /// The heading in a file: `[account NAME]`.
  package var heading: String { isNamed ? "[\(rawValue) NAME]" : "[\(rawValue)]" }
}

/// A row of the table of keys.
package struct SettingKey: Sendable {
  /// The settings of the section that is being read.
  struct Draft: Sendable {
    var daemon = DaemonSettings()
    var account = AccountSettings(name: "", jid: "")
    var socket = SocketSettings()
    var hook = HookSettings(name: "")
    /// nil: not said.
    var rights: SocketRights?
    /// The access of `[daemon]` and of sockets.
    var access = SocketAccess()
    /// The group's name, before it is looked up.
    var group: String?
  }

  typealias Store =
    @Sendable (_ text: String, _ environment: [String: String], inout Draft) throws(Mismatch) -> Void

  typealias Place<Value> = any WritableKeyPath<Draft, Value> & Sendable

  package let section: SettingSection
  package let name: String
  /// The form of the value, as a phrase.
  package let expected: String
  /// The default, as a phrase; nil if there is none.
  package let defaultText: String?
  /// One sentence for people.
  package let help: String
  /// It may stand several times in its section.
  package let isRepeatable: Bool
  /// True if a value is never shown and makes the file that holds it private to its owner.
  package let isSecret: @Sendable (_ text: String) -> Bool
  /// Reads and keeps a value.
  let store: Store

  private init(
    _ section: SettingSection, _ name: String, _ expected: String, _ defaultText: String?, _ help: String,
    isRepeatable: Bool = false, isSecret: @escaping @Sendable (String) -> Bool = { _ in false }, store: @escaping Store
  ) {
    (self.section, self.name, self.expected, self.defaultText, self.help) = (
      section, name, expected, defaultText, help
    )
    (self.isRepeatable, self.isSecret, self.store) = (isRepeatable, isSecret, store)
  }
}

extension SettingKey {
  /// A key that always has a value.
  init<Value>(
    _ section: SettingSection, _ name: String, _ kind: ValueKind<Value>, default defaultText: String?,
    to target: Place<Value>, help: String
  ) {
    self.init(section, name, kind.expected, defaultText, help, isSecret: kind.isSecret) {
      (text, environment, draft) throws(Mismatch) in
      draft[keyPath: target] = try kind.read(text, environment: environment)
    }
  }

  /// A key that may be left out.
  init<Value>(
    _ section: SettingSection, _ name: String, _ kind: ValueKind<Value>, default defaultText: String?,
    to target: Place<Value?>, help: String
  ) {
    self.init(section, name, kind.expected, defaultText, help, isSecret: kind.isSecret) {
      (text, environment, draft) throws(Mismatch) in
      draft[keyPath: target] = try kind.read(text, environment: environment)
    }
  }

  /// A key that may stand several times.
  init<Value>(
    _ section: SettingSection, _ name: String, _ kind: ValueKind<Value>, default defaultText: String?,
    each target: Place<[Value]>, help: String
  ) {
    self.init(section, name, kind.expected, defaultText, help, isRepeatable: true, isSecret: kind.isSecret) {
      (text, environment, draft) throws(Mismatch) in
      draft[keyPath: target].append(try kind.read(text, environment: environment))
    }
  }
}
