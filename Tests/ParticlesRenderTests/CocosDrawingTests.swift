import ParticlesCore
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesRender
@testable import ParticlesSimulation

/// A property list as the engines of its format draw it.
@Suite("Property lists, drawn for each of their engines")
struct CocosDrawingTests {
  /// The level in the middle of a white square of half opacity over a level of 17.
  private func level(
    _ factors: (Int, Int), as engine: Profile? = nil, texel: Double = 1
  ) throws -> Int {
    let keys: [(String, String)] = [
      ("maxParticles", "1"), ("particleLifespan", "0.5"), ("duration", "-1"), ("emitterType", "0"),
      ("startParticleSize", "32"), ("finishParticleSize", "32"),
      ("blendFuncSource", "\(factors.0)"), ("blendFuncDestination", "\(factors.1)"),
      ("textureFileName", "a.png"),
    ]
    let colors = ["start", "finish"].flatMap { end in
      [("Red", "1"), ("Green", "1"), ("Blue", "1"), ("Alpha", "0.5")].map {
        ("\(end)Color\($0)", $1)
      }
    }
    let members = (keys + colors).map { key, value in
      key == "textureFileName"
        ? "<key>\(key)</key><string>\(value)</string>" : "<key>\(key)</key><real>\(value)</real>"
    }
    let text =
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(members.joined())</dict></plist>"
    let alpha = Int((255 * texel).rounded())
    var texture = Bitmap(width: 8, height: 8)
    for place in texture.pixels.indices { texture.pixels[place] = 255 }
    for place in stride(from: 3, to: texture.pixels.count, by: 4) {
      texture.pixels[place] = UInt8(alpha)
    }
    let png = try PNG.encode(texture)
    var context = DecodingContext(fileName: "a.plist") { _ in png }
    context.engine = engine
    let system = try ParticleFormat.cocos2d.decode(Array(text.utf8), context).system
    var settings = EffectRenderer.Settings(width: 64, height: 64, view: .pixels)
    settings.background = ParticleSystem.Color(17.0 / 255, 17.0 / 255, 17.0 / 255)
    let simulation = Simulation(system, seed: 1)
    simulation.advance(by: 0.7)
    #expect(simulation.count == 1)
    let renderer = try EffectRenderer(system, textures: [0: texture], settings: settings)
    let picture = try renderer.draw(simulation)
    return Int(picture.pixels[4 * (32 * 64 + 32)])
  }

  @Test("a white square of half opacity")
  func square() throws {
    for (factors, engine, expected) in [
      ((1, 771), nil, 136), ((1, 771), .cocos2dX, 136), ((1, 771), .cocos2d, 72),
      ((770, 771), nil, 136), ((770, 771), .cocos2d, 136), ((770, 771), .cocosCreator, 136),
      ((770, 1), nil, 145), ((1, 1), nil, 255), ((1, 1), .cocos2d, 145),
      ((2, 4), nil, 136),
    ] as [((Int, Int), Profile?, Int)] {
      let found = try level(factors, as: engine)
      #expect(abs(found - expected) <= 1, "\(factors) \(engine?.rawValue ?? "-"): \(found)")
    }
  }

  @Test("a texel of half opacity counts twice with premultiplied textures, once in Cocos Creator")
  func texel() throws {
    for (factors, engine, expected) in [
      ((770, 771), .cocos2dX, 45), ((770, 771), .cocosCreator, 77), ((1, 771), .cocos2dX, 77),
    ] as [((Int, Int), Profile, Int)] {
      let found = try level(factors, as: engine, texel: 0.5)
      #expect(abs(found - expected) <= 1, "\(factors) \(engine.rawValue): \(found)")
    }
  }
}
