import ParticlesPropertyLists
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Over effects for cocos2d, Particle Designer, Solar2D and Starling.
struct CocosCorpusTests {
  /// A folder of the corpus.
  struct Folder: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: String
    var format: ParticleFormat
    var testDescription: String { name }
  }

  static let folders = [
    Folder(name: "plist", kind: "plist", format: .cocos2d),
    Folder(name: "pd-json", kind: "json", format: .particleDesigner),
    Folder(name: "pex", kind: "pex", format: .starling),
  ]

  static func load(_ path: String, _ folder: Folder) throws -> Imported {
    let bytes = try Files.read(path)
    let name = Files.lastComponent(of: path)
    // Textures are kept by owner and repository, which the name of the file begins with.
    let owner = name.split(separator: "__").prefix(2).joined(separator: "__")
    let finder = ImageFinder(
      besides: path, folders: ["\(Files.folder(of: path))/textures/\(owner)"])
    #expect(
      try FormatRegistry.standard.recognising(bytes, fileName: "x").name == folder.format.name)
    return try folder.format.decode(
      bytes, DecodingContext(fileName: name, findImage: finder.find))
  }

  /// What becomes of a file: whether it comes back byte by byte, and whether an edit of one property
  /// changes its key only.
  private func check(_ path: String, _ folder: Folder, _ rules: inout [String: Int]) throws -> Bool
  {
    let imported = try Self.load(path, folder)
    for finding in imported.diagnostics { rules[finding.rule.code, default: 0] += 1 }
    #expect(imported.diagnostics.allSatisfy { $0.severity < .error }, "\(path)")
    let system = imported.system
    #expect(system.diagnostics().allSatisfy { $0.severity < .warning }, "\(path)")
    #expect(try ParticleSystem(decoding: system.encoded()) == system)
    var package = try imported.package()
    let name = Files.lastComponent(of: path)
    let same = try package.exported(as: folder.format, fileName: name)
    #expect(
      same.losses.allSatisfy { $0.rule == .missingImage },
      "\(path): \(same.losses.first?.description ?? "")")

    var edited = system
    edited.emitters[0].size.width.from = edited.emitters[0].size.width.from.moved(by: 3)
    try package.setSystem(edited)
    let other = try package.exported(as: folder.format, fileName: name)
    #expect(
      other.losses.allSatisfy { $0.rule == .missingImage },
      "\(path): \(other.losses.first?.description ?? "")")
    let (old, new) = (try Self.values(imported.source), try Self.values(other.parts[0].bytes))
    let changed = old.keys.filter { old[$0] != new[$0] } + new.keys.filter { old[$0] == nil }
    // A size that stays is one number in the document, and two in the file.
    let stays = edited.emitters[0].size.width.to == nil && changed.count == 2
    #expect(
      changed.sorted() == (stays ? ["finishParticleSize"] : []) + ["startParticleSize"],
      "\(path): \(changed)")
    return same.parts.first?.bytes == imported.source
  }

  /// Keys and values with their types, read by others than the code under test.
  private static func values(_ bytes: [UInt8]) throws -> [String: String] {
    if let json = try? JSONParser.parse(bytes) {
      let members = try #require(json.object).members
      return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.text) })
    }
    let root = try XMLParser.parse(bytes)
    if root.name == "plist" {
      let members = try #require(PropertyListValue(decoding: bytes).members)
      return Dictionary(uniqueKeysWithValues: members.map { ($0.key, "\($0.value)") })
    }
    return Dictionary(
      uniqueKeysWithValues: root.children.map { ($0.name, "\($0.attributes.map(\.value))") })
  }

  /// One changed value is one changed line. A value that was left out is one more line, or two.
  @Test(arguments: folders) func editsChangeTheirLinesOnly(folder: Folder) throws {
    let python = Run.optional("python3")
    var (files, count) = (0, 0)
    for path in Corpus.sample(folder.name, folder.kind, 3) {
      let imported = try Self.load(path, folder)
      var package = try imported.package()
      var system = imported.system
      if system.emitters[0].motion.mode == .orbit {
        let speed = try #require(system.emitters[0].motion.orbit?.angularVelocity)
        system.emitters[0].motion.orbit?.angularVelocity = speed.moved(by: 3)
      } else {
        system.emitters[0].launch.speed = system.emitters[0].launch.speed.moved(by: 3)
      }
      try package.setSystem(system)
      let edited = try package.exported(
        as: folder.format, fileName: Files.lastComponent(of: path)
      ).parts[0].bytes
      let (old, new) = (try Self.values(imported.source), try Self.values(edited))
      let changed = new.keys.filter { old[$0] != new[$0] }
      let added = changed.filter { old[$0] == nil }.count
      #expect(old.keys.allSatisfy { new[$0] != nil } && changed.count == 1, "\(path)")
      let lines = edited.split(separator: 0x0A, omittingEmptySubsequences: false)
        .difference(
          from: imported.source.split(separator: 0x0A, omittingEmptySubsequences: false))
      #expect(lines.removals.count == changed.count - added, "\(path)")
      #expect(
        lines.insertions.count <= changed.count + (folder.kind == "plist" ? added : 0), "\(path)")
      if let python { try Self.expectOthersAgree(imported.source, edited, python) }
      files += 1
      count += lines.insertions.count
    }
    print("\(folder.name): \(files) files edited, \(count) lines changed")
  }

  /// Expects that Python reads equal values, except one.
  private static func expectOthersAgree(
    _ old: [UInt8], _ new: [UInt8], _ python: String
  ) throws {
    let script = """
      import json, plistlib, sys, xml.etree.ElementTree as xml
      def read(data):
        if b"<plist" in data: return plistlib.loads(data)
        if data.lstrip()[:1] == b"{": return json.loads(data)
        return {(i, k): v for i, e in enumerate(xml.fromstring(data).iter()) for k, v in e.attrib.items()}
      data = sys.stdin.buffer.read()
      old, new = read(data[:int(sys.argv[1])]), read(data[int(sys.argv[1]):])
      changed = [k for k in {**old, **new} if old.get(k) != new.get(k)]
      print(len(changed), list(new)[:len(old)] == list(old))
      """
    let run = try Run(python, ["-c", script, "\(old.count)"], input: old + new)
    #expect(run.text == "1 True\n", "\(run.errors)")
  }

  @Test(arguments: folders) func everyFileComesBack(folder: Folder) throws {
    let paths = Corpus.sample(folder.name, folder.kind, 12)
    var rules: [String: Int] = [:]
    var exact = 0
    for path in paths where try check(path, folder, &rules) { exact += 1 }
    let list = rules.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("\(folder.name): \(paths.count) files, \(exact) exact, \(list.joined(separator: ", "))")
    #expect(!paths.isEmpty)
    #expect(exact == paths.count)
    let expected = Self.findings[folder.name] ?? [:]
    // A smaller corpus has fewer findings, never others.
    #expect(rules.allSatisfy { $0.value <= expected[$0.key, default: 0] }, "\(list)")
  }

  /// How often each rule is broken by the corpus.
  static let findings: [String: [String: Int]] = [
    "plist": [
      "convert/assumed": 85, "convert/ignored": 4, "convert/approximated": 81,
      "convert/uninterpreted": 25, "convert/missing-image": 7, "image/embedded": 5,
    ],
    "pd-json": ["convert/approximated": 3, "convert/assumed": 1, "convert/missing-image": 1],
    "pex": ["convert/ignored": 2, "convert/missing-image": 2],
  ]

  /// Whatever is written for the family accounts for itself, wherever it came from.
  @Test func nothingChangesInSilence() throws {
    let others = [Folder(name: "scnp", kind: "scnp", format: .sceneKit)]
    for folder in Self.folders + others {
      for path in Corpus.sample(folder.name, folder.kind, 6) {
        let bytes = try Files.read(path)
        let imported = try folder.format.decode(
          bytes, DecodingContext(fileName: Files.lastComponent(of: path)))
        let package = try imported.package()
        for target in Self.folders where target.name != folder.name {
          let exported = try package.exported(as: target.format, fileName: "out.\(target.kind)")
          let silent = exported.losses.filter { $0.rule == .changed }
          #expect(silent.isEmpty, "\(path) → \(target.kind): \(silent)")
        }
      }
    }
  }
}

extension Value {
  fileprivate func moved(by distance: Double) -> Value {
    switch self {
    case .constant(let number): .constant(number + distance)
    case .uniform(let range): .range(range.min + distance, range.max + distance)
    default: self
    }
  }
}
