import Foundation
import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Edited effects of Unity in the files that they came from.
@Suite("Unity writing")
struct UnityWritingTests {
  /// The context in which an imported file is saved where it was.
  static func context(of imported: Imported, inPlace: Bool = true) -> EncodingContext {
    let files = imported.images.merging(imported.related) { first, _ in first }
    var context = EncodingContext(
      fileName: imported.sourceName,
      source: .init(name: imported.sourceName, bytes: imported.source)
    ) { files[$0] }
    context.isInPlace = inPlace
    return context
  }

  /// The lines that saving an edited file removes and adds.
  private static func change(
    _ imported: Imported, _ edit: (inout ParticleSystem) -> Void
  ) throws -> (removed: [String], added: [String], losses: [Diagnostic]) {
    var system = imported.system
    edit(&system)
    let exported = try ParticleFormat.unity.export(system, context(of: imported))
    #expect(exported.beside.isEmpty && exported.parts.count == 1)
    let lines = { (bytes: [UInt8]) in
      String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
    }
    let (old, new) = (lines(imported.source), lines(exported.parts[0].bytes))
    var (removed, added): ([String], [String]) = ([], [])
    for step in new.difference(from: old) {
      switch step {
      case .remove(_, let line, _): removed.append(line)
      case .insert(_, let line, _): added.append(line)
      }
    }
    return (removed, added, exported.losses.filter { $0.rule != .missingImage })
  }

  @Test(
    "a file that was not edited is the same bytes", arguments: ["Sparks.prefab", "Fire.prefab"])
  func unchanged(name: String) throws {
    let imported = try UnityTests.load(UnityTests.path(name))
    let exported = try ParticleFormat.unity.export(imported.system, Self.context(of: imported))
    #expect(exported.parts.map(\.bytes) == [imported.source] && exported.beside.isEmpty)
    #expect(exported.losses.isEmpty, "\(exported.losses)")
  }

  @Test("one changed value is one changed line")
  func lines() throws {
    let imported = try UnityTests.load(UnityTests.path("Sparks.prefab"))
    let edits: [(String, (inout ParticleSystem) -> Void, String)] = [
      ("  lengthInSec: 2", { $0.emitters[0].timing.duration = 3 }, "  lengthInSec: 3"),
      ("  looping: 0", { $0.emitters[0].timing.loop = true }, "  looping: 1"),
      ("      scalar: 1.5", { $0.emitters[0].lifetime = .range(0.5, 2) }, "      scalar: 2"),
      ("      minScalar: 4", { $0.emitters[0].launch.speed = .range(1, 8) }, "      minScalar: 1"),
      ("      scalar: 12", { $0.emitters[0].emission.rate = 20 }, "      scalar: 20"),
      (
        "      probability: 0.75", { $0.emitters[0].emission.bursts[0].probability = 0.5 },
        "      probability: 0.5"
      ),
      (
        "      scalar: 0.5", { $0.emitters[0].forces[0] = .gravity(Vector(0, -9.81)) },
        "      scalar: 1"
      ),
      ("    angle: 20", { $0.emitters[0].shape.angle = 30 }, "    angle: 30"),
      ("      value: 180", { $0.emitters[0].shape.arc = Interval(-90, 0) }, "      value: 90"),
      ("  m_SortingOrder: 3", { $0.emitters[0].render.order = 7 }, "  m_SortingOrder: 7"),
      ("  m_Name: Smoke", { $0.emitters[1].name = "Dust" }, "  m_Name: Dust"),
      (
        "  m_LocalPosition: {x: 0, y: 1, z: 2}",
        { $0.emitters[1].transform.translation = Vector(0, 4, -2) },
        "  m_LocalPosition: {x: 0, y: 4, z: 2}"
      ),
      (
        "    m_Scale: {x: 2, y: 1, z: 0.5}", { $0.emitters[1].shape.size.x = 3 },
        "    m_Scale: {x: 3, y: 1, z: 0.5}"
      ),
    ]
    for (old, edit, new) in edits {
      let change = try Self.change(imported, edit)
      #expect(change.removed == [old] && change.added == [new], "\(old): \(change)")
      #expect(change.losses.isEmpty, "\(old): \(change.losses)")
    }
  }

  @Test("what an edit adds are new lines in the module, and a curve is its keys")
  func added() throws {
    let imported = try UnityTests.load(UnityTests.path("Sparks.prefab"))
    let bursts = try Self.change(imported) {
      $0.emitters[0].emission.bursts.append(Burst(time: 1, count: 5))
    }
    #expect(bursts.removed == ["    m_BurstCount: 1"] && bursts.added.contains("      time: 1"))
    #expect(bursts.added.contains("    m_BurstCount: 2") && bursts.added.count < 15)
    let curve = try Self.change(imported) {
      $0.emitters[1].emission.rate = .ramp(
        .init(low: 0, high: 10, curve: Curve(through: [(0, 1), (1, 0.25)])))
    }
    #expect(curve.losses.isEmpty && curve.added.contains("      minMaxState: 1"))
    #expect(curve.added.contains("          value: 0.25"))
    #expect(curve.added.contains { $0.hasSuffix("outSlope: -0.75") })
  }

