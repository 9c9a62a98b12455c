/// Runs a command to its end, found by PATH, its output thrown away.
///
/// - Parameter input: the file that it gets as its standard input.
/// - Returns: its exit status; 128 and the signal's number where one killed it.
@discardableResult
package func runCommand(_ words: String..., input: String = "/dev/null") throws -> Int {
  switch try Program.run(words, input: TestFiles.read(input) ?? []).status {
  case .exited(let code): Int(code)
  case .killed(let signal): 128 + Int(signal)
  }
}
