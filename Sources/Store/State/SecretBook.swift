package import Records

/// The secrets of an account as the log has them, sealed, by name. Those of sessions, of which there are as many as
/// devices of contacts, stay in the log: here is the number of the record that has them.
package struct SecretBook {
  package private(set) var byName: [String: SealedSecret] = [:]

  package subscript(name: String) -> SealedSecret? { byName.isEmpty ? nil : byName[name] }

  /// The names that begin so, sorted.
  package func names(beginning prefix: String) -> [String] { byName.keys.filter { $0.hasPrefix(prefix) }.sorted() }

  /// - Parameter id: the number of the record that has the step.
  mutating func apply(_ step: ContentStep, id: UInt64) {
    for var secret in step.secrets {
      if secret.name.hasPrefix("session/"), !secret.isGone, secret.record == 0 {
        (secret.box, secret.record) = ([], id)
      }
      byName[secret.name] = secret.isGone ? nil : secret
    }
  }

  /// Records that say all of it again.
  func records(of account: UInt32) -> [StepRecord] {
    let all = byName.values.sorted { $0.name < $1.name }
    return stride(from: 0, to: all.count, by: Self.mostOfRecord).map { start in
      StepRecord(account: account, ContentStep(secrets: Array(all[start..<min(start + Self.mostOfRecord, all.count)])))
    }
  }

  private static let mostOfRecord = 100
}