  @Test(
    "a value of a nested prefab is changed in its modification, or a further one; the prefab stays as it is"
  )
  func nested() throws {
    let imported = try UnityTests.load(UnityTests.path("Fire.prefab"))
    let stated = try Self.change(imported) { $0.emitters[0].emission.bursts[0].time = 0.75 }
    #expect(stated.removed == ["      value: 0.5"] && stated.added == ["      value: 0.75"])
    let further = try Self.change(imported) { $0.emitters[0].emission.rate = 20 }
    #expect(further.removed.isEmpty)
    #expect(
      further.added == [
        "    - target: {fileID: 1003, guid: 3f3fbefb6ff28ac97b78e01f2b7cc89e, type: 3}",
        "      propertyPath: EmissionModule.rateOverTime.scalar", "      value: 20",
        "      objectReference: {fileID: 0}",
      ])
    #expect(stated.losses.isEmpty && further.losses.isEmpty)
  }

  @Test("an edit of what is in another file, or of the objects, is refused with the reason")
  func refused() throws {
    let imported = try UnityTests.load(UnityTests.path("Sparks.prefab"))
    let edits: [(String, (inout ParticleSystem) -> Void)] = [
      ("the blending is in a material", { $0.emitters[0].render.blend = Blend(.alpha) }),
      ("the brightness is in a material", { $0.emitters[0].color.intensity = 3 }),
      ("the picture is in a material", { $0.sprites[1].region = nil }),
      ("emitters were added or removed", { $0.emitters.append(Emitter(name: "x")) }),
    ]
    for (reason, edit) in edits {
      var system = imported.system
      edit(&system)
      let fault = #expect(throws: Diagnostic.self) {
        try ParticleFormat.unity.export(system, Self.context(of: imported))
      }
      #expect(
        fault?.rule == .fileUnwritable && fault?.detail?.hasPrefix(reason) == true, "\(reason)")
      #expect(fault?.hint != nil)
      // Elsewhere a new prefab is written.
      let other = try ParticleFormat.unity.export(
        system, Self.context(of: imported, inPlace: false))
      #expect(other.beside.keys.contains { $0.hasSuffix(".mat") })
      #expect(other.losses.contains { $0.detail?.contains(reason) ?? false }, "\(reason)")
    }
  }

  @Test("old files keep their forms: numbers, ranges as shares, bursts, colours in one number")
  func old() throws {
    let imported = try UnityTests.read(
      """
        lengthInSec: 5
        speed: 1
        moveWithTransform: 1
        InitialModule:
          enabled: 1
          startLifetime:
            scalar: 4
            maxCurve:
              m_Curve:
              - {time: 0, value: 1, inSlope: 0, outSlope: 0}
            minCurve:
              m_Curve:
              - {time: 0, value: 0.5, inSlope: 0, outSlope: 0}
            minMaxState: 3
          startColor:
            maxColor:
              serializedVersion: 2
              rgba: 4278190335
            minMaxState: 0
          gravityModifier: 1
        EmissionModule:
          enabled: 1
          m_Type: 0
          rate:
            scalar: 7
            minMaxState: 0
          cnt0: 30
          cntmax0: 30
          time0: 0.5
          m_BurstCount: 1
        ShapeModule:
          enabled: 1
          type: 5
          boxX: 1
          boxY: 2
          boxZ: 3
      """, version: 4)
    let edits: [((inout Emitter) -> Void, String, String)] = [
      ({ $0.emission.rate = 9 }, "      scalar: 7", "      scalar: 9"),
      ({ $0.timing.speed = 2 }, "  speed: 1", "  speed: 2"),
      ({ $0.space = .world }, "  moveWithTransform: 1", "  moveWithTransform: 0"),
      (
        { $0.lifetime = .range(1, 4) }, "        - {time: 0, value: 0.5, inSlope: 0, outSlope: 0}",
        "        - {time: 0, value: 0.25, inSlope: 0, outSlope: 0}"
      ),
      (
        { $0.color.base.from = .constant(Color(0, 1, 0)) }, "        rgba: 4278190335",
        "        rgba: 4278255360"
      ),
      (
        { $0.forces = [.gravity(Vector(0, -4.905))] }, "    gravityModifier: 1",
        "    gravityModifier: 0.5"
      ),
      ({ $0.emission.bursts[0].time = 1 }, "    time0: 0.5", "    time0: 1"),
      ({ $0.shape.size.y = 4 }, "    boxY: 2", "    boxY: 4"),
    ]
    for (edit, old, new) in edits {
      let change = try Self.change(imported) { edit(&$0.emitters[0]) }
      #expect(change.removed == [old] && change.added == [new], "\(old): \(change)")
      #expect(change.losses.isEmpty, "\(old): \(change.losses)")
    }
  }

  @Test("lines that end with CR stay so")
  func lineEnds() throws {
    let bytes = Array(
      String(decoding: try Files.read(UnityTests.path("Sparks.prefab")), as: UTF8.self)
        .replacingOccurrences(of: "\n", with: "\r\n").utf8)
    var imported = try ParticleFormat.unity.decode(bytes, DecodingContext(fileName: "a.prefab"))
    imported.system.emitters[0].emission.bursts.append(Burst(time: 1, count: 5))
    let exported = try ParticleFormat.unity.export(
      imported.system, Self.context(of: imported))
    let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(text.unicodeScalars.count { $0 == "\n" } == text.unicodeScalars.count { $0 == "\r" })
    #expect(exported.parts[0].bytes != bytes)
  }

  @Test("every file of the corpus comes back byte by byte", .enabled(if: Corpus.isPresent))
  func corpus() throws {
    let all = UnityTests.assets(below: "\(Repository.corpus ?? "")/unity")
    #expect(all.count > 40)
    let paths = Sample.of(all, 12)
    for path in paths {
      let imported = try UnityTests.load(path)
      var context = Self.context(of: imported)
      context.isEstimating = false
      let exported = try ParticleFormat.unity.export(imported.system, context)
      #expect(exported.parts.map(\.bytes) == [imported.source], "\(path)")
      let losses = exported.losses.filter { $0.rule != .missingImage }
      #expect(losses.isEmpty, "\(path): \(losses)")
    }
    print("unity: \(paths.count) of \(all.count) files of the corpus came back byte by byte")
  }
}
