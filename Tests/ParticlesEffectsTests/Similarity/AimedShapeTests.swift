import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import Testing

/// Directions that Defold knows only through shapes, written by turning the emitter. Measures the
/// difference to the effect.
@Suite("Directions by shapes that are turned")
struct AimedShapeTests {
  private typealias Conversion = (difference: EffectDifference, losses: [Diagnostic], text: String)

  private static func converted(_ change: (inout Emitter) -> Void) throws -> Conversion {
    try ReplacedPropertyTests.converted(ReplacedPropertyTests.fountain(.plane, change), to: .defold)
  }

  /// Reads the written file.
  private static func emitter(_ result: Conversion) throws -> Emitter {
    let imported = try ParticleFormat.defold.decode(
      Array(result.text.utf8), DecodingContext(fileName: "a.particlefx"))
    return try #require(imported.system.emitters.first)
  }

  private static func expect(
    _ result: Conversion, _ aspects: [EffectDifference.Aspect] = [.position, .spread, .rotation],
    below limit: Double = 0.03, location: SourceLocation = #_sourceLocation
  ) {
    for aspect in aspects {
      #expect(
        (result.difference.aspects[aspect] ?? 1) < limit, "\(result.difference.aspects)",
        sourceLocation: location)
    }
  }

  /// A particle goes up in a box, so that a direction of 0° needs a turn by −90°.
  @Test("a direction from a point", arguments: [0, 70, 200])
  func direction(angle: Double) throws {
    let result = try Self.converted {
      $0.launch.direction = Direction(angle: .constant(angle))
      $0.launch.spread = 0
      $0.rotation.angle = 30
    }
    Self.expect(result)
    let emitter = try Self.emitter(result)
    #expect((emitter.transform.angle - (angle - 90)).magnitude < 1e-5)
    // Images turn with the emitter.
    #expect((emitter.rotation.angle.mean(lifetime: 1) - 30).magnitude < 1e-5)
  }

  @Test("a fan from a point is a triangle that is turned")
  func fan() throws {
    let result = try Self.converted { $0.launch.direction = Direction(angle: 0) }
    Self.expect(result)
    #expect(result.text.contains("EMITTER_TYPE_2DCONE"))
    let emitter = try Self.emitter(result)
    #expect((emitter.transform.angle + 90).magnitude < 1e-5)
    #expect((emitter.shape.arc.lower - 65).magnitude < 1e-5)
    #expect((emitter.shape.arc.upper - 115).magnitude < 1e-5)
    #expect(result.losses.contains { $0.loss?.recipe == "an arc of a circle" })
  }

  @Test("any direction in the plane is a circle")
  func everywhere() throws {
    for size in [0.0, 60] {
      let result = try Self.converted {
        $0.launch.direction = Direction(.random)
        if size > 0 { $0.shape = .rect(width: size, height: size) }
      }
      Self.expect(result, [.position, .spread], below: 0.1)
      #expect(result.text.contains("EMITTER_TYPE_CIRCLE"))
    }
  }

  /// The sides of a rectangle change places when it is turned by 90°.
  @Test("a direction from an area is a box that is turned")
  func box() throws {
    let result = try Self.converted {
      $0.shape = .rect(width: 200, height: 10)
      $0.launch.direction = Direction(angle: 0)
      $0.launch.spread = 0
    }
    Self.expect(result)
    let emitter = try Self.emitter(result)
    #expect((emitter.shape.size.x - 10).magnitude < 1e-6)
    #expect((emitter.shape.size.y - 200).magnitude < 1e-6)
    // A fan that is narrower than the area leaves the area as it is.
    let wide = try Self.converted {
      $0.shape = .rect(width: 400, height: 0)
      $0.launch.direction = Direction(angle: -90)
      $0.launch.spread = 5
    }
    Self.expect(wide, [.position, .spread], below: 0.05)
    #expect(wide.text.contains("EMITTER_TYPE_BOX"))
  }

  @Test("directions away from an arc are those of a triangle that is turned")
  func normals() throws {
    let result = try Self.converted {
      $0.shape = .ellipse(40, 40)
      $0.shape.arc = Interval(-20, 40)
      $0.launch.direction = Direction(.normal)
      $0.launch.spread = 0
    }
    Self.expect(result, below: 0.05)
    let ring = try Self.converted {
      $0.shape = .ellipse(40, 40)
      $0.shape.placement = .edge
      $0.launch.direction = Direction(.normal)
      $0.launch.spread = 0
    }
    #expect(ring.text.contains("EMITTER_TYPE_CIRCLE"))
    Self.expect(ring, [.position, .spread], below: 0.12)
  }

  /// The emitter is at 20° and turned by −90°, so that it is at −70° then. Down, at −90°, is at −20° seen from
  /// there. The former downward direction of the emitter is at 0°.
  @Test("forces keep their directions and places", arguments: [true, false])
  func forces(isLocal: Bool) throws {
    let result = try Self.converted {
      $0.launch.direction = Direction(angle: 0)
      $0.transform.angle = 20
      var center = Force(.radial, strength: 60)
      center.center = Vector(50, 30)
      $0.forces = [.gravity(Vector(0, -80)), center]
      for index in $0.forces.indices { $0.forces[index].space = isLocal ? .local : .world }
    }
    Self.expect(result, [.position, .spread], below: 0.05)
    let forces = try Self.emitter(result).forces
    try #require(forces.count == 2)
    let expected = isLocal ? (80, 0) : (75.1754, -27.3616)
    #expect((forces[0].vector.x.mean(lifetime: 1) - expected.0).magnitude < 1e-3)
    #expect((forces[0].vector.y.mean(lifetime: 1) - expected.1).magnitude < 1e-3)
  }

  @Test("a file that is there already keeps its shapes")
  func own() throws {
    let bytes = Array(try Self.converted { $0.launch.direction = Direction(angle: 30) }.text.utf8)
    let imported = try ParticleFormat.defold.decode(
      bytes, DecodingContext(fileName: "a.particlefx"))
    let package = try imported.package()
    let again = try package.exported(as: ParticleFormat.defold, fileName: "a.particlefx")
    #expect(again.parts.first?.bytes == bytes)
    #expect(!again.losses.contains { $0.loss?.path.hasSuffix(".launch") ?? false })
  }
}
