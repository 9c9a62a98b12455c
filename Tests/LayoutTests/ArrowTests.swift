import TestSupport
import Testing

/// Dependencies go one way. The imports are read as they stand in the files.
@Suite("Arrows between the layers")
struct ArrowTests {
  @Test("Sources has the folders of the table of layers, and each has its targets")
  func wholeTable() {
    let sources = Products.repository + "/Sources"
    #expect(Set(TestFiles.names(in: sources)) == Set(Layers.folders + ["C"]))
    #expect(Set(TestFiles.names(in: sources + "/C")) == Set(Layers.wrappers.keys.map(Layers.target(ofC:))))
    for folder in Layers.folders {
      let targets = Layers.all.filter { $0.value.folder == folder }.keys
      #expect(Set(TestFiles.names(in: sources + "/" + folder)) == Set(targets), "\(folder)")
    }
    #expect(Set(SourceFile.all.map(\.target)) == Set(Layers.all.keys), "a folder without Swift, or a strange one")
    let targets = Layers.all.count + TestFiles.names(in: sources + "/C").count
    #expect(targets < 50, "\(targets) targets are more than a reader can know")
  }

  @Test("Tests has the folders of Sources, and each has the tests of targets in its namesake")
  func mirror() {
    for folder in Layers.folders where folder != "Programs" {
      let targets = Layers.all.filter { $0.value.folder == folder }.keys.map { $0 + "Tests" }
      let tests = TestFiles.names(in: Products.repository + "/Tests/" + folder)
      #expect(!tests.isEmpty && Set(targets).isSuperset(of: tests), "\(folder)")
    }
  }

  @Test(
    "a file imports lower layers, what its layer may use beside itself, and nothing forbidden",
    arguments: SourceFile.all)
  func imports(file: SourceFile) throws {
    let layer = try #require(Layers.all[file.target])
    for module in file.imports {
      if let refusal = refusal(of: module, by: file.target, layer) { Issue.record("\(file.path): \(refusal)") }
    }
  }

  @Test("Package.swift declares no arrow that is not allowed, and every one that is used")
  func declaredDependencies() throws {
    let declared = try DeclaredDependencies.read()
    #expect(Set(declared.keys) == Set(Layers.all.keys))
    for (target, dependencies) in declared {
      let layer = try #require(Layers.all[target])
      for module in dependencies where module != "CLibraries" {
        if let refusal = refusal(of: module, by: target, layer) { Issue.record("Package.swift: \(target): \(refusal)") }
      }
    }
    for file in SourceFile.all {
      for module in file.imports where Layers.all[module] != nil || Layers.wrappers[module] != nil {
        let target = Layers.all[module] == nil ? Layers.target(ofC: module) : module
        #expect(declared[file.target]?.contains(target) == true, "\(file.path) imports \(module) by accident")
      }
    }
  }

  @Test("the tests can see a wrong arrow")
  func wrongArrows() throws {
    let bytes = try #require(Layers.all["Bytes"])
    let engine = try #require(Layers.all["ConfabEngine"])
    #expect(refusal(of: "Clocks", by: "Bytes", bytes) != nil)
    #expect(refusal(of: "Glibc", by: "Bytes", bytes) != nil)
    #expect(refusal(of: "COpenSSL", by: "ConfabEngine", engine) != nil)
    #expect(refusal(of: "ConfabRuntime", by: "ConfabEngine", engine) != nil)
    #expect(refusal(of: "Foundation", by: "ConfabEngine", engine) != nil)
    #expect(refusal(of: "XMPPCore", by: "ConfabEngine", engine) == nil)
    let accounts = try #require(Layers.all["ConfabAccounts"])
    #expect(refusal(of: "SocketClients", by: "ConfabAccounts", accounts) != nil)
    let file = SourceFile(
      path: "Sources/X/Y/Z.swift", lines: ["@testable import A", "package import struct B.C", "// import D"])
    #expect(file.imports == ["A", "B"])
  }

  /// Why a target may not import a module; nil where it may.
  private func refusal(of module: String, by target: String, _ layer: Layers.Layer) -> String? {
    if Layers.banned.contains(module) { return "imports \(module)" }
    if let wrappers = Layers.wrappers[module] {
      return wrappers.contains(target) ? nil : "imports \(module), which is for \(wrappers.sorted()) only"
    }
    if Layers.system.contains(module) {
      let mayUse = Layers.systemUsers.contains(target) || layer.folder == "Programs"
      return mayUse ? nil : "is pure and imports \(module)"
    }
    if layer.beside.contains(module) { return nil }
    guard let other = Layers.all[module] else { return "imports \(module), which is in no table" }
    if other.level < layer.level { return nil }
    return "is in \(layer.folder) and imports \(module) of \(other.folder)"
  }
}
