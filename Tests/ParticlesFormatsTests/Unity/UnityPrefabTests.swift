import Foundation
import ParticlesCore
import ParticlesDocuments
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// New prefabs of Unity.
@Suite("Unity prefabs")
struct UnityPrefabTests {
  /// An effect of the project, and the bytes of its images.
  static func load(_ path: String) throws -> Imported {
    let bytes = try Files.read(path)
    let name = Files.lastComponent(of: path)
    let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
    return try format.decode(
      bytes, DecodingContext(fileName: name, images: ImageFinder(besides: path)))
  }

  static func export(_ imported: Imported, as name: String = "effect.prefab") throws -> Exported {
    try ParticleFormat.unity.export(
      imported.system, EncodingContext(fileName: name) { imported.images[$0] })
  }

  /// An effect of each folder of the project.
  static let effects: [String] = {
    let root = Repository.path("Fixtures/effects")
    return ((try? Files.list(root)) ?? []).sorted().flatMap { folder -> [String] in
      let names = (try? Files.list("\(root)/\(folder)")) ?? []
      return names.sorted().map { "\(root)/\(folder)/\($0)" }.filter { path in
        guard (try? Files.status(path))?.kind == .file, let bytes = try? Files.read(path) else {
          return false
        }
        let name = Files.lastComponent(of: path)
        return (try? FormatRegistry.standard.recognising(bytes, fileName: name))?.isArchive == false
      }
    }
  }()

  @Test("effects of every format become prefabs, each difference in a line of its own")
  func everyFormat() throws {
    var count = 0
    for path in Self.effects where !path.hasSuffix(".png") {
      guard let imported = try? Self.load(path), !imported.system.emitters.isEmpty else { continue }
      count += 1
      let exported = try Self.export(imported)
      #expect(!exported.losses.contains { $0.rule == .changed }, "\(path)")
      #expect(try Self.export(imported).beside == exported.beside, "\(path): not deterministic")
      let read = try ParticleFormat.unity.effect(in: exported).system
      #expect(read.emitters.map(\.name) == imported.system.emitters.map(\.name), "\(path)")
      for (name, bytes) in exported.beside where !name.hasSuffix(".meta") {
        let meta = try #require(exported.beside[name + ".meta"], "\(name)")
        let guid = UnityMeta.guid(ofMeta: meta)
        #expect(guid == String(SHA256.digest(bytes).description.prefix(32)), "\(name)")
      }
      let meta = exported.beside["effect.prefab.meta"].flatMap(UnityMeta.guid(ofMeta:))
      #expect(meta == UnityNewFile.guid(of: exported.parts[0].bytes))
    }
    #expect(count > 30)
    print("unity: \(count) effects of other formats became prefabs")
  }

