import ParticlesCore
import ParticlesModel
import ParticlesPlatform
import Testing

@testable import ParticlesSimulation

/// The camera that shows the particles of an effect.
@Suite("Framing") struct FramingTests {
  private func spot(
    _ x: Double, _ y: Double, width: Double, height: Double, contrast: Float = 1
  ) -> VisibleSpot {
    VisibleSpot(
      place: SIMD3(x, y, 0), half: SIMD2(width, height) / 2,
      contrast: SIMD4(repeating: contrast), count: 1, moment: 0)
  }

  private func framing(
    _ spots: [VisibleSpot], isFlat: Bool = true, _ width: Int = 200, _ height: Int = 100
  ) -> Framing {
    Framing(spots, background: 0, isFlat: isFlat, size: (width, height))
  }

  @Test("a single particle fills about three quarters of the picture in one direction")
  func single() throws {
    for (width, height, shown) in [(8.0, 8.0, 8.0), (8, 2, 4), (30, 10, 15), (1, 50, 50)] {
      let framing = framing([spot(3, -4, width: width, height: height)])
      let share = shown / (try #require(framing.camera.orthoHeight))
      #expect((0.7...0.8).contains(share), "\(width) x \(height): \(share)")
      #expect(framing.camera.target == Vector(3, -4, 0) && framing.isWhole)
    }
  }

  @Test("a single particle in perspective is as large")
  func singleInSpace() throws {
    let framing = framing([spot(3, -4, width: 200, height: 400)], isFlat: false, 300, 300)
    let camera = framing.camera
    let away = SIMD3(camera.position) - SIMD3(camera.target)
    let distance = (away * away).sum().squareRoot()
    let (sine, cosine) = sineAndCosine(degrees: (camera.fov ?? 60) / 2)
    let share = 400 / (2 * distance * sine / cosine)
    #expect((0.7...0.8).contains(share), "\(share)")
  }

  @Test("particles far from each other are all in the picture, with a margin")
  func several() throws {
    let spots = (0..<10).map { spot(Double($0) * 40, Double($0 % 2) * 10, width: 4, height: 4) }
    let framing = framing(spots)
    let height = try #require(framing.camera.orthoHeight)
    // 364 units of width in a picture that is twice as wide as high.
    #expect((182 * 1.05...182 * 1.2).contains(height), "\(height)")
    #expect(abs(framing.camera.target.x - 180) < 1 && abs(framing.camera.target.y - 5) < 1)
  }

  @Test("a particle that cannot be seen, and no particle, do not move the camera")
  func invisible() throws {
    let plain = framing([spot(0, 0, width: 8, height: 8)])
    let faint = framing([
      spot(0, 0, width: 8, height: 8), spot(900, 0, width: 8, height: 8, contrast: 0.01),
    ])
    #expect(plain.camera == faint.camera)
    #expect(framing([]).camera.orthoHeight == 100 && framing([]).isWhole)
  }
}
