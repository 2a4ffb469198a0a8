import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Files and effects that ask for more work than an operation may take.
@Suite("Formats within limits of work")
struct FormatBudgetTests {
  private static let word = String(repeating: "9", count: 5_000)
  private static let text = String(repeating: "x", count: 70_000)

  @Test(
    "keys, numbers and texts of every text format have lengths",
    arguments: [
      ("defold/torch.particlefx", "\nemitters { duration: \(word) }\n"),
      ("defold/torch.particlefx", "\nx\(word): 1\n"),
      ("defold/torch.particlefx", "\nemitters { id: \"\(text)\" }\n"),
      ("libgdx/snow.p", "\n\n\(text)\n- Delay -\nactive: false\n"),
      ("libgdx/snow.p", "\n\nsecond\n- Delay -\nlowMin: \(word)\n"),
      ("libgdx/snow.p", "\n\nsecond\n- Delay -\nx\(word): 1\n"),
      ("love/torch.lua", "\nlocal name = \"\(text)\"\n"),
      ("love/torch.lua", "\n= 1\nx\(word) = 1\n"),
      ("godot/torch.tscn", "\n[node name=\"\(text)\" type=\"Node2D\" parent=\".\"]\n"),
      ("godot/torch.tscn", "\n[node name=\"a\" index=\(word)]\n"),
      ("godot/torch.tscn", "\nx\(word) = 1\n"),
    ])
  func scalars(name: String, more: String) throws {
    let whole = try Fixture.read("effects/\(name)")
    let format = try FormatRegistry.standard.recognising(whole, fileName: name)
    let context = DecodingContext(fileName: name)
    #expect(throws: Never.self) { try format.decode(whole, context) }
    let fault = expectThrows(.limit, "\(more.prefix(40))") {
      try format.decode(whole + more.utf8, context)
    }
    #expect(fault?.message.contains("bytes of a") == true)
  }

  @Test("a value of Godot with too long a number or text is reported, and the default is used")
  func godotValues() throws {
    for value in [Self.word, "\"\(Self.text)\""] {
      let file = """
        [gd_scene format=3]

        [node name="A" type="CPUParticles2D"]
        amount = \(value)

        """
      let imported = try ParticleFormat.godot4.decode(
        Array(file.utf8), DecodingContext(fileName: "a.tscn"))
      #expect(imported.system.emitters.map(\.emission.maxAlive) == [8])
      #expect(imported.diagnostics.contains { $0.rule == .emitterValue })
    }
  }

  @Test("of equal keys in a section of Godot the last counts, however many there are")
  func godotKeys() throws {
    for count in [2, 63, 64, 65, 500] {
      let keys = (1...count).map { "amount = \($0)\nx\($0) = 1\n" }.joined()
      let file = "[gd_scene format=3]\n\n[node name=\"A\" type=\"CPUParticles2D\"]\n\(keys)"
      let imported = try ParticleFormat.godot4.decode(
        Array(file.utf8), DecodingContext(fileName: "a.tscn"))
      #expect(imported.system.emitters[0].emission.maxAlive == count)
    }
  }

  private static func effect(_ count: Int) -> ParticleSystem {
    var system = ParticleSystem(
      name: "many", emitters: (0..<count).map { Emitter(name: "\($0)") })
    system.images = [ImageReference(name: "absent.png", uri: "Images/absent.png")]
    system.sprites = [Sprite(image: 0)]
    for index in system.emitters.indices { system.emitters[index].sprites = [0] }
    return system
  }

  /// As many values and numbers as an emitter of a fire has: forces, a curve and a gradient.
  private static let flames = """
    {"asset": {"version": "1.0"}, "emitters": [{"name": "Flames",
      "transform": {"translation": [0, -165]}, "emission": {"rate": 95},
      "shape": {"type": "ellipse", "radii": [58, 12]},
      "launch": {"spread": 6, "speed": {"min": 120, "max": 260}}, "lifetime": {"min": 0.7, "max": 1.7},
      "forces": [{"type": "radial", "strength": -90, "center": [0, 190]},
        {"type": "noise", "strength": 90, "scale": 70, "speed": 1.2}, {"type": "drag", "strength": 0.5}],
      "rotation": {"angle": {"min": -18, "max": 18}, "velocity": {"min": -40, "max": 40}},
      "size": {"width": {"to": {"min": 76, "max": 122}, "curve": {"keys": [[0, 0.4], [0.22, 1], [1, 0.22]]}}},
      "color": {"base": {"gradient": {"keys": [[0, [1, 0.9, 0.55, 0]], [0.14, [1, 0.7, 0.28, 0.36]],
        [0.45, [1, 0.38, 0.07, 0.42]], [0.8, [0.8, 0.15, 0.02, 0.28]], [1, [0.2, 0.02, 0, 0]]]}}},
      "render": {"blend": {"mode": "add"}}}]}
    """

