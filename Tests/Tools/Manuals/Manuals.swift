import ConfabCLI

/// Every file that is made from the tables in the code and is not the business of one layer alone: manual pages,
/// completions, the example of a configuration. `make docs` writes them, `make install` installs them.
package enum Manuals {
  /// A file by its path in the repository, and its whole text.
  package struct Document: Sendable {
    package let path: String
    package let text: String
  }

  package static var documents: [Document] {
    [
      Document(path: "config/confab.conf.example", text: ExampleConfiguration.text),
      Document(path: "completions/confab.bash", text: BashCompletion.text),
      Document(path: "completions/_confab", text: ZshCompletion.text),
      Document(path: "completions/confab.fish", text: FishCompletion.text),
      Document(path: "docs/KEYS.md", text: InterfacePages.keysDocument),
    ] + pages.map { Document(path: "docs/man/\($0.name).\($0.section)", text: $0.source) }
  }

  static let version = HelpText.version

  private static var pages: [ManPage] {
    [
      CommandPage.page, DaemonPage.page, ConfigurationPage.page, ProtocolPage.page, InterfacePages.program,
      InterfacePages.settings,
    ]
  }

  /// A table of Markdown.
  static func table(_ header: [String], _ rows: [[String]]) -> String {
    let line = { (cells: [String]) in
      "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
    return ([line(header), line(header.map { _ in "---" })] + rows.map(line)).joined(separator: "\n")
  }
}
