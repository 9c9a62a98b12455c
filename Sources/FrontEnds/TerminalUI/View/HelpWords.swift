/// Words that people look for in the help, and the word that is there.
enum HelpWords {
  static let meaning = [
    "color": "colours", "colour": "colours", "colors": "colours", "theme": "colours", "style": "compact",
    "config": "settings", "preferences": "settings", "options": "settings", "edit": "correct", "typo": "correct",
    "fix": "correct", "delete": "retract", "undo": "takes back", "unsend": "retract", "answer": "reply",
    "quote": "reply", "emoji": "emoticon", "online": "presence", "away": "presence", "rename": "contacts",
    "friend": "contacts", "attach": "file", "upload": "file", "download": "saves", "picture": "pictures",
    "image": "pictures", "exit": "leaves", "find": "search", "newline": "line", "split": "beside",
  ]
}
