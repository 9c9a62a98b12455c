/// Why an account was not set up, or not to the end.
struct SetupFailure: Error {
  /// Answers that a person may give anew.
  enum Question {
    case address, server, password, name
  }

  let reason: String
  var code = ExitCode.refused
  /// The question to be asked again; nil: no other answer helps.
  var question: Question?

  init(_ reason: String, _ code: ExitCode = .refused, asking question: Question? = nil) {
    (self.reason, self.code, self.question) = (reason, code, question)
  }
}
