import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesRender
@testable import ParticlesSimulation

/// The table of how engines draw, beside the facts of the cards.
@Suite("How engines draw")
struct DrawingLawTests {
  static let profiles = [
    "love": "love", "cocos2d-html5": "cocos2d", "pixi4-particles3": "pixi-3",
    "pixi5-particles5": "pixi-5", "godot3-cpuparticles2d": "godot3",
    "godot3-particles2d": "godot3", "three.quarks": "quarks",
  ]

  static func drawing(_ engine: String) throws -> EngineLaw.Drawing {
    Profile(rawValue: try #require(profiles[engine])).drawing
  }

  @Test("the table of the specification is that of the library")
  func page() throws {
    try Golden.checkSection("drawing", of: "Spec/profiles.md", is: EngineLaw.Drawing.markdown)
  }

  @Test("every value of a switch is explained")
  func values() throws {
    typealias Law = EngineLaw.Drawing
    let page = String(decoding: try Files.read(Repository.path("Spec/profiles.md")), as: UTF8.self)
    let values =
      Law.TextureForm.allCases.map(\.rawValue) + Law.TintAlpha.allCases.map(\.rawValue)
      + Law.Blending.allCases.map(\.rawValue) + Law.Space.allCases.map(\.rawValue)
      + Law.Order.allCases.map(\.rawValue) + Law.Shape.allCases.map(\.rawValue)
      + Law.Edge.allCases.map(\.rawValue) + Law.Axis.allCases.map(\.rawValue)
      + Law.Sense.allCases.map(\.rawValue)
    for value in values { #expect(page.contains("| `\(value)` |"), "\(value)") }
  }

  @Test("a profile without a row draws as neutral")
  func unknown() {
    #expect(Profile(rawValue: "of my own").drawing == EngineLaw.Drawing())
    #expect(Profile.neutral.drawing == EngineLaw.Drawing())
  }

  @Test(
    "axes, senses and shapes are those of the cards",
    .enabled(if: Card.folder != nil, "there is no ../shared/referees/cards"))
  func geometry() throws {
    var seen: [String: Int] = [:]
    for card in try Card.all() {
      let law = try Self.drawing(card.engine)
      let quad = try #require(card.quads.first)
      let (a, b, c) = (quad.corners.0, quad.corners.1, quad.corners.2)
      let center = (a + c) / 2
      // The edge from the first corner to the second points right in the texture.
      let along = (b - a) / ((b - a) * (b - a)).sum().squareRoot()
      let isDown = law.y == .down
      switch card.name {
      case "02_f_rotated_30":
        #expect((along.y > 0.4) == (law.rotation == .clockwise), "\(card.engine)")
      case "09_position_10_6": #expect((center.y > 32) == isDown, "\(card.engine)")
      case "10_f_non_square":
        #expect((quad.size.y > 20) == (law.shape == .square), "\(card.engine)")
      case "01_f_upright":
        let state = try card.state()
        #expect((state.texel == .premultiplied) == (law.texture == .premultiplied))
        #expect(state.isTintPremultiplied == (law.tintAlpha == .premultiplied))
      case "03_f_direction_60_aligned", "03_f_direction_60_relative",
        "03_f_direction_60_stretched", "03_f_speed_rotated_60":
        let down = SIMD2(-along.y, along.x)
        let ahead: SIMD2<Float> =
          switch law.ahead {
          case .right: along
          case .bottom: down
          case .left: -along
          }
        let wanted = SIMD2<Float>(0.5, isDown ? 0.866 : -0.866)
        #expect(((ahead - wanted) * (ahead - wanted)).sum() < 1e-4, "\(card.engine)")
      default: continue
      }
      seen[card.engine, default: 0] += 1
    }
    #expect(seen.count == 7)
    for (engine, count) in seen { #expect(count >= 4, "\(engine)") }
  }

  /// Blend modes with a card that shows them.
  static let modes: [(engine: String, card: String, mode: Emitter.BlendMode)] = [
    ("love", "06_disc_alpha_a050", .alpha), ("love", "06_disc_add_a050", .add),
    ("love", "06_disc_alpha_pre_a050", .premultiplied),
    ("love", "06_disc_subtract_a050", .subtract), ("love", "06_disc_screen_a050", .screen),
    ("love", "06_disc_multiply_pre_a050", .multiply), ("love", "06_disc_replace_a050", .replace),
    ("godot3-cpuparticles2d", "06_disc_add_a050", .add),
    ("godot3-cpuparticles2d", "06_disc_mix_a050", .alpha),
    ("godot3-cpuparticles2d", "06_disc_mul_a050", .multiply),
    ("godot3-cpuparticles2d", "06_disc_sub_a050", .subtract),
    ("godot3-cpuparticles2d", "06_disc_premult_alpha_a050", .premultiplied),
    ("pixi5-particles5", "06_disc_normal_a050", .alpha),
    ("pixi5-particles5", "06_disc_add_a050", .add),
    ("pixi5-particles5", "06_disc_multiply_a050", .multiplyAlpha),
    ("pixi5-particles5", "06_disc_screen_a050", .screen),
    ("three.quarks", "06_disc_normal_a050", .alpha),
    ("three.quarks", "06_disc_additive_a050", .add),
    ("three.quarks", "06_disc_normal_premultiplied_a050", .premultiplied),
    ("cocos2d-html5", "06_disc_770_771_a050", .alpha),
    ("cocos2d-html5", "06_disc_770_1_a050", .add),
  ]

  @Test(
    "blend modes become the factors of the cards",
    .enabled(if: Card.folder != nil, "there is no ../shared/referees/cards"))
  func factors() throws {
    let cards = try Card.all()
    for (engine, name, mode) in Self.modes {
      let card = try #require(
        cards.first { $0.engine == engine && $0.name == name }, "\(engine)/\(name)")
      let ours = BlendState(Blend(mode), try Self.drawing(engine))
      let theirs = try card.state()
      #expect(ours.source == theirs.source, "\(engine)/\(name)")
      #expect(ours.destination == theirs.destination, "\(engine)/\(name)")
      #expect(ours.equation == theirs.equation, "\(engine)/\(name)")
      #expect(ours.isTintPremultiplied == theirs.isTintPremultiplied, "\(engine)/\(name)")
      #expect(
        (ours.texel == .premultiplied) == (theirs.texel == .premultiplied), "\(engine)/\(name)")
    }
  }
}

extension EngineLaw.Drawing {
  /// A table of all rows for the specification, in Markdown.
  fileprivate static var markdown: String {
    let switches: [(name: String, value: (Self) -> String)] = [
      ("texture", { $0.texture.rawValue }), ("tintAlpha", { $0.tintAlpha.rawValue }),
      ("blending", { $0.blending.rawValue }), ("space", { $0.space.rawValue }),
      ("order", { $0.order.rawValue }), ("shape", { $0.shape.rawValue }),
      ("ahead", { $0.ahead.rawValue }), ("y", { $0.y.rawValue }),
      ("rotation", { $0.rotation.rawValue }),
    ]
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
    var page = line(["profile"] + switches.map { "`\($0.name)`" } + ["evidence", "source"])
    page += "|\(String(repeating: "---|", count: switches.count + 3))\n"
    for row in all {
      page += line(
        ["`\(row.profile.rawValue)`"] + switches.map { $0.value(row.drawing) } + [
          row.evidence.rawValue, row.source,
        ])
    }
    return String(page.dropLast())
  }
}
