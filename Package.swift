// swift-tools-version: 6.2
import PackageDescription

// The folders of Sources are layers. They stand here lowest first, and a target depends on those of its own folder or of
// lower ones only (Tests/LayoutTests reads the imports). ARCHITECTURE.md says what each is for.

/// Settings of every Swift target: language mode 6 comes with the tools version.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  // What crosses the layers for each message is specialised and inlined there (ARCHITECTURE.md, "Speed").
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// A library of ours.
///
/// - Parameter path: its folder below Sources, a layer and the name of the target.
func layer(
  _ path: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name(path), dependencies: dependencies, path: "Sources/" + path, swiftSettings: strict + settings)
}

/// The last component of a path.
func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// The Debian packages of the modules of `CLibraries`.
let debianPackages = [
  "libssl-dev", "libinih-dev", "libc-ares-dev", "libidn2-dev", "libidn-dev", "libunistring-dev", "libfribidi-dev",
  "libncurses-dev", "libomemo-c-dev", "libcurl4-openssl-dev", "libpng-dev", "libqrencode-dev", "libturbojpeg0-dev",
  "libgif-dev", "libwebp-dev", "libseccomp-dev", "libsqlite3-dev",
]

/// Of the one target that is without them in a release: why is in ARCHITECTURE.md, "Speed".
let withoutExclusivityChecks: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

/// The tests of one target, with what they need beside it; they stand below Tests as it does below Sources.
func tests(_ path: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: name(path) + "Tests", dependencies: [.init(stringLiteral: name(path)), "TestSupport"] + dependencies,
    path: "Tests/\(path)Tests", exclude: exclude, swiftSettings: strict)
}

/// An executable: an entry point of a few lines over one of the upper layers.
func program(_ name: String, _ dependencies: [Target.Dependency], linked: [LinkerSetting] = []) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Programs/" + name, swiftSettings: strict,
    linkerSettings: linked)
}

/// A program or a library that is not shipped: tests and what drives or documents the product.
func tool(_ name: String, at path: String, _ dependencies: [Target.Dependency], isProgram: Bool = true) -> Target {
  isProgram
    ? .executableTarget(name: name, dependencies: dependencies, path: "Tests/" + path, swiftSettings: strict)
    : .target(name: name, dependencies: dependencies, path: "Tests/" + path, swiftSettings: strict)
}

/// Of C++'s run-time library, which Swift's is made of, a program has its own copy where `make release` has laid out the
/// archive: to load the shared one takes a third of the time of a command that does little.
let ownRuntime: [LinkerSetting] = [
  .unsafeFlags(
    ["-L", Context.packageDirectory + "/.build/archives", "-Xclang-linker", "-static-libgcc"],
    .when(configuration: .release))
]

