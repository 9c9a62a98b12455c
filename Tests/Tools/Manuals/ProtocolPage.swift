import LineProtocol

/// confab-protocol(7): the reference of the line protocol.
enum ProtocolPage {
  static var page: ManPage {
    ManPage(
      name: "confab-protocol", section: 7, summary: "the line protocol of confabd",
      markdown: "## DESCRIPTION\n\n" + ProtocolReference.markdown()
        + "\n\n## SEE ALSO\n\n`confab`(1), `confabd`(8), `confab.conf`(5)\n")
  }
}
