import ParticlesModel
import Testing

@testable import ParticlesRender
@testable import ParticlesSimulation

@Suite("Camera")
struct ProjectionTests {
  private static func projection(
    _ camera: Camera, columns: Int = 512, rows: Int = 512, scale: Double = 1
  ) -> Projection {
    Projection(
      camera, of: ParticleSystem(), columns: columns, rows: rows, scale: scale, isFitting: false,
      pixel: nil)
  }

  @Test("the camera of SceneKit's scene sees known points where they are")
  func scene() throws {
    let projection = Self.projection(Framing.scene)
    let origin = try #require(projection(.zero))
    #expect((origin.pixel - SIMD2(256, 256)).magnitude < 1e-9)
    #expect((origin.depth - 45.0.squareRoot()).magnitude < 1e-12)
    // 256 ÷ tan 30° pixels for a unit at the distance 1.
    let focal = 256 * 3.0.squareRoot()
    let right = try #require(projection(SIMD3(1, 0, 0)))
    #expect((right.pixel.x - 256 - focal / 45.0.squareRoot()).magnitude < 1e-9)
    #expect((right.pixel.y - 256).magnitude < 1e-9)
    // (0, 1, 0) is 2 ÷ √5 above the axis, and 1 ÷ √5 nearer.
    let up = try #require(projection(SIMD3(0, 1, 0)))
    let depth = 45.0.squareRoot() - 1 / 5.0.squareRoot()
    #expect((256 - up.pixel.y - focal * 2 / 5.0.squareRoot() / depth).magnitude < 1e-9)
    // A point on the ground nearer to the camera is larger, and below the middle.
    let near = try #require(projection(SIMD3(0, 0, 2)))
    #expect(near.scale > origin.scale && near.pixel.y > 256)
    #expect(projection(SIMD3(0, 3, 6.1)) == nil)
    #expect(projection(SIMD3(0, 6, 12)) == nil)
  }

  @Test("an orthographic camera shows its height; z does not matter")
  func orthographic() throws {
    var camera = Camera()
    camera.position = Vector(10, 20, 0)
    camera.target = camera.position
    camera.orthoHeight = 100
    let projection = Self.projection(camera, columns: 400, rows: 200, scale: 1.5)
    let point = try #require(projection(SIMD3(20, 30, 7)))
    #expect(point.pixel == SIMD2(230, 70))
    #expect(point.scale == 3)
  }

  @Test("a camera that looks straight down has −z at the top")
  func steep() throws {
    var camera = Camera()
    camera.position = Vector(0, 5, 0)
    camera.orthoHeight = 8
    let projection = Self.projection(camera, columns: 80, rows: 80)
    let point = try #require(projection(SIMD3(1, 0, -2)))
    #expect((point.pixel - SIMD2(50, 20)).magnitude < 1e-9)
  }

