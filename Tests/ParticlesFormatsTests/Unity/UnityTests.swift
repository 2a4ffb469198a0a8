import Foundation
import ParticlesCore
import ParticlesDocuments
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Prefabs and scenes of Unity.
@Suite("Unity")
struct UnityTests {
  static let heading = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"

  static func path(_ name: String) -> String {
    Repository.path("Fixtures/unity/Assets/Effects/\(name)")
  }

  static func load(_ path: String, folders: [String] = []) throws -> Imported {
    let finder = ImageFinder(besides: path, folders: folders)
    let context = DecodingContext(fileName: Files.lastComponent(of: path), images: finder)
    return try ParticleFormat.unity.decode(try Files.read(path), context)
  }

  /// A system of one game object, from keys of the system and its modules.
  static func read(
    _ keys: String, version: Int = 6, renderer: String = "", files: [String: String] = [:],
    name: String = "a.prefab"
  ) throws -> Imported {
    let text = """
      --- !u!1 &1
      GameObject:
        m_Name: One
        m_IsActive: 1
      --- !u!4 &2
      Transform:
        m_GameObject: {fileID: 1}
        m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
        m_LocalPosition: {x: 0, y: 0, z: 0}
        m_LocalScale: {x: 1, y: 1, z: 1}
        m_Father: {fileID: 0}
      --- !u!198 &3
      ParticleSystem:
        m_GameObject: {fileID: 1}
        serializedVersion: \(version)
      \(keys)
      --- !u!199 &4
      ParticleSystemRenderer:
        m_GameObject: {fileID: 1}
      \(renderer)

      """
    let context = DecodingContext(fileName: name) { files[$0].map { Array($0.utf8) } }
    return try ParticleFormat.unity.decode(Array((heading + text).utf8), context)
  }

  private static func emitter(_ keys: String, version: Int = 6) throws -> Emitter {
    try #require(try read(keys, version: version).system.emitters.first)
  }

  // MARK: The fixture

