package import ParticlesModel

extension Emitter {
  /// An emitter of many large particles, which tests of limits ask for too many of.
  package static func endless(rate: Double = 1e9, lifetime: Double = 2) -> Emitter {
    var emitter = Emitter(name: "endless")
    emitter.emission.rate = .constant(rate)
    emitter.lifetime = .constant(lifetime)
    emitter.launch.speed = 100
    emitter.size.width = 40
    return emitter
  }
}
