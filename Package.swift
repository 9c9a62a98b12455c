// swift-tools-version: 6.2
import PackageDescription

// The layers, lowest first; a target may depend on lower ones only (Tests/LayoutTests reads the imports).
// ARCHITECTURE.md draws them and says what each is for.

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

/// A library layer of ours.
func layer(
  _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

/// Of the one target that is without them in a release: why is in ARCHITECTURE.md, "Speed".
let withoutExclusivityChecks: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

/// The tests of one layer, with what they need beside it.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + dependencies, exclude: exclude,
    swiftSettings: strict)
}

/// An executable: an entry point of a few lines over one of the upper layers.
func program(_ name: String, _ dependencies: [Target.Dependency], linked: [LinkerSetting] = []) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: linked)
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
    // C: module maps and inline shims, no logic.
    .target(name: "CLinux"),
    .target(name: "CBytes"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CInih", pkgConfig: "inih", providers: [.apt(["libinih-dev"])]),
    .systemLibrary(name: "CCares", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"])]),
    .systemLibrary(name: "CIdn2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
    .systemLibrary(name: "CIdn", pkgConfig: "libidn", providers: [.apt(["libidn-dev"])]),
    .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
    .systemLibrary(name: "CFriBidi", pkgConfig: "fribidi", providers: [.apt(["libfribidi-dev"])]),
    .systemLibrary(name: "CTerminfo", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CChafa", pkgConfig: "chafa", providers: [.apt(["libchafa-dev"])]),
    .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),

    // 0: values
    layer("Bytes", ["CBytes"]),
    layer("Clocks", ["Bytes"]),
    layer("JSON", ["Bytes", "CBytes"]),
    layer("NetworkValues"),

    // 1: one library or one kind of system call each
    layer("Syscalls", ["CLinux"]),
    layer("Crypto", ["Bytes", "COpenSSL"]),
    layer("TLS", ["NetworkValues", "COpenSSL"]),
    layer("XML", ["CLibXML2"]),
    layer("Settings", ["CInih", "Clocks"]),
    layer("NameService", ["NetworkValues", "Syscalls", "CCares"]),
    layer("Names", ["CIdn", "CIdn2", "CUnistring"]),
    layer("Glyphs", ["CUnistring", "CFriBidi"]),
    layer("Spelling"),
    layer("HTTP", ["Syscalls", "CCurl"]),
    layer("Sandbox", ["CSeccomp"]),
    layer("PictureDecoding", ["CPNG", "CTurboJPEG", "CGIF", "CWebP"]),

    // 2: pure cores
    layer("XMPPCore", ["Bytes", "XML", "Names", "Clocks"]),
    layer("SASL", ["Crypto", "Names", "Bytes"]),
    layer("Pictures"),
    layer("Transfers", ["Bytes", "Clocks", "Crypto", "NetworkValues"]),
    layer("Drawings", ["Bytes"]),
    layer("XMPPExtensions", ["XMPPCore", "XML", "Crypto", "Bytes", "Clocks", "Pictures"]),
    layer("XMPPStream", ["NetworkValues", "XMPPCore", "XMPPExtensions", "XML", "SASL", "Bytes"]),
    layer("LineProtocol", ["JSON", "Clocks"]),
    layer("MessageLog", ["Bytes", "Clocks"]),
    layer("Records", ["Bytes", "Clocks", "JSON"]),
    layer("Conversations", ["Clocks"]),
    layer("Screen", ["Bytes", "Glyphs"]),
    layer("MarkedText", ["JSON", "Names", "XMPPCore"]),
    layer("PropertyLists", ["JSON", "XML"]),
    layer("Emoticons", ["JSON", "MarkedText", "PropertyLists"]),
    layer(
      "State", ["Bytes", "Clocks", "JSON", "MessageLog", "Records", "Conversations"],
      settings: withoutExclusivityChecks),
    layer("Search", ["Bytes", "Clocks", "Names", "MessageLog", "Records", "Conversations", "State"]),

    // 3: the pure cores over real descriptors and files
    layer("Checks", ["JSON", "Syscalls"]),
    layer("Reactor", ["Syscalls", "Clocks"]),
    layer("LogFiles", ["MessageLog", "Syscalls"]),
    layer("TerminalDevice", ["Syscalls", "Screen", "Glyphs", "CTerminfo"]),
    layer("Transport", ["NetworkValues", "Reactor", "Syscalls", "Clocks", "TLS", "NameService"]),
    layer("HelperPrograms", ["Syscalls", "Transfers", "Drawings"]),
    layer("PictureDrawing", ["Drawings", "PictureDecoding", "CChafa"]),

    // 4: events in, actions out; and the other side of the socket
    layer(
      "ConfabEngine",
      [
        "Bytes", "Clocks", "JSON", "Names", "NetworkValues", "Settings", "XML", "XMPPCore", "SASL", "XMPPStream",
        "XMPPExtensions",
        "LineProtocol", "MarkedText", "MessageLog", "Records", "Conversations", "State", "Search", "Emoticons",
        "Pictures", "Transfers", "Crypto",
      ]),
    layer("ConfabClient", ["JSON", "LineProtocol", "Syscalls"]),
    layer(
      "TerminalUI", ["Bytes", "Clocks", "Crypto", "Drawings", "Glyphs", "JSON", "LineProtocol", "Screen", "Settings"]),
    layer(
      "LogTool",
      [
        "Bytes", "Clocks", "Conversations", "State", "JSON", "LineProtocol", "MessageLog", "LogFiles", "Records",
        "Settings", "Syscalls",
      ]),

    // 5: the engine driven by the real world; the command line
    layer(
      "ConfabRuntime",
      [
        "Bytes", "Clocks", "Crypto", "Checks", "Syscalls", "Settings", "Reactor", "LogFiles", "MessageLog", "Transport",
        "NameService", "NetworkValues", "TLS", "SASL", "XMPPStream", "Records", "State", "Search", "ConfabEngine",
        "Emoticons", "XMPPExtensions", "Pictures", "Transfers", "HelperPrograms",
      ]),
    layer(
      "ConfabCLI", ["ConfabClient", "LineProtocol", "Checks", "JSON", "Clocks", "Syscalls", "LogTool", "Settings"]),

    layer(
      "ConfabTUI",
      [
        "Clocks", "ConfabClient", "Drawings", "Glyphs", "HelperPrograms", "Reactor", "Screen", "Settings", "Spelling",
        "Syscalls", "TerminalDevice",
        "TerminalUI",
      ]),

    // The programs that the daemon and the terminal UI give dangerous work to.
    layer(
      "ConfabTransfer",
      [
        "Clocks", "Crypto", "HTTP", "NameService", "Names", "NetworkValues", "Reactor", "Sandbox", "Syscalls", "TLS",
        "Transfers",
        "Transport",
      ]),

    layer("ConfabPicture", ["Drawings", "PictureDecoding", "PictureDrawing", "Sandbox", "Syscalls", "Transfers"]),

    // 6: programs
    program("confabd", ["ConfabRuntime", "Syscalls"]),
    program("confab", ["ConfabCLI"], linked: ownRuntime),
    // The terminal UI, which `confab` becomes.
    program("confab-ui", ["ConfabTUI"], linked: ownRuntime),
    // Moves a file over HTTP for the daemon, which starts it.
    program("confab-transfer", ["ConfabTransfer"]),
    // Draws a picture for the terminal UI, which starts it.
    program("confab-picture", ["ConfabPicture"]),
    // Manual pages, completions and the example of a configuration, made from the tables of all; not shipped.
    layer("Manuals", ["ConfabCLI", "ConfabRuntime", "LineProtocol", "Settings", "TerminalUI"]),
    // Drives the real programs by the means of the tests.
    program(
      "confab-bench",
      [
        "TestSupport", "Drawings", "Emoticons", "HelperPrograms", "JSON", "LogFiles", "LogTool", "MarkedText",
        "MessageLog",
        "Records", "Syscalls",
      ]),

    // Tests
    .target(
      name: "TestSupport", dependencies: ["Bytes", "Syscalls", "JSON", "MessageLog", "Records"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    // The engine in a world of its own making, and the program that runs it (`make simulate`).
    .target(
      name: "Simulation",
      dependencies: [
        "Bytes", "Clocks", "ConfabEngine", "Crypto", "State", "JSON", "MessageLog", "NetworkValues", "Records",
        "Search",
        "Settings", "TestSupport", "XML", "XMPPCore", "XMPPStream", "Emoticons",
      ],
      path: "Tests/Simulation", swiftSettings: strict),
    // Tries to get out of the sandbox of `confab-transfer`.
    .executableTarget(
      name: "confab-escape", dependencies: ["ConfabTransfer", "Syscalls", "Transfers"], path: "Tests/Escape",
      swiftSettings: strict),
    .executableTarget(
      name: "confab-simulate", dependencies: ["Simulation", "Syscalls"], path: "Tests/Simulate", swiftSettings: strict),
    tests("Bytes"), tests("Clocks"), tests("JSON"),
    tests("Syscalls"), tests("Crypto", ["Bytes"]), tests("TLS", ["NetworkValues"]), tests("XML"),
    tests("Settings", ["Clocks"]),
    tests("NameService", ["NetworkValues", "Syscalls"]), tests("Names"),
    tests("XMPPCore", ["XML"]), tests("SASL", ["Crypto", "Names", "Bytes"]),
    tests("XMPPStream", ["NetworkValues", "XMPPCore", "XML", "SASL", "Crypto", "Names", "Bytes"]),
    tests("XMPPExtensions", ["XMPPCore", "XML", "Clocks", "Crypto", "Bytes", "Pictures"]),
    tests("LineProtocol", ["JSON", "Clocks"]), tests("MessageLog", ["Bytes", "Clocks"]),
    tests("Records", ["Bytes", "Clocks", "JSON"]),
    tests("Conversations", ["Clocks"]), tests("Checks"),
    tests("MarkedText", ["JSON"]), tests("PropertyLists", ["JSON"]),
    tests("Drawings", ["Bytes"]),
    tests(
      "ConfabPicture", ["Bytes", "CPNG", "Drawings", "HelperPrograms", "PictureDecoding", "Syscalls", "confab-picture"]),
    tests("Pictures"), tests("Transfers", ["Clocks", "Crypto", "NetworkValues"]), tests("HTTP"),
    tests(
      "ConfabTransfer",
      [
        "Clocks", "Crypto", "HelperPrograms", "JSON", "NetworkValues", "Sandbox", "Syscalls", "Transfers",
        "confab-transfer",
        "confab-escape",
      ]),
    tests("Emoticons", ["JSON", "MarkedText", "Syscalls"]),
    tests("State", ["Bytes", "Clocks", "Conversations", "JSON", "MessageLog", "Records"]),
    tests("Search", ["Bytes", "Clocks", "Conversations", "State", "MessageLog", "Names", "Records"]),
    tests("Reactor", ["Syscalls", "Clocks"]), tests("LogFiles", ["Bytes", "MessageLog", "Syscalls"]),
    tests("Transport", ["NetworkValues", "Reactor", "Syscalls", "Clocks", "TLS", "NameService"]),
    tests(
      "ConfabEngine",
      [
        "Bytes", "Clocks", "JSON", "NetworkValues", "Settings", "XML", "XMPPCore", "XMPPStream", "XMPPExtensions",
        "SASL",
        "Crypto",
        "LineProtocol", "MessageLog", "Records", "Conversations", "State", "Search", "Emoticons",
        "Pictures", "Transfers",
      ]),
    tests(
      "ConfabRuntime",
      [
        "Clocks", "Settings", "Syscalls", "Crypto", "SASL", "ConfabEngine", "State", "MessageLog", "Reactor", "Records",
        "Search", "Emoticons", "XMPPExtensions", "Pictures", "Transport",
      ]),
    tests(
      "LogTool",
      ["Bytes", "Clocks", "State", "JSON", "MessageLog", "LogFiles", "Records", "Syscalls", "ConfabEngine", "XMPPCore"]),
    tests("ConfabCLI", ["ConfabClient", "LineProtocol", "JSON", "Clocks", "Syscalls"]),
    tests("Manuals"), tests("Simulation"),
    tests("Glyphs"), tests("Spelling"), tests("Screen", ["Glyphs"]),
    tests("TerminalDevice", ["Screen", "Glyphs", "Syscalls"]),
    tests("ConfabTUI", ["Clocks", "ConfabClient", "Drawings", "Reactor", "Syscalls", "TerminalUI"]),
    tests(
      "TerminalUI", ["Clocks", "Drawings", "Glyphs", "JSON", "LineProtocol", "Screen", "Settings"], exclude: ["Frames"]),
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
        "Bytes", "Clocks", "JSON", "NetworkValues", "Settings", "XML", "XMPPCore", "SASL", "XMPPStream",
        "XMPPExtensions", "LineProtocol", "MessageLog", "Records", "Conversations", "State", "Search", "ConfabEngine",
        "Crypto", "Names", "MarkedText", "Emoticons", "Pictures", "Reactor", "Screen", "Transport", "TestSupport",
        "HTTP", "Transfers", "Drawings", "PictureDecoding", "Syscalls",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict)
  ]
}