  private static func rich(_ count: Int) throws -> ParticleSystem {
    var system = try ParticleSystem(decoding: Array(flames.utf8))
    system.emitters = Array(repeating: system.emitters[0], count: count)
    return system
  }

  @Test(
    "2,000 simple emitters and 1,000 rich ones are within the limits, in every format",
    arguments: FormatRegistry.standard.formats.filter { !$0.isArchive && $0.canWrite }.map(\.name))
  func thousands(name: String) throws {
    let format = try #require(FormatRegistry.standard[name])
    let context = EncodingContext(fileName: "many.\(format.extensions[0])")
    func work(_ system: ParticleSystem, of all: Int) throws -> Int {
      var limits = Limits()
      // As much for each emitter, and something for what an effect needs once.
      limits.memory = limits.memory / all * system.emitters.count + (1 << 20)
      return try WorkBudget.run(limits) {
        _ = try format.export(system, context)
        return WorkBudget.work
      }
    }
    let simple = try work(Self.effect(6), of: 2_000) - work(Self.effect(2), of: 2_000)
    let rich = try work(Self.rich(4), of: 1_000) - work(Self.rich(2), of: 1_000)
    #expect(simple > 800 && 500 * simple <= Limits.standard.work, "\(simple)")
    // A document of such emitters needs a hundred steps for each, too.
    #expect(rich > 1_000 && 500 * (rich + 200) <= Limits.standard.work, "\(rich)")
  }

  @Test(
    "emitters pay for being written, in every format, before they are",
    arguments: FormatRegistry.standard.formats.filter { !$0.isArchive && $0.canWrite }.map(\.name))
  func writing(name: String) throws {
    let format = try #require(FormatRegistry.standard[name])
    let context = EncodingContext(fileName: "many.\(format.extensions[0])")
    let work = try WorkBudget.run(.standard) {
      _ = try format.export(Self.effect(2), context)
      return WorkBudget.work
    }
    #expect(work > 0 && work < 20_000, "\(work)")
    var few = context
    few.limits.work = 20_000
    let fault = expectThrows(.limit) { try format.export(Self.effect(200), few) }
    #expect(fault?.message.contains("(limit 'work')") == true)
  }

  @Test("emitters pay for being read, and a server may allow less")
  func reading() throws {
    let one = String(decoding: try Fixture.read("effects/libgdx/snow.p"), as: UTF8.self)
    func file(_ count: Int) -> [UInt8] {
      Array(repeatElement(one, count: count).joined(separator: "\n\n\n").utf8)
    }
    func work(_ count: Int) throws -> Int {
      try WorkBudget.run(.standard) {
        _ = try ParticleFormat.libGDX.decode(file(count), DecodingContext(fileName: "a.p"))
        return WorkBudget.work
      }
    }
    let (few, many) = try (work(2), work(20))
    #expect(many <= 12 * few, "work grows with the number of emitters")
    var context = DecodingContext(fileName: "a.p")
    context.limits.work = many - 1
    let fault = expectThrows(.limit) { try ParticleFormat.libGDX.decode(file(20), context) }
    #expect(fault?.message.contains("(limit 'work')") == true)
    context.limits.work = many
    context.limits.memory = 20
    expectThrows(.limit) { try ParticleFormat.libGDX.decode(file(20), context) }
  }

  @Test("images pay for being searched for, each by its name")
  func searching() throws {
    var one = String(decoding: try Fixture.read("effects/libgdx/snow.p"), as: UTF8.self)
    while one.hasSuffix("\n") { one.removeLast() }
    func file(_ count: Int) -> [UInt8] {
      Array((one + "\n" + (0..<count).map { "\($0).png\n" }.joined()).utf8)
    }
    let context = DecodingContext(fileName: "a.p")
    #expect(throws: Never.self) { try ParticleFormat.libGDX.decode(file(1_000), context) }
    let fault = expectThrows(.limit) { try ParticleFormat.libGDX.decode(file(40_000), context) }
    #expect(fault?.message.contains("searched for") == true)
  }

  @Test("reading ends when its task is cancelled")
  func cancellation() async throws {
    let bytes = try Fixture.read("effects/libgdx/snow.p")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try ParticleFormat.libGDX.decode(bytes, DecodingContext(fileName: "a.p"))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("lines about one missing image share one list of places, which is looked at once")
  func missingImages() throws {
    let exported = try ParticleFormat.pixi.export(
      Self.effect(40), EncodingContext(fileName: "many.json"))
    let lists = exported.losses.filter { $0.rule == .missingImage }.compactMap(\.loss?.ownPaths)
    #expect(lists.count == 40 && lists.allSatisfy { $0.count == 41 })
    #expect(Set(lists.map { $0.withUnsafeBytes(\.baseAddress) }).count == 1)
  }
}
