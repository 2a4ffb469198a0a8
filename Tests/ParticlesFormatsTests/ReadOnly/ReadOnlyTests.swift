import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Formats that are only read: Vortex, Core Animation and Effekseer.
@Suite("Formats that are only read")
struct ReadOnlyTests {
  private static func file(_ path: String) throws -> [UInt8] {
    try Files.read(Repository.path("Fixtures/\(path)"))
  }

  private static func load(_ path: String) throws -> Imported {
    let name = Files.lastComponent(of: path)
    let bytes = try file(path)
    let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
    return try format.decode(bytes, DecodingContext(fileName: name))
  }

  @Test(
    "a script with a reader of its own finds each value of the file in the document",
    .needs("python3"),
    arguments: ["vortex/torch.json", "effekseer/sparks.efkproj", "caemitter/sparks.plist"])
  func values(path: String) throws {
    let scratch = try Scratch()
    let document = scratch.file("document.json")
    let imported = try Self.load(path)
    #expect(
      imported.diagnostics.allSatisfy { $0.rule != .uninterpreted }, "\(imported.diagnostics)")
    try SafeSave.file(document, replacing: true) { try $0.write(imported.system.encoded()) }
    let run = try Run(
      try #require(Run.find("python3")),
      [
        Repository.path("Tests/Readers/read_only.py"), Repository.path("Fixtures/\(path)"),
        document,
      ])
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    print("\(path): \(run.text.prefix { $0 != "\n" }) compared")
  }

  @Test("they are read and not written, with types of their own")
  func registry() {
    for format in [ParticleFormat.vortex, .coreAnimation, .effekseer] {
      #expect(format.canRead && !format.canWrite && format.types.count == 1, "\(format.name)")
    }
  }

  @Test(
    "damaged files are read or refused, and messages stay on one line",
    arguments: ["vortex/torch.json", "effekseer/sparks.efkproj", "caemitter/sparks.plist"])
  func damage(path: String) throws {
    let (bytes, name) = (try Self.file(path), Files.lastComponent(of: path))
    let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
    var random = SeededGenerator(seed: 11)
    var refused = 0
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: place)
        default:
          damaged.insert(damaged[Int.random(in: 0..<damaged.count, using: &random)], at: place)
        }
      }
      do {
        let imported = try format.decode(damaged, DecodingContext(fileName: name))
        #expect(imported.diagnostics.allSatisfy { !"\($0)".contains("\n") })
        let faults = imported.system.diagnostics().filter { $0.severity == .error }
        #expect(faults.isEmpty, "\(faults)")
      } catch is Diagnostic { refused += 1 }
    }
    #expect(refused > 0 && refused < 400)
  }

  // MARK: - Vortex

  private func vortex(_ text: String) throws -> Imported {
    try ParticleFormat.vortex.decode(Array(text.utf8), DecodingContext(fileName: "a.json"))
  }

  @Test("what Vortex cannot hand over is reported by its key")
  func vortexReports() throws {
    let imported = try vortex(
      #"""
      {"birthRate": 5, "tags": ["circle"], "stretchFactor": 4, "speed": "fast", "other": {"a": 1},
       "attractionCenter": [0.5, 0.5], "attractionStrength": 2, "angularSpeed": [1, 0, 2],
       "shape": {"star": {}}, "colors": {"single": {"_0": {"red": 0.5, "green": 1, "blue": 0}}}}
      """#)
    let found = imported.diagnostics.map { "\($0.rule.code) \($0.location)" }
    for key in ["tags", "stretchFactor", "other", "attractionStrength", "angularSpeed"] {
      #expect(
        imported.diagnostics.contains {
          $0.rule == .uninterpreted && "\($0.location)".contains(key)
        },
        "\(key): \(found)")
    }
    #expect(imported.diagnostics.contains { $0.rule == .emitterValue }, "\(found)")
    #expect(imported.system.emitters[0].color.base == ColorTrack(.constant(Color(0.5, 1, 0, 1))))
    #expect(throws: Diagnostic.self) { try vortex("{}") }
    #expect(throws: Diagnostic.self) { try vortex("[1") }
  }

  @Test("systems nested without end stop at a level")
  func vortexNesting() throws {
    var text = #"{"birthRate": 1}"#
    for _ in 0..<30 { text = #"{"birthRate": 1, "secondarySystems": [\#(text)]}"# }
    let imported = try vortex(text)
    #expect(imported.system.emitters.count == 9)
    #expect(imported.diagnostics.contains { $0.rule == .uninterpreted })
  }

  // MARK: - Core Animation

  private static func point(_ text: String) -> ForgedValue {
    .object(
      ["NSValue", "NSObject"], [.init("NS.special", .int(1)), .init("NS.pointval", .string(text))])
  }

  private static func size(_ text: String) -> ForgedValue {
    .object(
      ["NSValue", "NSObject"], [.init("NS.special", .int(2)), .init("NS.sizeval", .string(text))])
  }

  private static func cell(_ entries: [ForgedValue.Entry]) -> ForgedValue {
    .object(["CAEmitterCell", "NSObject"], entries)
  }

  private static func layer(_ entries: [ForgedValue.Entry]) -> ForgedValue {
    .object(["CAEmitterLayer", "CALayer", "NSObject"], entries)
  }

  @Test("cells of a layer become emitters; the layer multiplies their values")
  func coreAnimation() throws {
    let inner = Self.cell([.init("birthRate", .real(20)), .init("lifetime", .real(0.5))])
    let cell = Self.cell([
      .init("name", .string("spark")), .init("birthRate", .real(30)),
      .init("lifetime", .real(2)), .init("lifetimeRange", .real(0.5)),
      .init("velocity", .real(100)), .init("velocityRange", .real(20)),
      .init("emissionLongitude", .real(-.pi / 2)), .init("emissionRange", .real(.pi / 4)),
      .init("yAcceleration", .real(50)), .init("scale", .real(0.5)),
      .init("scaleSpeed", .real(-0.1)), .init("spin", .real(.pi)),
      .init("alphaSpeed", .real(-0.5)), .init("emitterCells", .array([inner])),
      .init("magnificationFilter", .string("nearest")),
    ])
    let root = Self.layer([
      .init("birthRate", .real(2)), .init("emitterPosition", Self.point("{10, 20}")),
      .init("emitterSize", Self.size("{30, 40}")), .init("emitterShape", .string("rectangle")),
      .init("renderMode", .string("additive")), .init("emitterCells", .array([cell])),
    ])
    let bytes = ArchiveForge.archive(root)
    let format = try FormatRegistry.standard.recognising(bytes, fileName: "a.plist")
    #expect(format.name == "caemitter")
    let imported = try format.decode(bytes, DecodingContext(fileName: "a.plist"))
    let emitter = try #require(imported.system.emitters.first)
    #expect(imported.system.emitters.count == 2 && emitter.name == "spark")
    #expect(emitter.emission.rate == 60)
    #expect(emitter.lifetime == .range(1.5, 2.5))
    #expect(emitter.launch.speed == .range(80, 120))
    #expect(emitter.launch.direction == Emitter.Direction(angle: 90))
    #expect(emitter.launch.spread == 22.5)
    #expect(emitter.forces == [.gravity(Vector(0, -50))])
    #expect(emitter.size.width == Track(from: 0.5, rate: -0.1))
    #expect(emitter.rotation.velocity == -180)
    #expect(emitter.color.base.rate.alpha == -0.5)
    #expect(emitter.transform.translation == Vector(10, -20))
    #expect(emitter.shape.size.x == 30 && emitter.shape.size.y == 40)
    #expect(emitter.render.blend.mode == .add)
    #expect(emitter.triggers.first?.interval == 0.05)
    #expect(
      imported.diagnostics.contains { "\($0.location)".contains("magnificationFilter") })
  }

  @Test("layers below others are found; an archive without cells is refused with its class")
  func coreAnimationRoots() throws {
    let layer = Self.layer([.init("emitterCells", .array([Self.cell([])]))])
    let above = ForgedValue.object(["CALayer", "NSObject"], [.init("sublayers", .array([layer]))])
    let context = DecodingContext(fileName: "a.caar")
    let imported = try ParticleFormat.coreAnimation.decode(ArchiveForge.archive(above), context)
    #expect(imported.system.emitters.count == 1)
    for root in [Self.layer([]), .object(["CALayer", "NSObject"], [])] {
      let fault = expectThrows(.archiveRoot) {
        try ParticleFormat.coreAnimation.decode(ArchiveForge.archive(root), context)
      }
      #expect(fault?.found?.hasPrefix("CA") == true)
    }
  }

  // MARK: - Effekseer

  /// A container with the tree of a project, as Effekseer writes it.
  private static func container(_ root: XMLForge) -> [UInt8] {
    var (names, texts): ([String], [String]) = ([], [])
    func half(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }
    func word(_ number: Int) -> [UInt8] { half(number & 0xFFFF) + half(number >> 16) }
    func index(_ text: String, _ list: inout [String]) -> Int {
      if let place = list.firstIndex(of: text) { return place }
      list.append(text)
      return list.count - 1
    }
    func elements(_ nodes: [XMLForge]) -> [UInt8] {
      half(nodes.count)
        + nodes.flatMap { node -> [UInt8] in
          var bytes = half(index(node.name, &names))
          bytes += node.text.map { word(1) + half(index($0, &texts)) } ?? word(0)
          return bytes + (node.children.isEmpty ? word(0) : word(1) + elements(node.children))
        }
    }
    func table(_ list: [String]) -> [UInt8] {
      half(list.count)
        + list.enumerated().flatMap {
          half($0.element.utf8.count) + Array($0.element.utf8) + half($0.offset)
        }
    }
    let tree = elements([root])
    let plain = table(names) + table(texts) + tree
    let edit = plain.withUnsafeBytes { Deflate(level: 6).zlib($0, limit: 1 << 20) } ?? []
    func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(name.utf8) + word(bytes.count) + bytes
    }
    return Array("EFKE".utf8) + word(0) + chunk("INFO", [1, 2, 3]) + chunk("EDIT", edit)
      + chunk("BIN_", Array("SKFE".utf8))
  }

  struct XMLForge {
    var name: String
    var text: String?
    var children: [XMLForge] = []
  }

  @Test("a container holds the same project as XML")
  func effekseerContainer() throws {
    func leaf(_ name: String, _ text: String) -> XMLForge { XMLForge(name: name, text: text) }
    let node = XMLForge(
      name: "Node",
      children: [
        leaf("Name", "spark"),
        XMLForge(
          name: "CommonValues",
          children: [
            XMLForge(name: "MaxGeneration", children: [leaf("Infinite", "True")]),
            XMLForge(
              name: "Life", children: [leaf("Center", "30"), leaf("Max", "30"), leaf("Min", "30")]),
          ]),
        XMLForge(name: "DrawingValues", children: [leaf("Type", "3")]),
        XMLForge(name: "SoundValues", children: [leaf("Type", "1")]),
      ])
    let root = XMLForge(
      name: "EffekseerProject",
      children: [XMLForge(name: "Root", children: [XMLForge(name: "Children", children: [node])])])
    let bytes = Self.container(root)
    let format = try FormatRegistry.standard.recognising(bytes, fileName: "a.efkefc")
    let imported = try format.decode(bytes, DecodingContext(fileName: "a.efkefc"))
    let emitter = try #require(imported.system.emitters.first)
    #expect((emitter.name, emitter.lifetime, emitter.emission.rate) == ("spark", 0.5, 60))
    #expect(emitter.emission.total == nil)
    let found = imported.diagnostics.filter { $0.rule == .uninterpreted }.map { "\($0.location)" }
    #expect(found.contains { $0.contains("DrawingValues") }, "\(found)")
    #expect(found.contains { $0.contains("SoundValues") }, "\(found)")
    // Damage is an error, never a crash.
    for length in stride(from: 8, to: bytes.count - 12, by: 3) {
      #expect(throws: Diagnostic.self) {
        try format.decode(Array(bytes.prefix(length - 5)), DecodingContext(fileName: "a.efkefc"))
      }
    }
  }

  @Test("a project without nodes is refused with the element that is missing")
  func effekseerRoot() {
    for (text, name) in [
      ("<EffekseerProject/>", "Root.Children"), ("<Other/>", ""),
      ("<EffekseerProject><Root><Children/></Root></EffekseerProject>", "Root.Children"),
    ] {
      let fault = expectThrows(.emitterRoot) {
        try ParticleFormat.effekseer.decode(
          Array(text.utf8), DecodingContext(fileName: "a.efkproj"))
      }
      #expect(fault.map { "\($0)".contains(name) } == true)
    }
  }

  private func nodes(_ text: String) throws -> [Emitter] {
    let text = "<EffekseerProject><Root><Children>\(text)</Children></Root></EffekseerProject>"
    return try ParticleFormat.effekseer.decode(
      Array(text.utf8), DecodingContext(fileName: "a.efkproj")
    ).system.emitters
  }

  @Test("a node that is not rendered is invisible, and the nodes below it run")
  func unrenderedNode() throws {
    let hidden = "<IsRendered>False</IsRendered>"
    let opaque = "<RendererCommonValues><AlphaBlend>0</AlphaBlend></RendererCommonValues>"
    func node(_ inside: String, _ below: String = "") -> String {
      "<Node>\(inside)" + (below.isEmpty ? "" : "<Children>\(below)</Children>") + "</Node>"
    }
    let emitters = try nodes(
      node(hidden + opaque, node("") + node(hidden)) + node(hidden, node(hidden)))
    #expect(emitters.map(\.enabled) == [true, true, false, false, false])
    #expect(emitters.map(\.isInvisible) == [true, false, true, true, true])
    #expect(emitters[0].triggers.map(\.emitter) == [1, 2])
  }
}
