import Foundation
import ParticlesArchives
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Packages of Unity.
@Suite("Unity packages")
struct UnityPackageTests {
  private static let guid = String(repeating: "a", count: 32)

  /// A compressed archive of files by their paths, made by the tar writer.
  private static func archive(_ files: [String: String], link: String? = nil) throws -> [UInt8] {
    var root = try FileNode(directoryWithFileNodes: [:])
    for (path, text) in files {
      try root.setFileNode(FileNode(regularFileWithContents: Array(text.utf8)), at: path)
    }
    if let link {
      try root.setFileNode(FileNode(symbolicLinkWithDestination: "pathname"), at: link)
    }
    return Deflate(level: 6).gzip(try ParticleFormat.tar.packed(root).bytes)
  }

  private static func unpack(_ bytes: [UInt8], _ limits: Limits = .standard) throws -> FileNode {
    try UnityPackage.unpack(.bytes(bytes, name: "a.unitypackage"), limits: limits).root
  }

  private static func paths(_ root: FileNode) -> [String] {
    var paths: [String] = []
    root.forEachDescendant { path, node in if node.isRegularFile { paths.append(path) } }
    return paths
  }

  @Test("assets are at their paths in the project; folders and previews are left out")
  func paths() throws {
    let guid = Self.guid
    let bytes = try Self.archive([
      "\(guid)/pathname": "Assets/Effects/Fire.prefab\n00", "\(guid)/asset": "%YAML",
      "\(guid)/asset.meta": "guid: \(guid)", "\(guid)/preview.png": "x",
      "b/pathname": "Assets/Effects", "b/asset.meta": "folderAsset: yes", ".icon.png": "x",
    ])
    #expect(UnityPackage.isPackage(bytes, "a.unitypackage"))
    #expect(!UnityPackage.isPackage(bytes, "a.tgz"))
    #expect(
      Self.paths(try Self.unpack(bytes)) == [
        "Assets/Effects/Fire.prefab", "Assets/Effects/Fire.prefab.meta", "Assets/Effects.meta",
      ])
  }

  @Test("paths that leave the project, links, equal paths and long ones are refused by name")
  func hostile() throws {
    func rule(_ files: [String: String], link: String? = nil, _ limits: Limits = .standard)
      -> Rule?
    {
      do {
        _ = try Self.unpack(Self.archive(files, link: link), limits)
        return nil
      } catch { return (error as? Diagnostic)?.rule }
    }
    for path in ["../x", "/etc/passwd", "Assets/../../x", "Assets//x", "Assets/./x", ""] {
      #expect(rule(["a/pathname": path, "a/asset": "x"]) == .name, "\(path)")
    }
    #expect(rule(["a/pathname": "Assets/x"], link: "a/asset") == .link)
    #expect(
      rule(["a/pathname": "Assets/x", "a/asset": "1", "b/pathname": "Assets/x", "b/asset": "2"])
        == .duplicate)
    #expect(rule(["a/pathname": String(repeating: "a", count: 5000), "a/asset": "x"]) == .limit)
    #expect(rule(["a/asset": "x"]) == .tar)
    var few = Limits.standard
    few.entryBytes = 100
    let large = String(repeating: "x", count: 200)
    #expect(rule(["a/pathname": "Assets/x", "a/asset": large], few) == .limit)
    // A megabyte of zeros in a kilobyte.
    few = .standard
    few.fileBytes = 1 << 20
    #expect(
      rule(["a/pathname": "Assets/x", "a/asset": String(repeating: "\0", count: 2 << 20)], few)
        == .limit)
  }

  /// A package with the document of an effect.
  private static func document() throws -> FileNode {
    var system = ParticleSystem(name: "Glow", emitters: [Emitter(name: "Glow")])
    system.emitters[0].emission.rate = 20
    system.emitters[0].render.blend = Blend(.add)
    var root = try FileNode(directoryWithFileNodes: [:])
    try root.setFileNode(
      FileNode(regularFileWithContents: system.encoded()), at: "document.json")
    return root
  }

  @Test("an effect becomes a prefab with its materials, in the same bytes each time")
  func effect() throws {
    let packed = try ParticleFormat.unityPackage.packed(try Self.document())
    #expect(try ParticleFormat.unityPackage.packed(try Self.document()).bytes == packed.bytes)
    #expect(packed.bytes.starts(with: [0x1F, 0x8B]))
    let root = try Self.unpack(packed.bytes)
    #expect(
      Self.paths(root) == [
        "Assets/Glow/Glow-add.mat", "Assets/Glow/Glow-add.mat.meta", "Assets/Glow/Glow.prefab",
        "Assets/Glow/Glow.prefab.meta",
      ])
    let prefab = try #require(try root["Assets/Glow/Glow.prefab"]?.regularFileContents())
    let material = try root["Assets/Glow/Glow-add.mat"]?.regularFileContents()
    let guid = try root["Assets/Glow/Glow-add.mat.meta"]?.regularFileContents()
      .flatMap(UnityMeta.guid(ofMeta:))
    let imported = try ParticleFormat.unity.decode(
      prefab,
      DecodingContext(fileName: "Glow.prefab") { $0 == "guid:\(guid ?? "")" ? material : nil })
    #expect(imported.system.emitters[0].emission.rate == 20)
    #expect(imported.system.emitters[0].render.blend.mode == .add)
  }

  /// The modes of Unity's shader `Particles/Standard Unlit`: 0 opaque, 2 fade, 4 additive, 5 subtractive, 6 modulate.
  @Test(
    "each blending has its mode of the shader, and comes back",
    arguments: [
      (.alpha, 2), (.add, 4), (.subtract, 5), (.multiply, 6), (.multiplyAlpha, 6),
      (.multiplyX2, 6), (.screen, 2), (.premultiplied, 2), (.replace, 0),
    ] as [(BlendMode, Int)])
  func blending(mode: BlendMode, number: Int) throws {
    var document = try Self.document()
    let bytes = try #require(try document["document.json"]?.regularFileContents())
    var system = try ParticleSystem(decoding: bytes)
    system.emitters[0].render.blend = Blend(mode)
    try document.setFileNode(
      FileNode(regularFileWithContents: system.encoded()), at: "document.json")
    let root = try Self.unpack(try ParticleFormat.unityPackage.packed(document).bytes)
    let path = try #require(Self.paths(root).first { $0.hasSuffix(".mat") })
    let material = try #require(try root[path]?.regularFileContents())
    #expect(String(decoding: material, as: UTF8.self).contains("_Mode: \(number)\n"))
    let prefab = try #require(try root["Assets/Glow/Glow.prefab"]?.regularFileContents())
    let imported = try ParticleFormat.unity.decode(
      prefab,
      DecodingContext(fileName: "Glow.prefab") { $0.hasPrefix("guid:") ? material : nil })
    let blend = imported.system.emitters[0].render.blend
    // Unity has no names for these two: the factors come back.
    let isNamed = ![.multiplyAlpha, .multiplyX2].contains(mode)
    #expect(blend.named.mode == (isNamed ? mode : .custom))
    #expect(
      isNamed || blend.source == 774 && blend.destination == (mode == .multiplyX2 ? 768 : 771))
  }

  @Test("two files that would get one identifier are refused")
  func equalFiles() throws {
    var root = FileNode.emptyDirectory
    for name in ["a", "b"] {
      try root.setFileNode(FileNode(regularFileWithContents: [1]), at: "Assets/\(name).txt")
    }
    let fault = expectThrows(.duplicate) { try ParticleFormat.unityPackage.packed(root) }
    #expect(fault?.location.entry?.hasPrefix("Assets/") == true)
  }

  @Test("the files of a project come back with their identifiers")
  func project() throws {
    let first = try Self.unpack(try ParticleFormat.unityPackage.packed(try Self.document()).bytes)
    let again = try Self.unpack(try ParticleFormat.unityPackage.packed(first).bytes)
    #expect(Self.paths(first) == Self.paths(again))
    for path in Self.paths(first) {
      #expect(try first[path]?.regularFileContents() == again[path]?.regularFileContents())
    }
  }

  @Test("tarfile of Python reads a package, with three files for each asset", .needs("python3"))
  func foreign() throws {
    let scratch = try Scratch()
    let path = scratch.file("a.unitypackage")
    try Data(try ParticleFormat.unityPackage.packed(try Self.document()).bytes)
      .write(to: URL(fileURLWithPath: path))
    let script = """
      import re, sys, tarfile
      archive = tarfile.open(sys.argv[1], "r:gz")
      files = {m.name: archive.extractfile(m).read().decode() for m in archive if m.isfile()}
      folders = {name.split("/")[0] for name in files}
      for folder in folders:
          assert re.fullmatch("[0-9a-f]{32}", folder), folder
          names = sorted(n.split("/")[1] for n in files if n.startswith(folder))
          assert names == ["asset", "asset.meta", "pathname"], names
          assert "guid: " + folder in files[folder + "/asset.meta"]
          assert files[folder + "/pathname"].startswith("Assets/")
      print(len(folders))
      """
    let run = try Run(try #require(Run.find("python3")), ["-c", script, path])
    #expect(run.status == 0 && run.text.hasPrefix("2"), "\(run.text)\(run.errors)")
  }
}