  @Test("the project of the fixture: systems, places, modules, material, picture, sub-emitter")
  func fixture() throws {
    let imported = try Self.load(Self.path("Sparks.prefab"))
    #expect(imported.diagnostics.isEmpty, "\(imported.diagnostics)")
    let (sparks, smoke) = (imported.system.emitters[0], imported.system.emitters[1])
    #expect([sparks.name, smoke.name] == ["Sparks", "Smoke"])
    #expect(sparks.space == .world && smoke.space == .local)
    #expect(sparks.lifetime == .range(0.5, 1.5) && sparks.launch.speed == .range(4, 8))
    #expect(sparks.transform == Transform(), "the place of the root is left out")
    #expect(sparks.shape.kind == .cone && sparks.shape.placement == .surface)
    #expect(sparks.shape.radius == 0.5 && sparks.shape.angle == 20)
    #expect(sparks.shape.transform.translation == Vector(0, 0, -1))
    #expect(sparks.shape.arc == Interval(-180, 0))
    #expect(sparks.emission.rate == 12 && sparks.emission.bursts.count == 1)
    #expect(sparks.emission.bursts[0].count == .range(20, 30))
    #expect(sparks.emission.bursts[0].cycles == 3 && sparks.emission.bursts[0].probability == 0.75)
    #expect(sparks.forces == [.gravity(Vector(0, -4.905))])
    #expect(sparks.motion.drift == VectorTrack(Vector(1, 0, 2)))
    #expect(sparks.motion.orbitAxis == Vector(0, 0, 1))
    #expect((sparks.motion.orbitVelocity.from.mean - 180 / .pi).magnitude < 1e-4)
    #expect((sparks.rotation.angle.from.mean + 90).magnitude < 1e-4)
    #expect(sparks.render.blend.mode == .add && sparks.render.order == 3)
    #expect(sparks.render.sort == .youngestFirst && sparks.render.billboard == .velocity)
    // A tint of 0.5, 0.25, 0.5 counts twice.
    #expect(sparks.color.base.from == .range(Color(1, 0.2, 0.1), Color(1, 0.4, 0.2), .line))
    let trigger = try #require(sparks.triggers.first)
    #expect(trigger.event == .death && trigger.emitter == 1 && trigger.probability == 0.5)
    #expect(trigger.inherit == [.position, .color])
    #expect(
      smoke.transform.translation == Vector(0, 1, -2) && smoke.transform.scale == Scale(2, 2, 2))
    #expect(smoke.timing.prewarm == 1 && smoke.flipbook?.fps == .life)
    let sprite = imported.system.sprites[smoke.sprites[0]]
    #expect(sprite.grid == SpriteGrid(columns: 2, rows: 2))
    #expect(sprite.region == Rectangle(x: 8, y: 8, width: 8, height: 8), "counted from the bottom")
    #expect(imported.images["Images/spark.png"] != nil)
  }

  @Test("a nested prefab has the changes of its instance, and its place below the other objects")
  func nested() throws {
    let imported = try Self.load(Self.path("Fire.prefab"))
    #expect(imported.diagnostics.isEmpty, "\(imported.diagnostics)")
    let (sparks, smoke) = (imported.system.emitters[0], imported.system.emitters[1])
    #expect(sparks.name == "Big sparks" && sparks.size.height?.to == 0.4)
    #expect(sparks.emission.bursts[0].time == 0.5)
    #expect(sparks.transform.translation == Vector(10, 6, -7))
    #expect(smoke.transform.translation == Vector(10, 7, -9))
    #expect(sparks.triggers.map(\.emitter) == [1])
    #expect(imported.images["Images/spark.png"] != nil)
  }

  @Test("an instance of a prefab in itself ends, and a missing prefab is named")
  func cycles() throws {
    let guid = String(repeating: "a", count: 32)
    let instance = """
      --- !u!1001 &9
      PrefabInstance:
        m_Modification:
          m_TransformParent: {fileID: 0}
          m_Modifications: []
        m_SourcePrefab: {fileID: 100100000, guid: \(guid), type: 3}
      --- !u!198 &3
      ParticleSystem:
        serializedVersion: 6
        lengthInSec: 1

      """
    let bytes = Array((Self.heading + instance).utf8)
    let found = try ParticleFormat.unity.decode(
      bytes, DecodingContext(fileName: "a.prefab") { $0 == "guid:\(guid)" ? bytes : nil })
    #expect(found.system.emitters.count == 2)
    #expect(found.diagnostics.contains { $0.detail?.contains("has this one in it") ?? false })
    let missing = try ParticleFormat.unity.decode(bytes, DecodingContext(fileName: "a.prefab"))
    #expect(
      missing.diagnostics.contains { $0.detail?.contains("the prefab is not found") ?? false })
  }

  @Test(
    "a script with PyYAML finds each value of the file in the document",
    .enabled(if: python != nil, "no Python with PyYAML here; 'make test' installs it"))
  func values() throws {
    let python = try #require(Self.python)
    let scratch = try Scratch()
    var paths = [Self.path("Sparks.prefab")]
    if let corpus = Repository.corpus {
      let all = Self.assets(below: "\(corpus)/unity")
      #expect(all.count > 40)
      paths += Sample.of(all, 12)
    } else {
      print("the corpus is not here: only the fixture is compared")
    }
    var count = 0
    for path in paths {
      let document = scratch.file("document.json")
      try Data(try Self.load(path).system.encoded()).write(to: URL(fileURLWithPath: document))
      let run = try Run(python, [Repository.path("Tests/Readers/unity.py"), path, document])
      #expect(run.status == 0, "\(path): \(run.text) \(run.errors)")
      count += Int(run.text.split(separator: " ").first ?? "") ?? 0
    }
    print("unity: \(count) values of \(paths.count) files are those that PyYAML finds")
    #expect(count > 20 * paths.count)
  }

  static let python: String? = {
    let local = Repository.path(".build/python/bin/python3")
    guard let python = Run.optional("python3") else { return nil }
    return [local, python].first { (try? Run($0, ["-c", "import yaml"]))?.status == 0 }
  }()

  static func assets(below folder: String) -> [String] {
    let names = (try? Files.list(folder))?.sorted() ?? []
    return names.flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      let isFolder = (try? Files.status(path))?.kind == .directory
      return isFolder
        ? assets(below: path)
        : ["prefab", "unity"].contains(Files.pathExtension(of: name)) ? [path] : []
    }
  }

  // MARK: Modules

  @Test("the space of old keys is the other way round")
  func space() throws {
    for (version, value, space) in [
      (4, 0, EmitterSpace.world), (4, 1, .local), (6, 0, .local), (6, 1, .world), (8, 2, .world),
    ] {
      #expect(try Self.emitter("  moveWithTransform: \(value)", version: version).space == space)
    }
  }

  @Test("keys of version 4: a rate, four bursts, shares of the scalar, packed colours")
  func versionFour() throws {
    let emitter = try Self.emitter(
      """
        InitialModule:
          enabled: 1
          startLifetime:
            scalar: 4
            maxCurve: {m_Curve: [{time: 0, value: 0.5, inSlope: 0, outSlope: 0}]}
            minCurve: {m_Curve: [{time: 0, value: 1, inSlope: 0, outSlope: 0}]}
            minMaxState: 3
          startColor:
            maxGradient: {key0: {rgba: 4278190335}, key1: {rgba: 2147483648}, ctime1: 65535, atime1: 65535, m_NumColorKeys: 2, m_NumAlphaKeys: 2}
            minMaxState: 4
          gravityModifier: 1
        EmissionModule:
          enabled: 1
          m_Type: 1
          rate: {scalar: 7, minMaxState: 0}
          cnt0: 30
          cntmax0: 40
          time0: 0.5
          m_BurstCount: 1
        ShapeModule: {enabled: 1, type: 5, boxX: 1, boxY: 2, boxZ: 3}
      """, version: 4)
    #expect(emitter.lifetime == .range(2, 4))
    #expect(emitter.emission.ratePerDistance == 7 && emitter.emission.rate == 0)
    #expect(emitter.emission.bursts == [Burst(time: 0.5, count: .range(30, 40))])
    #expect(emitter.forces == [.gravity(Vector(0, -9.81))])
    #expect(emitter.shape.size == Vector(1, 2, 3))
    guard case .gradient(let pick) = emitter.color.base.from else { return #expect(Bool(false)) }
    #expect(pick.gradient.keys.first?.color == Color(1, 0, 0, 1))
    #expect((pick.gradient.keys.last?.color.alpha ?? 0) - 128 / 255 < 1e-4)
  }

  private static func curve(_ keys: [(Double, Double, Double, Double)], weights: Int = 0) -> String
  {
    let list = keys.map {
      "{time: \($0.0), value: \($0.1), inSlope: \($0.2), outSlope: \($0.3), weightedMode: \(weights), inWeight: 0.5, outWeight: 0.5}"
    }
    return "{m_Curve: [\(list.joined(separator: ", "))]}"
  }

  private static func spin(_ low: String, _ high: String) throws -> (Track, [Diagnostic]) {
    let imported = try read(
      """
        RotationModule:
          enabled: 1
          curve: {serializedVersion: 2, minMaxState: 2, scalar: 1, minScalar: 1, maxCurve: \(high), minCurve: \(low)}
      """)
    return (imported.system.emitters[0].rotation.velocity, imported.diagnostics)
  }

  @Test(
    "random curves between two are exact where one is a multiple of the other, or above it everywhere"
  )
  func twoCurves() throws {
    let low = Self.curve([(0, 0, 0.5, 0.5), (1, 0.5, 0.5, 0.5)])
    let multiple = try Self.spin(low, Self.curve([(0, 0, 1, 1), (1, 1, 1, 1)]))
    #expect(multiple.1.isEmpty && multiple.0.from == 0)
    #expect(
      multiple.0.to?.bounds.lower.rounded() == -57 && multiple.0.to?.bounds.upper.rounded() == -29)
    let above = try Self.spin(low, Self.curve([(0, 1, 0.5, 0.5), (1, 1.5, 0.5, 0.5)]))
    #expect(above.1.isEmpty && above.0.relative && !above.0.from.isNumber)
    let crossing = try Self.spin(low, Self.curve([(0, 1, -1, -1), (1, 0, -1, -1)]))
    #expect(crossing.1.map(\.rule) == [.approximated])
    #expect((crossing.0.curve.value(at: 0.5) - 0.375).magnitude < 1e-6)
  }

  @Test("an infinite slope is a step, keys with weights follow their Bézier curve")
  func keys() throws {
    func size(_ curve: String) throws -> Curve {
      try Self.emitter(
        """
          SizeModule:
            enabled: 1
            curve: {serializedVersion: 2, minMaxState: 1, scalar: 1, minScalar: 1, maxCurve: \(curve), minCurve: \(curve)}
        """
      ).size.width.curve
    }
    let step = try size(
      "{m_Curve: [{time: 0, value: 0.25, inSlope: 0, outSlope: Infinity}, {time: 0.5, value: 1, inSlope: Infinity, outSlope: 0}]}"
    )
    #expect(step.value(at: 0.49) == 0.25 && step.value(at: 0.51) == 1)
    let weighted = try size(Self.curve([(0, 0, 0, 0), (1, 1, 0, 0)], weights: 3))
    // With equal weights of a half, it goes through the middle, and starts flatter than with a third.
    #expect((weighted.value(at: 0.5) - 0.5).magnitude < 1e-6)
    #expect(weighted.value(at: 0.2) < 0.104 - 0.01)
  }

  @Test("shapes: each number has its kind, and those that are not supported are named")
  func shapes() throws {
    let kinds: [Int: ShapeKind] = [
      0: .sphere, 1: .sphere, 2: .hemisphere, 4: .cone, 5: .box, 7: .cone, 8: .cone, 10: .ellipse,
      11: .ellipse, 12: .line, 15: .box, 16: .box, 17: .torus, 18: .rect,
    ]
    for number in 0...21 {
      let imported = try Self.read(
        "  ShapeModule: {enabled: 1, type: \(number), radius: {value: 2}, angle: 10}")
      let shape = imported.system.emitters[0].shape
      #expect(shape.kind == kinds[number] ?? .point || kinds[number] == nil, "\(number)")
      let isNamed = imported.diagnostics.contains { $0.rule == .uninterpreted }
      #expect(isNamed == ([6, 13, 14, 19, 20, 21].contains(number)), "\(number)")
    }
    let sphere = try Self.emitter(
      "  ShapeModule: {enabled: 1, type: 0, radius: {value: 2}, radiusThickness: 0.25}")
    #expect(
      sphere.shape.radius == 2 && sphere.shape.inner == 0.75
        && sphere.launch.direction.mode == .normal)
    let box = try Self.emitter("  ShapeModule: {enabled: 1, type: 5, m_Scale: {x: 1, y: 2, z: 3}}")
    #expect(box.shape.size == Vector(1, 2, 3) && box.launch.direction.vector == Vector(0, 0, -1))
  }

  @Test("rotations in degrees: about z, then x, then y, with z mirrored")
  func turns() throws {
    let shape = try Self.emitter(
      "  ShapeModule: {enabled: 1, type: 5, m_Rotation: {x: -90, y: 0, z: 0}}"
    ).shape
    // Forwards becomes upwards.
    let way = shape.transform.rotation.turned(Vector(0, 0, -1))
    #expect((way.y - 1).magnitude < 1e-6 && way.z.magnitude < 1e-6)
    let both = try Self.emitter(
      "  ShapeModule: {enabled: 1, type: 5, m_Rotation: {x: 90, y: 90, z: 0}}"
    ).shape
    // Unity: about x, (0, 0, 1) becomes (0, -1, 0), which a turn about y leaves.
    let down = both.transform.rotation.turned(Vector(0, 0, -1))
    #expect((down.y + 1).magnitude < 1e-6)
  }

  @Test(
    "modules that are off have no effect and no finding; those without a counterpart are reported")
  func modules() throws {
    let names = [
      "LifetimeByEmitterSpeedModule", "ExternalForcesModule", "TriggerModule", "LightsModule",
      "CustomDataModule",
    ]
    for (flag, count) in [(0, 0), (1, 1)] {
      for name in names {
        let imported = try Self.read("  \(name):\n    enabled: \(flag)\n    x: 5")
        #expect(imported.diagnostics.filter { $0.rule == .uninterpreted }.count == count, "\(name)")
      }
    }
    let unknown = try Self.read("  NewModule:\n    enabled: 1")
    #expect(
      unknown.diagnostics.contains { $0.location.description.contains("NewModule") })
    let later = try Self.read("  lengthInSec: 1", version: 9)
    #expect(later.diagnostics.map(\.rule) == [.assumed])
  }

  @Test("limits, drag, noise, forces and collisions")
  func forces() throws {
    let emitter = try Self.emitter(
      """
        moveWithTransform: 0
        ClampVelocityModule: {enabled: 1, magnitude: {scalar: 3}, dampen: 1, drag: {scalar: 2}, multiplyDragByParticleSize: 0, multiplyDragByParticleVelocity: 0}
        ForceModule: {enabled: 1, x: {scalar: 1}, y: {scalar: 2}, z: {scalar: 3}, inWorldSpace: 0}
        NoiseModule: {enabled: 1, strength: {scalar: 4}, frequency: 2, damping: 1, octaves: 2, positionAmount: {scalar: 1}}
        CollisionModule: {enabled: 1, m_Bounce: {scalar: 0.5}, m_Dampen: {scalar: 0.25}, m_EnergyLossOnCollision: {scalar: 1}}
      """)
    #expect(emitter.motion.maxSpeed == 3)
    let kinds = Dictionary(grouping: emitter.forces, by: \.kind)
    #expect(kinds[.drag]?.first?.strength == 2 && kinds[.drag]?.first?.law == .exponential)
    #expect(kinds[.gravity]?.first?.vector == VectorTrack(Vector(1, 2, -3)))
    #expect(kinds[.gravity]?.first?.space == .local)
    #expect(kinds[.noise]?.first?.strength == 2 && kinds[.noise]?.first?.scale == 0.5)
    #expect(kinds[.noise]?.first?.target == .position && kinds[.noise]?.first?.octaves == 2)
    #expect(emitter.physics.collides && emitter.physics.diesOnCollision)
    #expect(emitter.physics.bounce == 0.5 && emitter.physics.friction == 0.25)
  }

  @Test("an inactive object switches off all below it")
  func inactive() throws {
    let text = String(decoding: try Files.read(Self.path("Sparks.prefab")), as: UTF8.self)
    let off = text.replacingOccurrences(
      of: "m_Name: Sparks\n  m_TagString: Untagged\n  m_IsActive: 1",
      with: "m_Name: Sparks\n  m_IsActive: 0")
    let imported = try ParticleFormat.unity.decode(
      Array(off.utf8), DecodingContext(fileName: "a.prefab"))
    #expect(imported.system.emitters.map(\.enabled) == [false, false])
  }
}