  @Test("planes that do not face the camera are in perspective")
  func planes() throws {
    var emitter = Emitter(name: "floor")
    emitter.emission.bursts = [Emitter.Burst(count: 1)]
    emitter.lifetime = 10
    emitter.size.width = 2
    emitter.render.billboard = .horizontal
    var system = ParticleSystem(name: "test", emitters: [emitter])
    system.asset.dimension = .space
    let simulation = Simulation(system)
    simulation.advance(by: 0.1)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    let batch = ParticleBatch(
      emitter: emitter, index: 0, look: look, random: simulation.states[0].random)
    let projection = Self.projection(Framing.scene)
    let plane = PlaneChoice(batch, projection)
    #expect(!plane.isScreen)
    let quad = try #require(
      plane.quad(0, at: .zero, size: SIMD2(2, 2), pivot: SIMD2(0.5, 0.5), projection))
    for (corner, place) in [
      (quad.corners.0, SIMD3(-1, 0, -1.0)), (quad.corners.1, SIMD3(1, 0, -1)),
      (quad.corners.2, SIMD3(1, 0, 1)), (quad.corners.3, SIMD3(-1, 0, 1)),
    ] {
      let pixel = try #require(projection(place)).pixel
      #expect((SIMD2<Double>(corner) - pixel).magnitude < 1e-3)
    }
    // The middle of the texture is at the origin, although not in the middle of the corners.
    let texels = TexelPlane((64, 64)) { _, _ in .one }
    let mapping = try #require(Mapping(quad, texels))
    #expect(mapping.hasPerspective)
    let middle = mapping(255, 255)
    #expect((middle - SIMD2(32.5, 32.5)).magnitude < 0.8)
    let (a, b) = (quad.corners.0, quad.corners.2)
    #expect(a.y + b.y > 512 + 4)
  }

  @Test("a camera of space without a field of view has one of 60 degrees")
  func defaultFieldOfView() throws {
    var system = ParticleSystem(name: "test", emitters: [])
    system.asset.dimension = .space
    var settings = EffectRenderer.Settings(width: 64, height: 64)
    settings.view = .camera(Camera())
    #expect(try EffectRenderer(system, settings: settings).camera.fov == 60)
  }

  // MARK: Framing

  private static func camera(_ emitter: Emitter, dimension: Dimension = .plane) throws -> Camera {
    var system = ParticleSystem(name: "test", emitters: [emitter])
    system.asset.dimension = dimension
    return try EffectRenderer(
      system, settings: EffectRenderer.Settings(width: 200, height: 100)
    ).camera
  }

  @Test("an automatic camera has in view what is seen over the whole time")
  func framing() throws {
    var emitter = Emitter(name: "jet")
    emitter.emission.rate = 50
    emitter.lifetime = 1
    emitter.launch.direction = Emitter.Direction(angle: 90)
    emitter.launch.speed = 300
    emitter.size.width = 10
    let camera = try Self.camera(emitter)
    let height = try #require(camera.orthoHeight)
    #expect(290...350 ~= height)
    #expect((camera.position.y - 150).magnitude < 10)
    #expect(camera.position.x.magnitude < 1)
  }

  @Test("few particles far away do not make the rest small")
  func outliers() throws {
    var emitter = Emitter(name: "dust")
    emitter.emission.rate = 1_000
    emitter.lifetime = 1
    emitter.shape.kind = .rect
    emitter.shape.size = Vector(100, 100)
    emitter.size.width = 1
    let height = try #require(try Self.camera(emitter).orthoHeight)
    #expect(90...115 ~= height)
    var system = ParticleSystem(name: "test", emitters: [emitter, emitter])
    system.emitters[1].transform.translation = Vector(5_000, 5_000)
    system.emitters[1].emission.rate = 5
    let other = try EffectRenderer(
      system, settings: EffectRenderer.Settings(width: 200, height: 100)
    ).camera
    #expect(try #require(other.orthoHeight) < height * 1.3)
  }

  @Test("effects in space are seen with the usual camera, or from farther away if they are large")
  func space() throws {
    var emitter = Emitter(name: "cloud")
    emitter.emission.rate = 100
    emitter.lifetime = 1
    emitter.shape.kind = .sphere
    emitter.shape.radius = 2.5
    emitter.size.width = 0.1
    #expect(try Self.camera(emitter, dimension: .space) == Framing.scene)
    emitter.shape.radius = 100
    emitter.size.width = 5
    let far = try Self.camera(emitter, dimension: .space)
    #expect(far.fov == 60)
    let distance = (SIMD3(far.position) - SIMD3(far.target)).magnitude
    #expect(150...320 ~= distance)
  }

  @Test("the document decides, if it has a camera")
  func documented() throws {
    var system = ParticleSystem(name: "test", emitters: [Emitter(name: "e")])
    var camera = Camera()
    camera.orthoHeight = 33
    system.preview.camera = camera
    #expect(try EffectRenderer(system).camera == camera)
    system.preview.camera = nil
    system.preview.size = Vector2(40, 20)
    let renderer = try EffectRenderer(system)
    #expect(renderer.camera.orthoHeight == 20)
    // All of the stated size is seen in a square picture.
    let projection = Projection(
      renderer.camera, of: system, columns: 100, rows: 100, scale: 1, isFitting: true, pixel: nil)
    #expect(projection.scale == 2.5)
  }
}

extension SIMD2<Double> {
  fileprivate var magnitude: Double { (self * self).sum().squareRoot() }
}

extension SIMD3<Double> {
  fileprivate var magnitude: Double { (self * self).sum().squareRoot() }
}
