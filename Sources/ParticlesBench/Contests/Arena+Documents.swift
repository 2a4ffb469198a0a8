internal import ParticlesCore
internal import ParticlesModel

/// Reading and writing a document, beside the JSON alone: the cost of types, defaults and preserved
/// unknown properties.
extension Arena {
  /// A typical document: three emitters with curves, gradients and forces.
  private static let document: ParticleSystem = {
    var system = ParticleSystem(
      name: "Camp fire", emitters: ["Flames", "Smoke", "Sparks"].map(emitter))
    system.images = ["fire", "smoke", "spark"].map { name in
      var image = ImageReference(name: name, uri: "Images/\(name).png")
      (image.mimeType, image.width, image.height) = ("image/png", 128, 128)
      image.sha256 = String(repeating: "0f", count: 32)
      return image
    }
    system.sprites = system.images.indices.map { Sprite(image: $0) }
    system.emitters[1].sprites = [1]
    system.emitters[2].triggers = [Trigger(.death, emitter: 1, count: .range(1, 3))]
    return system
  }()

  private static func emitter(_ name: String) -> Emitter {
    var emitter = Emitter(name: name)
    emitter.timing.duration = 2
    emitter.timing.loop = true
    emitter.emission.rate = .range(90.5, 120.25)
    emitter.emission.bursts = [Burst(time: 0.5, count: 12)]
    emitter.shape = .ellipse(24, 8.5)
    emitter.launch.spread = 12.5
    emitter.launch.speed = .range(60, 95.75)
    emitter.lifetime = .range(0.8, 1.6)
    emitter.forces = [.gravity(Vector(0, -30.5)), .drag(.exponential, strength: 0.4)]
    emitter.rotation.velocity = Track(from: .range(-45, 45), to: 0)
    emitter.size.width = Track(
      from: 0, to: .range(24, 40), curve: Curve(through: [(0, 0.35), (0.2, 1), (1, 0.1)]))
    emitter.color.base = ColorTrack(
      gradient: Gradient([
        GradientKey(0, Color(1, 0.9, 0.6)), GradientKey(0.35, Color(1, 0.45, 0.1)),
        GradientKey(1, Color(0.3, 0.05, 0, 0)),
      ]))
    emitter.color.opacity = Track(
      from: 0, to: 1, curve: Curve(through: [(0, 0), (0.1, 1), (1, 0)]))
    emitter.render.blend.mode = .add
    emitter.sprites = [0]
    return emitter
  }

  private static let bytes = document.encoded()

  static var decode: Contestant {
    Contestant(
      label: "library", work: .shortCall { _ = try ParticleSystem(decoding: bytes) },
      check: {
        guard try ParticleSystem(decoding: bytes) == document else {
          throw ChildProcess.Failure(text: "the document is another one")
        }
      })
  }

  static var encode: Contestant {
    Contestant(label: "library", work: .shortCall { _ = document.encoded() })
  }

  static var parseJSON: Contestant {
    Contestant(label: "JSON parser", work: .shortCall { _ = try JSONParser.parse(bytes) })
  }

  private static let json = document.json

  static var printJSON: Contestant {
    Contestant(label: "JSON printer", work: .shortCall { _ = Array(json.text.utf8) })
  }
}
