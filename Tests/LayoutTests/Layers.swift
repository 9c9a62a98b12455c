/// The layers of Package.swift: a target may use those of lower levels, and of its own level only what is named here.
enum Layers {
  struct Layer {
    let level: Int
    /// Targets of the same level that it may use.
    let beside: Set<String>
  }

  static let all: [String: Layer] = {
    var layers: [String: Layer] = [:]
    for (level, row) in rows.enumerated() {
      for (name, beside) in row { layers[name] = Layer(level: level, beside: beside) }
    }
    return layers
  }()

  /// What each C target may be imported by: its wrapper, nobody else.
  static let wrappers: [String: Set<String>] = [
    "CLinux": ["Syscalls"],
    "CBytes": ["Bytes", "JSON"],
    "COpenSSL": ["Crypto", "TLS"],
    "CLibXML2": ["XML"],
    "CInih": ["Settings"],
    "CCares": ["NameService"],
    "CIdn": ["Names"],
    "CIdn2": ["Names"],
    "CUnistring": ["Names", "Glyphs"],
    "CFriBidi": ["Glyphs"],
    "CTerminfo": ["TerminalDevice"],
    "CCurl": ["HTTP"],
    "CSeccomp": ["Sandbox"],
    "CPNG": ["PictureDecoding"],
    "CTurboJPEG": ["PictureDecoding"],
    "CGIF": ["PictureDecoding"],
    "CWebP": ["PictureDecoding"],
    "CChafa": ["PictureDrawing"],
  ]

  /// Levels that touch nothing of the system: values and pure cores.
  static let pureLevels: Set<Int> = [0, 2]

  /// What nobody imports in what ships.
  static let banned: Set<String> = ["Foundation", "FoundationEssentials", "Dispatch"]

  /// What the pure levels do not import either.
  static let system: Set<String> = ["Glibc", "Synchronization"]

  private static let rows: [[String: Set<String>]] = [
    ["Bytes": [], "Clocks": ["Bytes"], "JSON": ["Bytes"], "NetworkValues": []],
    [
      "Syscalls": [], "Crypto": [], "TLS": [], "XML": [], "Settings": [], "NameService": ["Syscalls"], "Names": [],
      "Glyphs": [], "Spelling": [], "HTTP": ["Syscalls"], "Sandbox": [],
      "PictureDecoding": [],
    ],
    [
      "XMPPCore": [], "SASL": [], "XMPPStream": ["XMPPCore", "XMPPExtensions", "SASL"],
      "XMPPExtensions": ["XMPPCore", "Pictures"], "Pictures": [], "Transfers": [], "Drawings": [],
      "LineProtocol": [], "MessageLog": [], "Records": [], "Conversations": [], "Screen": [],
      "MarkedText": ["XMPPCore"], "PropertyLists": [], "Emoticons": ["MarkedText", "PropertyLists"],
      "State": ["MessageLog", "Records", "Conversations"],
      "Search": ["MessageLog", "Records", "Conversations", "State"],
    ],
    [
      "Reactor": [], "Checks": [], "LogFiles": [], "Transport": ["Reactor"], "TerminalDevice": [], "HelperPrograms": [],
      "PictureDrawing": [],
    ],
    ["ConfabEngine": [], "ConfabClient": [], "LogTool": [], "TerminalUI": []],
    ["ConfabRuntime": [], "ConfabCLI": [], "ConfabTUI": [], "ConfabTransfer": [], "ConfabPicture": []],
    [
      "confabd": [], "confab": [], "confab-ui": [], "confab-transfer": [], "confab-picture": [], "Manuals": [],
      "confab-bench": ["TestSupport"],
    ],
  ]
}
