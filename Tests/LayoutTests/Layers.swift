/// The layers, which are the folders of Sources: a target may use those of lower layers, and of its own layer only what is
/// named here.
enum Layers {
  struct Layer {
    let level: Int
    /// The folder below Sources.
    let folder: String
    /// Targets of the same layer that it may use.
    let beside: Set<String>
  }

  static let all: [String: Layer] = {
    var layers: [String: Layer] = [:]
    for (level, row) in rows.enumerated() {
      for (name, beside) in row.targets { layers[name] = Layer(level: level, folder: row.folder, beside: beside) }
    }
    return layers
  }()

  /// The folders, lowest first; below them is `C`.
  static let folders = rows.map(\.folder)

  /// The wrapper of each C module, which alone imports it.
  static let wrappers: [String: Set<String>] = [
    "CLinux": ["Syscalls"],
    "CBytes": ["Bytes", "JSON"],
    "COpenSSL": ["Crypto", "TLS"],
    "CLibXML2": ["XML"],
    "COmemo": ["Ratchet"],
    "CQRencode": ["ConfabCLI"],
    "CSQLite": ["LogTool"],
    "CInih": ["ConfabConfiguration"],
    "CCares": ["Transport"],
    "CIdn": ["AddressPreparation"],
    "CIdn2": ["AddressPreparation"],
    "CUnistring": ["AddressPreparation", "Screen"],
    "CFriBidi": ["Screen"],
    "CTerminfo": ["ConfabTUI"],
    "CCurl": ["ConfabTransfer"],
    "CSeccomp": ["Sandbox"],
    "CPNG": ["ConfabPicture"],
    "CTurboJPEG": ["ConfabPicture"],
    "CGIF": ["ConfabPicture"],
    "CWebP": ["ConfabPicture"],
    "CChafa": ["ConfabPicture"],
  ]

  /// The target of a C module.
  static func target(ofC module: String) -> String {
    ["CLinux", "CBytes", "CLibXML2", "CChafa"].contains(module) ? module : "CLibraries"
  }

  /// Modules that no target imports in what ships.
  static let banned: Set<String> = ["Foundation", "FoundationEssentials", "Dispatch"]

  /// Modules that only the targets of `systemUsers` and the programs import. All others are pure: bytes and values in,
  /// values out.
  static let system: Set<String> = ["Glibc", "Synchronization"]

  /// Targets that use the system besides by `Syscalls`; `TerminalUI` uses the C library's mathematics.
  static let systemUsers: Set<String> = [
    "Syscalls", "TLS", "ConfabConfiguration", "AddressPreparation", "Reactor", "LogFiles", "Sandbox", "ConfabPicture",
    "ConfabRuntime",
    "LogTool", "ConfabCLI", "TerminalUI", "ConfabTUI",
  ]

  private static let rows: [(folder: String, targets: [String: Set<String>])] = [
    ("Base", ["Bytes": [], "Clocks": ["Bytes"], "JSON": ["Bytes"], "Pictures": []]),
    (
      "Libraries",
      [
        "Syscalls": [], "Crypto": [], "Ratchet": ["Crypto"], "TLS": [], "XML": [],
        "ConfabConfiguration": ["Syscalls"],
        "AddressPreparation": [],
        "Reactor": ["Syscalls"], "Transport": ["Reactor", "Syscalls", "TLS"],
      ]
    ),
    (
      "XMPP",
      [
        "XMPPCore": [], "SASL": [], "XMPPExtensions": ["XMPPCore"],
        "XMPPStream": ["XMPPCore", "XMPPExtensions", "SASL"],
      ]
    ),
    (
      "Store",
      [
        "MessageLog": [], "LogFiles": ["MessageLog"], "Records": [], "Timelines": [],
        "State": ["MessageLog", "Records", "Timelines"],
        "Search": ["MessageLog", "Records", "Timelines", "State"],
      ]
    ),
    ("Socket", ["LineProtocol": [], "ConfabClient": ["LineProtocol"]]),
    (
      "Helpers",
      [
        "HelperProtocol": [], "Sandbox": [],
        "ConfabTransfer": ["HelperProtocol", "Sandbox"], "ConfabPicture": ["HelperProtocol", "Sandbox"],
      ]
    ),
    (
      "Daemon",
      [
        "MarkedText": [], "ConfabAccounts": ["MarkedText"], "SocketClients": ["ConfabAccounts", "MarkedText"],
        "ConfabEngine": ["ConfabAccounts", "SocketClients"],
        "ConfabRuntime": ["ConfabAccounts", "SocketClients", "ConfabEngine", "MarkedText"],
      ]
    ),
    (
      "FrontEnds",
      [
        "Screen": [], "TerminalUI": ["Screen"], "ConfabTUI": ["Screen", "TerminalUI"], "LogTool": [],
        "ConfabCLI": ["LogTool"],
      ]
    ),
    ("Programs", ["confabd": [], "confab": [], "confab-ui": [], "confab-transfer": [], "confab-picture": []]),
  ]
}
