/// Why a test's surroundings could not do what it asked, with what they had to say (logs, events).
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
