import Foundation
import ParticlesCore
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesRender
@testable import ParticlesSimulation

/// Pictures of real engines beside ours.
@Suite("Cards of engines")
struct CardTests {
  @Test(
    "each card, drawn from its facts, agrees within its tolerance",
    .enabled(if: Card.folder != nil, "there is no ../shared/referees/cards"))
  func facts() throws {
    var counts: [String: (agreeing: Int, all: Int)] = [:]
    for card in try Card.all() {
      let decode: (@Sendable (Float) -> Float)? = card.isDecoding ? LightCurve.light : nil
      let texture = try #require(SpriteTexture(try card.texture(), convert: decode))
      var canvas = try Canvas(width: 64, height: 64)
      canvas.background = card.background
      let picture = try canvas.draw(
        card.quads, textures: [texture], states: [try card.state()]
      ).bitmap
      let deviation = try card.deviation(of: picture)
      #expect(deviation == nil, "\(card.engine)/\(card.name)")
      counts[card.engine, default: (0, 0)].all += 1
      if deviation == nil { counts[card.engine]?.agreeing += 1 }
    }
    for (engine, count) in counts.sorted(by: { $0.key < $1.key }) {
      print("\(engine): \(count.agreeing) of \(count.all) cards agree")
    }
    #expect(counts.values.reduce(0) { $0 + $1.all } == 206)
  }

  /// Cards that their property list does not determine, with the reason.
  static let undetermined = [
    "06_disc_1_771_after_sprite_a050": "the engine keeps the state of what it drew before"
  ]

  @Test(
    "property lists of cocos2d, imported and simulated, give the pictures of the engine",
    .enabled(if: Card.folder != nil, "there is no ../shared/referees/cards"))
  func propertyLists() throws {
    var count = 0
    for card in try Card.all() where card.engine == "cocos2d-html5" {
      let bytes = try Files.read(try card.path(card.input))
      let texture = try card.texture()
      var context = DecodingContext(fileName: card.input) { _ in try PNG.encode(texture) }
      context.engine = .cocos2d
      let imported = try ParticleFormat.cocos2d.decode(bytes, context)
      var settings = EffectRenderer.Settings(width: 64, height: 64, view: .pixels)
      let back = card.background
      settings.background = ParticleSystem.Color(
        Double(back.x), Double(back.y), Double(back.z))
      let simulation = Self.run(card, imported.system)
      let renderer = try EffectRenderer(
        simulation.system, textures: [0: texture], settings: settings)
      let deviation = try card.deviation(of: try renderer.draw(simulation))
      if let reason = Self.undetermined[card.name] {
        #expect(deviation != nil, "\(card.name) agrees, although \(reason)")
      } else {
        #expect(deviation == nil, "\(card.name)")
      }
      count += 1
    }
    #expect(count == 29)
  }

  /// Runs the steps of a card: each particle comes from an emitter of its own, at the time of the last
  /// one and with the age that it has then.
  private static func run(_ card: Card, _ imported: ParticleSystem) -> Simulation {
    var system = imported
    var emitter = system.emitters[0]
    emitter.emission.rate = 0
    emitter.emission.bursts = [Emitter.Burst(count: 1)]
    system.emitters = []
    var (time, emissions): (Double, [Double]) = (0, [])
    for (word, numbers) in card.steps {
      switch word {
      case "emit":
        emissions.append(time)
        system.emitters.append(emitter)
      case "move": emitter.transform.translation = ParticleSystem.Vector(numbers[0], numbers[1])
      case "update": time += numbers[0]
      default: Issue.record("an unknown step: \(word)")
      }
    }
    let last = emissions.last ?? 0
    for (index, emission) in emissions.enumerated() {
      system.emitters[index].emission.lifeOffset = .constant(last - emission)
    }
    let simulation = Simulation(system)
    // A particle that is emitted at the end has to be seen.
    simulation.advance(by: time - last + 1e-3)
    return simulation
  }
}