  /// An emitter with a value of each module, all of which Unity has.
  private static var rich: ParticleSystem {
    var emitter = Emitter(name: "Rich \"one\"")
    emitter.timing.duration = 4
    emitter.timing.loop = true
    emitter.timing.prewarm = 4
    emitter.timing.delay = .range(0.5, 1)
    emitter.timing.speed = 1.5
    emitter.space = .local
    emitter.lifetime = .range(1, 2)
    emitter.launch.speed = .ramp(.init(low: 0, high: 6, curve: Curve(through: [(0, 1), (1, 0.5)])))
    emitter.emission.rate = 30
    emitter.emission.ratePerDistance = 2
    emitter.emission.maxAlive = 200
    var burst = Burst(time: 1, count: .range(5, 9))
    (burst.cycles, burst.interval, burst.probability) = (2, 0.5, 0.25)
    emitter.emission.bursts = [burst]
    emitter.shape = Shape(.box)
    emitter.shape.size = Vector(1, 2, 3)
    emitter.launch.direction = Direction(vector: Vector(0, 0, -1))
    emitter.launch.inheritVelocity = 0.5
    emitter.motion.drift = VectorTrack(Vector(1, 2, 3))
    emitter.motion.speed = Track(from: 0, to: 1, curve: Curve(through: [(0, 1), (1, 0.25)]))
    emitter.motion.orbitVelocity = 90
    emitter.motion.orbitAxis = Vector(0, -1, 0)
    emitter.motion.maxSpeed = 8
    emitter.forces = [
      .drag(.exponential, strength: 2),
      Force.gravity(Vector(0, -5, 1)),
    ]
    emitter.size.aspect = .ratio(1)
    emitter.size.width = Track(
      from: 0, to: .range(0.5, 1), curve: Curve(through: [(0, 0.25), (0.5, 1), (1, 0)]))
    emitter.rotation.angle = Track(.range(-45, 45))
    emitter.rotation.velocity = 30
    emitter.color.base.from = .range(Color(1, 0, 0), Color(1, 1, 0), .line)
    emitter.color.base.gradient = Gradient([
      GradientKey(0, Color(1, 1, 1, 0)), GradientKey(0.5, .white),
      GradientKey(1, Color(1, 1, 1, 0)),
    ])
    emitter.color.intensity = 2
    emitter.render.blend = Blend(.add)
    emitter.render.order = -3
    emitter.render.sort = .distance
    var trail = Trail()
    trail.length = 0.5
    emitter.render.trail = trail
    emitter.transform.translation = Vector(1, 2, 3)
    emitter.transform.rotation = Quaternion(inPlane: 30)
    emitter.transform.scale = Scale(2, 2, 2)
    var system = ParticleSystem(name: "rich", emitters: [emitter, Emitter(name: "Other")])
    (system.asset.dimension, system.asset.unit) = (.space, .meter)
    system.emitters[1].emission.bursts = [Burst(count: 3)]
    system.emitters[1].emission.maxAlive = 100
    system.emitters[1].timing.duration = 1
    system.emitters[1].size.aspect = .ratio(1)
    var trigger = Trigger(.death, emitter: 1)
    (trigger.inherit, trigger.probability) = ([.position, .color], 0.5)
    system.emitters[0].triggers = [trigger]
    return system
  }

  @Test("what Unity has is exact: the prefab is read as the effect that it was written from")
  func exact() throws {
    let system = Self.rich
    let exported = try ParticleFormat.unity.export(system, EncodingContext(fileName: "rich.prefab"))
    let (read, old) = (try ParticleFormat.unity.effect(in: exported).system, system)
    let (a, b) = (read.emitters[0], old.emitters[0])
    #expect(a.name == b.name && a.timing == b.timing && a.space == b.space)
    #expect(a.lifetime == b.lifetime && a.launch == b.launch && a.shape == b.shape)
    #expect(a.emission == b.emission && a.forces == b.forces)
    #expect(a.motion.drift == b.motion.drift && a.motion.maxSpeed == b.motion.maxSpeed)
    #expect(a.motion.speed == b.motion.speed && a.motion.orbitAxis == b.motion.orbitAxis)
    #expect((a.motion.orbitVelocity.from.mean - 90).magnitude < 1e-6)
    #expect(a.size.width == b.size.width && a.color == b.color)
    #expect(a.rotation.velocity.from.mean.rounded() == 30 && a.render.blend == b.render.blend)
    #expect(a.render.order == -3 && a.render.sort == .distance && a.triggers == b.triggers)
    #expect(a.transform.translation == b.transform.translation)
    #expect(a.transform.scale == Scale(2, 2, 2))
    let visible = exported.losses.filter { $0.severity > .note && $0.rule != .missingImage }
    // A trail is a part of the random lifetime.
    #expect(visible.allSatisfy { $0.loss?.feature == "trail" }, "\(visible)")
    #expect(!exported.losses.contains { $0.rule == .changed })
  }

  @Test(
    "modes of blending are those of Unity's shader, and come back",
    arguments: [
      BlendMode.alpha, .add, .subtract, .multiply, .screen, .premultiplied, .replace,
    ])
  func blending(mode: BlendMode) throws {
    var system = ParticleSystem(name: "a", emitters: [Emitter(name: "a")])
    system.emitters[0].render.blend = Blend(mode)
    let exported = try ParticleFormat.unity.export(system, EncodingContext(fileName: "a.prefab"))
    let read = try ParticleFormat.unity.effect(in: exported).system
    #expect(read.emitters[0].render.blend.named.mode == mode)
  }

