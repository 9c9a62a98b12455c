/// Why an account was not set up, or not to the end.
struct SetupFailure: Error {
  let reason: String
  var code = ExitCode.refused

  init(_ reason: String, _ code: ExitCode = .refused) {
    (self.reason, self.code) = (reason, code)
  }
}
