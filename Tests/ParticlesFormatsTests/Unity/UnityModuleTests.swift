import ParticlesCore
import ParticlesDocuments
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Modules and files of Unity that few effects have.
@Suite("Unity modules")
struct UnityModuleTests {
  private static let guid = String(repeating: "d", count: 32)

  private static func sheet(
    _ keys: String, sprites: [Int], meta: String?
  ) throws -> Imported {
    let list = sprites.map {
      "      - sprite: {fileID: \($0), guid: \(guid), type: 3}"
    }.joined(separator: "\n")
    let picture = try Files.read(Repository.path("Fixtures/unity/Assets/spark.png"))
    let text =
      UnityTests.heading
      + "--- !u!1 &1\nGameObject:\n  m_Name: One\n--- !u!198 &3\nParticleSystem:\n  m_GameObject: {fileID: 1}\n"
      + "  serializedVersion: 6\n  UVModule:\n    enabled: 1\n    mode: 1\n\(keys)\n    sprites:\n\(list)\n"
    var context = DecodingContext(fileName: "a.prefab") { reference in
      switch reference {
      case "guid:\(guid)": picture
      case "guid:\(guid).meta": meta.map { Array($0.utf8) }
      default: nil
      }
    }
    context.limits = .standard
    return try ParticleFormat.unity.decode(Array(text.utf8), context)
  }

  private static let settings = """
    fileFormatVersion: 2
    guid: \(guid)
    TextureImporter:
      internalIDToNameTable: []
      spriteSheet:
        sprites:
        - serializedVersion: 2
          name: a
          rect: {serializedVersion: 2, x: 0, y: 12, width: 4, height: 4}
          internalID: 7
        - serializedVersion: 2
          name: b
          rect:
            serializedVersion: 2
            x: 4
            y: 0
            width: 8
            height: 4
          internalID: -9
    """

