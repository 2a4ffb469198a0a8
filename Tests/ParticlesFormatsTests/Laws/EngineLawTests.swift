import Foundation
import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// A file that is written for an engine, and is read again, follows the law of the engine. The
/// formulas were written from the measured laws and share nothing with the library.
@Suite("Laws of engines in conversions") struct EngineLawTests {
  private func exported(
    _ system: ParticleSystem, _ format: ParticleFormat
  ) throws -> (file: EngineReference.File, losses: [Diagnostic]) {
    let exported = try format.export(system, EncodingContext(fileName: "a.x"))
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
    let bytes = exported.parts[0].bytes
    return (
      format.name == "starling"
        ? try EngineReference.File(starling: bytes) : try EngineReference.File(propertyList: bytes),
      exported.losses
    )
  }

  private func effect(
    _ profile: Profile = .spriteKit, _ change: (inout Emitter) -> Void
  ) -> ParticleSystem {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 10
    emitter.lifetime = 2
    emitter.size.aspect = .ratio(1)
    change(&emitter)
    var system = ParticleSystem(name: "a", emitters: [emitter])
    system.asset.profile = profile
    system.asset.unit = .point
    return system
  }

  // MARK: Sizes

  static let engines: [(format: ParticleFormat, engine: EngineReference.Engine)] = [
    (.cocos2d, .cocos2d), (.starling, .starling),
  ]

  @Test("a size that reaches 0 before death is the same at every age", arguments: engines)
  func shrinking(format: ParticleFormat, engine: EngineReference.Engine) throws {
    let system = effect {
      $0.size.width = Track(from: 64, rate: -40)
      $0.rotation.angle = Track(from: 0, rate: 90)
    }
    let (file, losses) = try exported(system, format)
    let life = file[format.name == "starling" ? "particleLifeSpan" : "particleLifespan"]
    #expect(abs(life - 1.6) < 1e-9)
    for age in stride(from: 0.0, through: 2, by: 0.1) {
      let shown = age < life ? EngineReference.size(file, engine, age: age, life: life) : 0
      #expect(abs(shown - max(64 - 40 * age, 0)) < 0.11, "at \(age)")
    }
    #expect(file["finishParticleSize"] >= 0)
    // The angle ends where it is then: 144°, clockwise.
    #expect(abs(file["rotationEnd"] + 144) < 1e-6)
    #expect(EngineReference.rate(file, engine, life: life) >= 9.9)
    let line = try #require(losses.first { $0.loss?.feature == "life" })
    #expect(line.loss?.level == .info && line.detail?.contains("80 %") == true, "\(line)")
  }

  @Test("random start sizes shrink to 0 at their own age")
  func randomShrinking() throws {
    let system = effect { $0.size.width = Track(from: .range(20, 40), rate: -40) }
    let (file, _) = try exported(system, .cocos2d)
    // 20 ÷ 40 to 40 ÷ 40 seconds.
    #expect(file["particleLifespan"] == 0.75 && file["particleLifespanVariance"] == 0.25)
    #expect(file["startParticleSize"] == 30 && file["startParticleSizeVariance"] == 10)
    #expect(file["finishParticleSize"] == 0 && file["finishParticleSizeVariance"] == 0)
  }

  @Test("alpha that reaches 0 ends the life, unless the blend mode shows particles without it")
  func fading() throws {
    let fade = effect { $0.color.opacity = Track(from: 1, rate: -1) }
    let (file, _) = try exported(fade, .cocos2d)
    #expect(file["particleLifespan"] == 1 && file["finishColorAlpha"] == 0)
    for age in stride(from: 0.0, to: 1, by: 0.1) {
      let alpha = EngineReference.channel(file, .cocos2d, "Alpha", age: age, life: 1)
      #expect(abs(alpha - (1 - age)) < 1e-9)
    }
    var multiplied = fade
    multiplied.emitters[0].render.blend = Blend(.multiply)
    #expect(try exported(multiplied, .cocos2d).file["particleLifespan"] == 2)
  }