let package = Package(
  name: "confab",
  products: [
    .executable(name: "confabd", targets: ["confabd"]),
    .executable(name: "confab", targets: ["confab"]),
    .executable(name: "confab-ui", targets: ["confab-ui"]),
    .executable(name: "confab-transfer", targets: ["confab-transfer"]),
    .executable(name: "confab-picture", targets: ["confab-picture"]),
    .executable(name: "confab-bench", targets: ["confab-bench"]),
    .executable(name: "confab-simulate", targets: ["confab-simulate"]),
  ],
  targets: [
    // C: module maps and inline shims, no logic. A library whose headers need a path of their own has a target of its own.
    .target(name: "CLinux", path: "Sources/C/CLinux"),
    .target(name: "CBytes", path: "Sources/C/CBytes"),
    .systemLibrary(name: "CLibraries", path: "Sources/C/CLibraries", providers: [.apt(debianPackages)]),
    .systemLibrary(
      name: "CLibXML2", path: "Sources/C/CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CChafa", path: "Sources/C/CChafa", pkgConfig: "chafa", providers: [.apt(["libchafa-dev"])]),

    // Base: values.
    layer("Base/Bytes", ["CBytes"]),
    layer("Base/Clocks", ["Bytes"]),
    layer("Base/JSON", ["Bytes", "CBytes"]),
    layer("Base/Pictures"),

    // Libraries: one library or one kind of system call each, and the loop and the links over them.
    layer("Libraries/Syscalls", ["CLinux"]),
    layer("Libraries/Crypto", ["Bytes", "CLibraries"]),
    layer("Libraries/Ratchet", ["Bytes", "Crypto", "CLibraries"]),
    layer("Libraries/TLS", ["Bytes", "CLibraries"]),
    layer("Libraries/XML", ["CLibXML2"]),
    layer("Libraries/ConfabConfiguration", ["CLibraries", "Clocks", "Syscalls"]),
    layer("Libraries/AddressPreparation", ["CLibraries"]),
    layer("Libraries/Reactor", ["Syscalls", "Clocks"]),
    layer("Libraries/Transport", ["Bytes", "Reactor", "Syscalls", "Clocks", "TLS", "CLibraries"]),

    // XMPP: the protocol, bytes and values in, values out.
    layer("XMPP/XMPPCore", ["Bytes", "XML", "AddressPreparation", "Clocks"]),
    layer("XMPP/SASL", ["Crypto", "AddressPreparation", "Bytes"]),
    layer("XMPP/XMPPExtensions", ["XMPPCore", "XML", "Crypto", "Ratchet", "Bytes", "Clocks", "Pictures"]),
    layer("XMPP/XMPPStream", ["XMPPCore", "XMPPExtensions", "XML", "SASL", "Bytes"]),

    // Store: the log, and what is derived from it.
    layer("Store/MessageLog", ["Bytes", "Clocks"]),
    layer("Store/LogFiles", ["MessageLog", "Syscalls"]),
    layer("Store/Records", ["Bytes", "Clocks", "JSON"]),
    layer("Store/Timelines", ["Clocks"]),
    layer(
      "Store/State", ["Bytes", "Clocks", "JSON", "MessageLog", "Records", "Timelines"],
      settings: withoutExclusivityChecks),
    layer("Store/Search", ["Bytes", "Clocks", "AddressPreparation", "MessageLog", "Records", "Timelines", "State"]),

    // Socket: the language of the Unix socket, and its client's end.
    layer("Socket/LineProtocol", ["JSON", "Clocks"]),
    layer("Socket/ConfabClient", ["Clocks", "JSON", "LineProtocol", "Syscalls"]),

    // Helpers: the programs that the daemon and the terminal UI give dangerous work to, and how they are asked.
    layer("Helpers/HelperProtocol", ["Bytes", "Clocks", "Crypto", "Syscalls"]),
    layer("Helpers/Sandbox", ["CLibraries"]),
    layer(
      "Helpers/ConfabTransfer",
      [
        "Clocks", "Crypto", "Transport", "AddressPreparation", "Bytes", "Reactor", "Sandbox", "Syscalls", "TLS",
        "HelperProtocol", "CLibraries",
      ]),
    layer(
      "Helpers/ConfabPicture", ["HelperProtocol", "Sandbox", "Syscalls", "CLibraries", "CChafa"]),

    // Daemon: events in, actions out; and the engine driven by the real world.
    layer("Daemon/MarkedText", ["JSON", "AddressPreparation", "XMPPCore", "XML"]),
    layer(
      "Daemon/ConfabAccounts",
      [
        "Bytes", "Clocks", "JSON", "AddressPreparation", "ConfabConfiguration", "XML", "XMPPCore",
        "SASL", "XMPPStream",
        "XMPPExtensions", "LineProtocol", "MarkedText", "MessageLog", "Records", "Timelines", "State", "Search",
        "Pictures", "HelperProtocol", "Crypto", "Ratchet",
      ]),
    layer(
      "Daemon/SocketClients",
      [
        "Bytes", "Clocks", "JSON", "ConfabConfiguration", "XMPPCore", "XMPPExtensions", "LineProtocol", "MarkedText",
        "MessageLog", "Records", "Timelines", "State", "Search", "Pictures", "ConfabAccounts",
      ]),
    layer(
      "Daemon/ConfabEngine",
      [
        "Clocks", "AddressPreparation", "ConfabConfiguration", "XMPPCore", "LineProtocol", "MessageLog", "Records",
        "Timelines", "State", "ConfabAccounts", "SocketClients",
      ]),
    layer(
      "Daemon/ConfabRuntime",
      [
        "Bytes", "Clocks", "Crypto", "Syscalls", "ConfabConfiguration", "Reactor", "LogFiles", "MessageLog",
        "Transport",
        "TLS", "SASL", "XMPPStream", "Records", "State", "Search", "ConfabAccounts", "SocketClients",
        "ConfabEngine", "MarkedText",
        "XMPPExtensions", "Pictures", "HelperProtocol", "LineProtocol",
      ]),

    // FrontEnds: the command line, the terminal UI, and `confab log`.
    layer("FrontEnds/Screen", ["Bytes", "CLibraries"]),
    layer(
      "FrontEnds/TerminalUI",
      [
        "Bytes", "Clocks", "ConfabClient", "Crypto", "HelperProtocol", "Screen", "JSON", "LineProtocol",
        "ConfabConfiguration",
      ]),
    layer(
      "FrontEnds/ConfabTUI",
      [
        "Clocks", "ConfabClient", "HelperProtocol", "Screen", "Reactor", "ConfabConfiguration",
        "Syscalls",
        "TerminalUI", "CLibraries",
      ]),
    layer(
      "FrontEnds/LogTool",
      [
        "Bytes", "Clocks", "ConfabClient", "Timelines", "State", "JSON", "LineProtocol", "MessageLog", "LogFiles",
        "Records", "ConfabConfiguration", "CLibraries", "Syscalls",
      ]),
    layer(
      "FrontEnds/ConfabCLI",
      ["ConfabClient", "LineProtocol", "JSON", "Clocks", "Syscalls", "LogTool", "ConfabConfiguration", "CLibraries"]),

    // Programs: entry points. The terminal UI is `confab-ui`, which `confab` becomes.
    program("confabd", ["ConfabRuntime", "Syscalls"]),
    program("confab", ["ConfabCLI"], linked: ownRuntime),
    program("confab-ui", ["ConfabTUI"], linked: ownRuntime),
    program("confab-transfer", ["ConfabTransfer"]),
    program("confab-picture", ["ConfabPicture"]),

    // Tests, and what stands beside the product.
    // Manual pages, completions and the example of a configuration, made from the tables of all.
    tool(
      "Manuals", at: "Tools/Manuals",
      ["ConfabCLI", "ConfabRuntime", "LineProtocol", "ConfabConfiguration", "TerminalUI"],
      isProgram: false),
    // Drives the real programs by the means of the tests.
    tool(
      "confab-bench", at: "Tools/Bench",
      [
        "TestSupport", "HelperProtocol", "MarkedText", "JSON", "LogFiles", "LogTool", "MessageLog",
        "Ratchet", "Records", "Syscalls", "XML", "XMPPCore", "XMPPExtensions",
      ]),
    // Tries to get out of the sandbox of `confab-transfer`.
    tool("confab-escape", at: "Tools/Escape", ["ConfabTransfer", "Syscalls", "HelperProtocol"]),
    tool("confab-simulate", at: "Tools/Simulate", ["Simulation", "Syscalls"]),
    // The engine in a world of its own making, which `confab-simulate` runs (`make simulate`).
    tool(
      "Simulation", at: "Simulation",
      [
        "Bytes", "Clocks", "ConfabAccounts", "ConfabEngine", "Crypto", "State", "JSON", "MessageLog",
        "Ratchet", "Records",
        "Search", "ConfabConfiguration", "TestSupport", "XML", "XMPPCore", "XMPPExtensions", "XMPPStream", "MarkedText",
      ], isProgram: false),
    tool("TestSupport", at: "TestSupport", ["Bytes", "Syscalls", "JSON", "MessageLog", "Records"], isProgram: false),
    tests("Base/Bytes"),
    tests("Base/Clocks"),
    tests("Base/JSON"),
    tests("Base/Pictures"),
    tests("Libraries/Syscalls"),
    tests("Libraries/Crypto", ["Bytes"]),
    tests("Libraries/Ratchet", ["Bytes", "Crypto", "Syscalls"], exclude: ["Golden"]),
    tests("Libraries/TLS", ["Bytes"]),
    tests("Libraries/XML"),
    tests("Libraries/ConfabConfiguration", ["Clocks", "Syscalls"]),
    tests("Libraries/AddressPreparation"),
    tests("Libraries/Reactor", ["Syscalls", "Clocks"]),
    tests("Libraries/Transport", ["Bytes", "Reactor", "Syscalls", "Clocks", "TLS"]),
    tests("XMPP/XMPPCore", ["XML"]),
    tests("XMPP/SASL", ["Crypto", "AddressPreparation", "Bytes"]),
    tests("XMPP/XMPPExtensions", ["XMPPCore", "XML", "Clocks", "Crypto", "Ratchet", "Bytes", "Pictures"]),
    tests("XMPP/XMPPStream", ["XMPPCore", "XML", "SASL", "Crypto", "AddressPreparation", "Bytes"]),
    tests("Store/MessageLog", ["Bytes", "Clocks"]),
    tests("Store/LogFiles", ["Bytes", "MessageLog", "Syscalls"]),
    tests("Store/Records", ["Bytes", "Clocks", "JSON"]),
    tests("Store/Timelines", ["Clocks"]),
    tests("Store/State", ["Bytes", "Clocks", "Timelines", "JSON", "MessageLog", "Records"]),
    tests("Store/Search", ["Bytes", "Clocks", "Timelines", "State", "MessageLog", "AddressPreparation", "Records"]),
    tests("Socket/LineProtocol", ["JSON", "Clocks"]),
    tests("Helpers/HelperProtocol", ["Clocks", "Crypto", "Bytes"]),
    tests(
      "Helpers/ConfabTransfer",
      [
        "Clocks", "Crypto", "JSON", "Bytes", "Sandbox", "Syscalls", "HelperProtocol",
        "confab-transfer", "confab-escape",
      ]),
    tests(
      "Helpers/ConfabPicture",
      ["Bytes", "CLibraries", "HelperProtocol", "Syscalls", "confab-picture"]),
    tests("Daemon/MarkedText", ["JSON", "Syscalls"]),
    tests(
      "Daemon/ConfabAccounts",
      ["Clocks", "ConfabConfiguration", "Records", "State", "XML", "XMPPCore", "XMPPExtensions", "XMPPStream"]),
    tests("Daemon/SocketClients", ["Clocks", "JSON", "LineProtocol", "ConfabAccounts"]),
    tests(
      "Daemon/ConfabEngine",
      [
        "ConfabAccounts", "SocketClients",
        "Bytes", "Clocks", "JSON", "ConfabConfiguration", "XML", "XMPPCore", "XMPPStream",
        "XMPPExtensions",
        "SASL", "Crypto", "LineProtocol", "MessageLog", "Records", "Timelines", "State", "Search", "MarkedText",
        "Pictures", "HelperProtocol", "Ratchet",
      ]),
    tests(
      "Daemon/ConfabRuntime",
      [
        "Clocks", "ConfabConfiguration", "Syscalls", "Crypto", "SASL", "ConfabAccounts", "State", "MessageLog",
        "Reactor",
        "Records",
        "Search", "MarkedText", "XMPPExtensions", "Pictures", "Transport",
      ]),
    tests("FrontEnds/Screen"),
    tests(
      "FrontEnds/TerminalUI",
      ["Clocks", "ConfabClient", "HelperProtocol", "Screen", "JSON", "LineProtocol", "ConfabConfiguration"],
      exclude: ["Frames"]),
    tests(
      "FrontEnds/ConfabTUI",
      ["Clocks", "ConfabClient", "HelperProtocol", "Reactor", "Screen", "Syscalls", "TerminalUI"]),
    tests(
      "FrontEnds/LogTool",
      [
        "Bytes", "Clocks", "State", "JSON", "MessageLog", "LogFiles", "Records", "Syscalls", "ConfabAccounts",
        "XMPPCore",
      ], exclude: ["Histories"]),
    tests("FrontEnds/ConfabCLI", ["ConfabClient", "LineProtocol", "JSON", "Clocks", "Syscalls"]),
    .testTarget(name: "ManualsTests", dependencies: ["Manuals", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "SimulationTests", dependencies: ["Simulation", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LayoutTests",
      dependencies: [
        "TestSupport", "LineProtocol", "Records", "XML", "XMPPExtensions", "confabd", "confab", "confab-ui",
        "confab-transfer", "confab-picture",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ProcessTests",
      dependencies: [
        "TestSupport", "Clocks", "JSON", "LogTool", "MessageLog", "Records", "Syscalls", "confabd", "confab",
        "confab-ui", "confab-transfer", "confab-picture",
      ],
      swiftSettings: strict),
  ]
)

// `make fuzz`: libFuzzer's targets, which only its own build has.
if Context.environment["CONFAB_FUZZ"] == "1" {
  package.targets += [
    .executableTarget(
      name: "confab-fuzz",
      dependencies: [
        "Bytes", "Clocks", "JSON", "ConfabConfiguration", "XML", "XMPPCore", "SASL", "XMPPStream",
        "XMPPExtensions", "LineProtocol", "MessageLog", "Records", "Timelines", "State", "Search", "ConfabAccounts",
        "ConfabEngine",
        "Crypto", "AddressPreparation", "MarkedText", "Pictures", "Reactor", "Screen", "Transport", "TestSupport",
        "ConfabTransfer",
        "HelperProtocol", "ConfabPicture", "Ratchet", "Syscalls",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict)
  ]
}