  @Test(
    "sprites of a sheet are frames: whole pictures, or parts that the settings of the picture state"
  )
  func sprites() throws {
    let life = try Self.sheet(
      "    frameOverTime: {serializedVersion: 2, minMaxState: 1, scalar: 1, maxCurve: {m_Curve: [{time: 0, value: 0, inSlope: 1, outSlope: 1}, {time: 1, value: 1, inSlope: 1, outSlope: 1}]}}",
      sprites: [7, -9], meta: Self.settings)
    let emitter = life.system.emitters[0]
    #expect(!life.diagnostics.contains { $0.rule == .uninterpreted }, "\(life.diagnostics)")
    #expect(emitter.spriteSelection == .life && emitter.sprites.count == 2)
    #expect(
      emitter.sprites.map { life.system.sprites[$0].region } == [
        Rectangle(x: 0, y: 0, width: 4, height: 4), Rectangle(x: 4, y: 12, width: 8, height: 4),
      ])
    let random = try Self.sheet(
      "    startFrame: {serializedVersion: 2, minMaxState: 3, scalar: 1, minScalar: 0}\n    frameOverTime: {serializedVersion: 2, minMaxState: 0, scalar: 0}",
      sprites: [21_300_000], meta: nil)
    #expect(random.system.emitters[0].spriteSelection == .random)
    #expect(random.system.sprites[0].region == nil)
    // A file that is saved where it was keeps its sprites.
    let exported = try ParticleFormat.unity.export(
      life.system, UnityWritingTests.context(of: life))
    #expect(exported.parts.map(\.bytes) == [life.source])
    let missing = try Self.sheet("", sprites: [8], meta: Self.settings)
    #expect(
      missing.diagnostics.contains { $0.detail?.contains("sprites that are not found") ?? false })
  }

  @Test("old settings have the numbers of sprites in a table of their own")
  func recycled() throws {
    let sprites = try UnitySprites(
      meta: Array(
        """
        TextureImporter:
          fileIDToRecycleName:
            21300002: b
          spriteSheet:
            sprites:
            - name: b
              rect: {x: 1, y: 2, width: 3, height: 4}
        """.utf8), limits: .standard)
    #expect(
      sprites.region(of: 21_300_002, height: 10) == Rectangle(x: 1, y: 4, width: 3, height: 4))
    #expect(sprites.region(of: 5, height: 10) == nil)
  }

  @Test("meshes and ribbons are named")
  func names() throws {
    let own = "{fileID: 10207, guid: 0000000000000000e000000000000000, type: 0}"
    let shape = try UnityTests.read("  ShapeModule: {enabled: 1, type: 6, m_Mesh: \(own)}")
    #expect(shape.diagnostics.contains { $0.found == "mesh Sphere" }, "\(shape.diagnostics)")
    let renderer = try UnityTests.read(
      "  lengthInSec: 1", renderer: "  m_RenderMode: 4\n  m_Mesh: \(own)")
    #expect(renderer.diagnostics.contains { $0.found == "Sphere" })
    let ribbons = try UnityTests.read("  TrailModule: {enabled: 1, mode: 1, ribbonCount: 3}")
    #expect(ribbons.diagnostics.contains { $0.found == "3 ribbons" })
  }

  @Test(
    "radial velocities of round shapes are a part of the speed; colours by speed are those of the start"
  )
  func radial() throws {
    let sphere = try UnityTests.read(
      """
        InitialModule:
          startSpeed: {serializedVersion: 2, minMaxState: 0, scalar: 2}
        ShapeModule: {enabled: 1, type: 0, radius: {value: 1}}
        VelocityModule: {enabled: 1, radial: {serializedVersion: 2, minMaxState: 0, scalar: 3}}
        ColorBySpeedModule:
          enabled: 1
          range: {x: 0, y: 20}
          gradient:
            serializedVersion: 2
            minMaxState: 1
            maxGradient: {serializedVersion: 2, key0: {r: 0, g: 0, b: 0, a: 1}, key1: {r: 1, g: 1, b: 1, a: 1}, ctime0: 0, ctime1: 65535, atime0: 0, atime1: 65535, m_Mode: 0, m_NumColorKeys: 2, m_NumAlphaKeys: 2}
      """)
    let emitter = sphere.system.emitters[0]
    #expect(emitter.launch.speed == 5)
    #expect(sphere.diagnostics.map(\.rule) == [.approximated, .approximated])
    guard case .constant(let color) = emitter.color.base.from else { return #expect(Bool(false)) }
    #expect((color.red - 0.25).magnitude < 1e-3)
    let box = try UnityTests.read(
      """
        ShapeModule: {enabled: 1, type: 5}
        VelocityModule: {enabled: 1, radial: {serializedVersion: 2, minMaxState: 0, scalar: 3}}
      """)
    #expect(box.diagnostics.contains { $0.rule == .uninterpreted })
  }

  @Test("a shape without an extent is a point with its directions")
  func points() throws {
    let cone = try UnityTests.read(
      "  ShapeModule: {enabled: 1, type: 4, radius: {value: 0.0001}, angle: 20, m_Rotation: {x: -90, y: 0, z: 0}}"
    ).system.emitters[0]
    #expect(cone.shape.kind == .point && cone.launch.spread == 20)
    #expect((cone.launch.direction.vector.y - 1).magnitude < 1e-6)
    let fan = try UnityTests.read(
      "  ShapeModule: {enabled: 1, type: 10, radius: {value: 0.0001}, arc: {value: 40}, m_Rotation: {x: 0, y: 0, z: 70}}"
    ).system.emitters[0]
    #expect(fan.shape.kind == .point && fan.launch.direction == Direction(angle: 90))
    #expect(fan.launch.spread == 20 && fan.launch.spreadLaw == .planar)
  }

  @Test("a variant without a system of its own is read if the project has the other prefab")
  func variant() throws {
    let guid = "3f3fbefb6ff28ac97b78e01f2b7cc89e"
    let text =
      UnityTests.heading + """
        --- !u!1001 &77
        PrefabInstance:
          m_ObjectHideFlags: 0
          serializedVersion: 2
          m_Modification:
            m_TransformParent: {fileID: 0}
            m_Modifications:
            - target: {fileID: 1003, guid: \(guid), type: 3}
              propertyPath: EmissionModule.rateOverTime.scalar
              value: 33
              objectReference: {fileID: 0}
            m_RemovedComponents: []
          m_SourcePrefab: {fileID: 100100000, guid: \(guid), type: 3}

        """
    let bytes = Array(text.utf8)
    #expect(ParticleFormat.unity.recognise(bytes, "a.prefab"))
    #expect(!ParticleFormat.unity.recognise(bytes, "a.unity"))
    let finder = ImageFinder(besides: UnityTests.path("Sparks.prefab"))
    let context = DecodingContext(fileName: "a.prefab", images: finder)
    let imported = try ParticleFormat.unity.decode(bytes, context)
    #expect(imported.system.emitters.map(\.name) == ["Sparks", "Smoke"])
    #expect(imported.system.emitters[0].emission.rate == 33)
    var system = imported.system
    system.emitters[0].emission.rate = 34
    let exported = try ParticleFormat.unity.export(
      system, UnityWritingTests.context(of: imported))
    let new = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(new == text.replacing("value: 33", with: "value: 34"))
    let fault = #expect(throws: Diagnostic.self) {
      try ParticleFormat.unity.decode(bytes, DecodingContext(fileName: "a.prefab"))
    }
    #expect(fault?.found?.contains(guid) == true && fault?.hint?.contains("--project") == true)
  }

  @Test(
    "a missing picture has the name of its .meta file, otherwise its identifier and the material's name"
  )
  func missing() throws {
    let scratch = try Scratch()
    for name in ["Sparks.prefab", "spark.mat", "spark.mat.meta", "smoke.mat", "smoke.mat.meta"] {
      let bytes = try Files.read(UnityTests.path(name))
      try SafeSave.file(scratch.file(name), replacing: true) { try $0.write(bytes) }
    }
    let without = try UnityTests.load(scratch.file("Sparks.prefab"))
    let guid = "b1a778efac3f1bce92cc910cfdbe06fb"
    #expect(without.system.images.map(\.name) == ["spark \(guid).png"])
    #expect(without.system.images.map(\.uri) == ["Images/\(guid).png"])
    #expect(
      without.diagnostics.contains {
        $0.rule == .missingImage && $0.detail?.contains("the material spark") ?? false
      })
    let meta = try Files.read(Repository.path("Fixtures/unity/Assets/spark.png.meta"))
    try SafeSave.file(scratch.file("spark.png.meta"), replacing: true) { try $0.write(meta) }
    let named = try UnityTests.load(scratch.file("Sparks.prefab"))
    #expect(named.system.images.map(\.name) == ["spark.png"])
  }

  @Test("modules that the corpus lacks are read from files made by hand")
  func handMade() throws {
    let imported = try UnityTests.load(UnityTests.path("Modules.prefab"))
    let details = imported.diagnostics.compactMap(\.detail)
    for text in [
      "lifetimes that follow the speed of the emitter", "wind zones and force fields of the scene",
      "what happens in volumes of the scene", "values for shaders",
    ] {
      #expect(details.contains(text), "\(text): \(details)")
    }
    #expect(imported.diagnostics.filter { $0.rule == .uninterpreted }.count == 4)
    let emitter = imported.system.emitters[0]
    #expect(emitter.launch.inheritVelocity == 0.5 && emitter.rotation.velocity.over == .speed)
    let exported = try ParticleFormat.unity.export(
      imported.system, UnityWritingTests.context(of: imported))
    #expect(exported.parts.map(\.bytes) == [imported.source])
  }
}
