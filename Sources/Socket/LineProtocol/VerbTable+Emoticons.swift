extension VerbTable {
  /// Verbs that concern emoticons.
  static let emoticons: [VerbRow] = [
    VerbRow(
      .emoticons, "Lists the packs of emoticons, all of a pack, those that match a text, or the recent ones.",
      details: """
        Without an option the answer has the packs: those of the folders `confab/emoticons` below `$XDG_DATA_HOME` \
        (`~/.local/share`) and each of `$XDG_DATA_DIRS` (`/usr/local/share:/usr/share`); of two packs of one name the \
        first counts. A pack is a file `NAME.json` or `NAME.plist`, or a folder `NAME` with `pack.json` or `info.plist` \
        and the pictures. Packs are read once, when they are first needed.

        `pack=` lists all of a pack in its order, `match=` those whose code or name has the text in it, the best first, \
        and `emoticons recent` (in JSON `"list":"recent"`) those that were used last, the newest first. A code stands \
        for a `text` or for a `picture`, whose path is given. What is sent is always text.
        """,
      options: [
        OptionRow(.pack, .word, "All of this pack."),
        OptionRow(.match, .word, "Those whose code or name has this in it."),
        OptionRow(.limit, .integer(0...Limits.page), default: "50", "The most to show of those that match."),
      ],
      arguments: [ArgumentRow(.list, .choice(["recent"]), optional: true)],
      rights: readers, kind: .query, conflicts: [(.pack, .match), (.pack, .limit)], errors: [.notFound],
      dataLines: [
        #"{"pack":{"name":"emoji","title":"Emoji","count":3655}}"#,
        #"{"emoticon":{"code":":rocket:","text":"🚀","name":"rocket"}}"#,
      ],
      example: "emoticons match=rocket"),
    VerbRow(
      .emoticonUsed, "Moves an emoticon to the front of the recent ones, for all front ends.",
      details: "At most 60 are kept, no two the same.",
      arguments: [ArgumentRow(.code, .word)],
      rights: owners, kind: .command, errors: [.notFound, .noSpace, .storage], example: "emoticon-used :rocket:"),
  ]
}