  @Test("a scene is not written anew")
  func scene() {
    let fault = #expect(throws: Diagnostic.self) {
      try ParticleFormat.unity.export(
        ParticleSystem(name: "a", emitters: [Emitter(name: "a")]),
        EncodingContext(fileName: "a.unity"))
    }
    #expect(fault?.rule == .fileUnwritable && fault?.hint?.contains(".prefab") == true)
  }

  @Test(
    "a script with PyYAML finds each value of a new prefab in the document",
    .enabled(if: UnityTests.python != nil, "no Python with PyYAML here; 'make test' installs it"))
  func values() throws {
    let python = try #require(UnityTests.python)
    let scratch = try Scratch()
    var systems = [Self.rich]
    for path in Self.effects {
      guard let imported = try? Self.load(path), !imported.system.emitters.isEmpty else { continue }
      systems.append(imported.system)
    }
    var count = 0
    for system in systems {
      let exported = try ParticleFormat.unity.export(
        system, EncodingContext(fileName: "new.prefab"))
      let (prefab, document) = (scratch.file("new.prefab"), scratch.file("document.json"))
      try Data(exported.parts[0].bytes).write(to: URL(fileURLWithPath: prefab))
      let read = try ParticleFormat.unity.effect(in: exported).system
      try Data(read.encoded()).write(to: URL(fileURLWithPath: document))
      let run = try Run(python, [Repository.path("Tests/Readers/unity.py"), prefab, document])
      #expect(run.status == 0, "\(system.asset.name ?? ""): \(run.text) \(run.errors)")
      count += Int(run.text.split(separator: " ").first ?? "") ?? 0
    }
    print("unity: \(count) values of \(systems.count) new prefabs are those that PyYAML finds")
    #expect(count > 20 * systems.count)
  }

  @Test(
    "unityparser reads new prefabs, and writes them with the same bytes",
    .enabled(if: UnityTests.python != nil, "no Python with PyYAML here; 'make test' installs it"))
  func parser() throws {
    let python = try #require(UnityTests.python)
    let scratch = try Scratch()
    var prefabs: [String] = []
    for path in Self.effects where !path.hasSuffix(".png") {
      guard let imported = try? Self.load(path), !imported.system.emitters.isEmpty else { continue }
      prefabs.append(scratch.file("\(prefabs.count).prefab"))
      try Files.create(prefabs[prefabs.count - 1], try Self.export(imported).parts[0].bytes)
    }
    let run = try Run(
      python, [Repository.path("Tests/Readers/unity.py"), "--parser"] + prefabs)
    // Without unityparser, the script says so.
    #expect(
      run.status == 0 || run.status == 2 && run.text == "unityparser is missing\n", "\(run.text)")
    #expect(prefabs.count > 10)
  }

  @Test(
    "prefab and C# code of an effect state the same values",
    .enabled(if: UnityTests.python != nil, "no Python with PyYAML here; 'make test' installs it"))
  func code() throws {
    let python = try #require(UnityTests.python)
    let scratch = try Scratch()
    var count = 0
    for path in Self.effects {
      guard let imported = try? Self.load(path), !imported.system.emitters.isEmpty else { continue }
      let exported = try Self.export(imported)
      let code = try ParticleFormat.unityCSharp.export(
        imported.system, EncodingContext(fileName: "effect.cs") { imported.images[$0] })
      let prefab = scratch.file("effect.prefab")
      try Data(exported.parts[0].bytes).write(to: URL(fileURLWithPath: prefab))
      var paths: [String] = []
      for part in code.parts.sorted(by: { ($0.emitters.first ?? 0) < ($1.emitters.first ?? 0) }) {
        paths.append(scratch.file(part.name))
        try Data(part.bytes).write(to: URL(fileURLWithPath: paths[paths.count - 1]))
      }
      let run = try Run(
        python, [Repository.path("Tests/Readers/unity.py"), "--code", prefab] + paths)
      #expect(run.status == 0, "\(path): \(run.text) \(run.errors)")
      count += Int(run.text.split(separator: " ").first ?? "") ?? 0
    }
    print("unity: \(count) values of C# code are those of prefabs")
    #expect(count > 300)
  }
}