  @Test("a curve that returns from 0 keeps its life, and its line its ends")
  func returning() throws {
    let system = effect {
      $0.size.width = Track(
        from: 0, to: 1, curve: Curve(through: [(0, 50), (0.4, -80), (0.9, -10), (1, 5)]))
    }
    let (file, losses) = try exported(system, .cocos2d)
    #expect(file["particleLifespan"] == 2)
    #expect(file["finishParticleSize"] >= 0 && file["startParticleSize"] > 0)
    #expect(losses.contains { $0.loss?.feature == "sizeCurve" })
  }

  @Test("places that are always full keep lives as they are, since new particles wait for them")
  func full() throws {
    let system = effect {
      $0.size.width = Track(from: 64, rate: -64)
      $0.emission.maxAlive = 20
      $0.emission.whenFull = .wait
    }
    let (file, _) = try exported(system, .cocos2d)
    #expect(file["particleLifespan"] == 2)
    #expect(file["finishParticleSize"] >= 0)
  }

  @Test("numbers outside the range of the engine become its bounds", arguments: engines)
  func constants(format: ParticleFormat, engine: EngineReference.Engine) throws {
    let system = effect { $0.size.width = Track(from: 10, to: -30) }
    let (file, _) = try exported(system, format)
    let life = file[format.name == "starling" ? "particleLifeSpan" : "particleLifespan"]
    #expect(file["finishParticleSize"] >= engine.leastSize - 1e-9)
    #expect(abs(EngineReference.size(file, engine, age: 0.25, life: life) - 5) < 0.11)
    let bytes =
      format.name == "starling"
      ? CocosForge.starling(
        #"<startParticleSize value="8"/><finishParticleSize value="-40"/>"#)
      : CocosForge.propertyList([("startParticleSize", "8"), ("finishParticleSize", "-40")])
    let read = try CocosForge.emitter(bytes, as: format).emitter
    #expect(read.size.width == Track(from: 8, to: .constant(engine.leastSize)))
    #expect(format.table?().markdown.contains("Each sample is at least") == true)
  }

  @Test("a range that reaches below the bound leaves the engine as a range of the same moments")
  func ranges() throws {
    let bytes = CocosForge.propertyList([
      ("startParticleSize", "5"), ("startParticleSizeVariance", "19"), ("finishParticleSize", "-1"),
    ])
    let system = try ParticleFormat.cocos2d.decode(bytes, DecodingContext(fileName: "a.plist"))
      .system
    // The file comes back as it was, and the profile applies the law.
    #expect(system.emitters[0].size.width == Track(.range(-14, 24)))
    var other = system
    let lines = other.leaveLaw(for: .spriteKit)
    #expect(lines.map { $0.loss?.path } == ["emitters[0].size"])
    let (mean, sd) = EngineReference.cut(-14, 24, at: 0)
    let found = other.emitters[0].size.width.from.bounds
    #expect(abs((found.lower + found.upper) / 2 - mean) < 0.01)
    #expect(found.lower >= 0)
    #expect((found.upper - found.lower) / 12.0.squareRoot() <= sd + 0.01)
    // Between formats with one law nothing is restated.
    var same = system
    #expect(same.leaveLaw(for: .cocos2dX).isEmpty && same == system)
  }

  @Test("colours beyond 0…1 have the ends that the engine clamps")
  func colors() throws {
    let system = effect {
      $0.color.base = ColorTrack(
        from: .constant(Color(2, 0, 0)), to: .constant(Color(-1, 0.5, 0)))
      $0.color.base.clamp = .unit
    }
    let (file, losses) = try exported(system, .cocos2d)
    for name in ["Red", "Green", "Blue"] {
      for key in ["startColor", "finishColor"] { #expect(0...1 ~= file[key + name]) }
    }
    #expect(losses.contains { $0.loss?.path == "emitters[0].color" })
    let read = try CocosForge.cocos2d([
      ("startColorRed", "0.5"), ("startColorVarianceRed", "1"), ("finishColorRed", "7"),
    ])
    #expect(read.rules.isEmpty)
    #expect(read.emitter.color.base.to == .constant(Color(1, 0, 0)))
  }

  @Test("sizes over life are not below 0 in SceneKit")
  func controllers() throws {
    let system = effect {
      $0.size.width = Track(from: .range(1, 3), rate: -2)
    }
    let exported = try ParticleFormat.sceneKit.export(system, EncodingContext(fileName: "a.scnp"))
    let read = try ParticleFormat.sceneKit.decode(
      exported.parts[0].bytes, DecodingContext(fileName: "a.scnp"))
    let curve = read.system.emitters[0].size.width.curve
    #expect(curve.keys.allSatisfy { $0.value >= 0 })
    let exact = effect {
      $0.size.width = Track(
        from: 0, to: .range(1, 3), curve: Curve(through: [(0, 1), (0.5, -1), (1, -1)]))
    }
    let other = try ParticleFormat.sceneKit.export(exact, EncodingContext(fileName: "a.scnp"))
    let again = try ParticleFormat.sceneKit.decode(
      other.parts[0].bytes, DecodingContext(fileName: "a.scnp"))
    let clamped = again.system.emitters[0].size.width.curve
    for x in stride(from: 0.0, through: 1, by: 0.05) {
      #expect(abs(clamped.value(at: x) - max(1 - 4 * x, 0)) < 1e-6, "at \(x)")
    }
  }

  // MARK: Blending

  static let pairs = [(1, 771), (775, 1), (1, 1), (770, 771), (770, 1), (1, 769), (770, 772)]

  @Test("blend factors come back, from each format of the family to each", arguments: pairs)
  func factors(source: Int, destination: Int) throws {
    let bytes = CocosForge.propertyList([
      ("blendFuncSource", "\(source)"), ("blendFuncDestination", "\(destination)"),
    ])
    let system = try ParticleFormat.cocos2d.decode(bytes, DecodingContext(fileName: "a.plist"))
      .system
    for format in [ParticleFormat.cocos2d, .starling] {
      let (file, losses) = try exported(system, format)
      #expect(file["blendFuncSource"] == Double(source), "\(format.name)")
      #expect(file["blendFuncDestination"] == Double(destination), "\(format.name)")
      // The factors stay, but the engines draw some factors differently.
      #expect(
        !losses.contains {
          $0.loss?.path == "emitters[0].render.blend" && $0.loss?.feature != "blending"
        })
    }
  }

  @Test("how a profile draws is what its engine leaves on a background")
  func drawing() {
    let profiles: [(Profile, html5: Bool)] = [
      (.cocos2d, true), (.cocos2dX, false), (.starling, false),
    ]
    for (profile, html5) in profiles {
      for (source, destination) in [(770, 1), (1, 1), (775, 1), (770, 771), (1, 771)] {
        let blend = CocosBlend(source, destination).blend
        let drawing = profile.drawing
        let isTinted = EngineReference.blended(
          html5: html5, source, destination, texel: 0.5, alpha: 0.5, over: 0)
        // The light of a texel on black is texel^m · alpha^n.
        let powers = (1...2).flatMap { m in (0...2).map { (m, $0) } }
        let found = powers.filter { m, n in
          abs(pow(0.5, Double(m + n)) - isTinted) < 1e-9
            && m == drawing.imageAlphas(for: blend)
        }
        #expect(found.count == 1, "\(profile.rawValue) \(source) \(destination)")
        let alphas = (found.first?.1 ?? 0)
        let once = drawing.multipliesTint(for: blend) ? 1 : 0
        let factor = html5 || source == 770 ? 1 : 0
        #expect(alphas == once + factor, "\(profile.rawValue) \(source) \(destination)")
      }
    }
  }

  @Test("Starling leaves out alpha with (1, 1), and so does what is made of it")
  func withoutAlpha() throws {
    let bytes = CocosForge.starling(
      """
      <blendFuncSource value="1"/><finishColor red="1" green="1" blue="1" alpha="0"/>
      """)
    var text = String(decoding: bytes, as: UTF8.self)
    text = text.replacing(#"<blendFuncSource value="770"/>"#, with: "")
    text = text.replacing(
      #"<finishColor red="1" green="1" blue="1" alpha="1"/>"#, with: "", maxReplacements: 1)
    let system = try ParticleFormat.starling.decode(
      Array(text.utf8), DecodingContext(fileName: "a.pex")
    ).system
    #expect(system.emitters[0].color.base.to != nil)
    let exported = try ParticleFormat.spriteKit.export(system, EncodingContext(fileName: "a.sks"))
    let read = try ParticleFormat.spriteKit.decode(
      exported.parts[0].bytes, DecodingContext(fileName: "a.sks")
    ).system.emitters[0]
    #expect(read.render.blend == Blend(.add))
    #expect(read.color.base.gradient(lifetime: 1).gradient.keys.allSatisfy { $0.color.alpha == 1 })
    #expect(exported.losses.contains { $0.detail?.contains("leaves out alpha") == true })
    #expect(EngineReference.blended(html5: false, 1, 1, texel: 0.5, alpha: 0.1, over: 0.2) == 0.7)
  }

  @Test("where the alpha of an image counts twice, the report has a line")
  func imageAlpha() throws {
    var system = effect(.cocos2d) { $0.sprites = [0] }
    system.images = [ImageReference(uri: "Images/a.png")]
    system.sprites = [Sprite(image: 0)]
    func lines(_ format: ParticleFormat) throws -> [Diagnostic] {
      try format.export(system, EncodingContext(fileName: "a.x")).losses.filter {
        $0.loss?.feature == "premult"
      }
    }
    #expect(try lines(.spriteKit).count == 1)
    #expect(try lines(.starling).isEmpty && lines(.cocos2d).isEmpty)
    system.asset.profile = .spriteKit
    #expect(try lines(.spriteKit).isEmpty)
    // (1, 771) uses it once in Starling.
    #expect(try lines(.cocos2d).count == 1 && lines(.starling).isEmpty)
    system.emitters[0].render.blend = Blend(.add)
    #expect(try lines(.cocos2d).count == 1 && lines(.starling).count == 1)
  }

  // MARK: What a version reads

  @Test("a place and a flag that Starling does not read have no effect, and stay in the file")
  func unread() throws {
    let bytes = CocosForge.starling(
      #"<sourcePosition x="300" y="200"/><yCoordFlipped value="1"/><angle value="30"/>"#)
    let imported = try ParticleFormat.starling.decode(bytes, DecodingContext(fileName: "a.pex"))
    #expect(imported.system.emitters[0].transform == Transform())
    #expect(imported.system.emitters[0].launch.direction.angle == -30)
    var edited = imported.system
    edited.emitters[0].launch.speed = 7
    let exported = try ParticleFormat.starling.export(
      edited, EncodingContext(fileName: "a.pex", source: .init(name: "a.pex", bytes: bytes)))
    let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(text.contains(#"<sourcePosition x="300" y="200"/>"#))
    #expect(text.contains(#"<yCoordFlipped value="1"/>"#))
  }

  @Test("rates follow from the capacity by the law of each engine")
  func rates() throws {
    let plist = CocosForge.propertyList([("maxParticles", "300"), ("particleLifespan", "0.7")])
    let cocos = try CocosForge.emitter(plist, as: .cocos2d).emitter.emission.rate.mean
    #expect(
      abs(
        cocos
          - EngineReference.rate(try EngineReference.File(propertyList: plist), .cocos2d, life: 0.7)
      ) < 1e-9)
    let pex = CocosForge.starling()
    let starling = try CocosForge.emitter(pex, as: .starling).emitter.emission.rate.mean
    #expect(
      abs(
        starling - EngineReference.rate(try EngineReference.File(starling: pex), .starling, life: 2)
      ) < 1e-9)
  }
}
