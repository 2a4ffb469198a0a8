internal import ParticlesCore
internal import ParticlesModel

/// Size, colour and rotation of the particles of an emitter.
struct ExpectedLook {
  /// The samples of one particle.
  struct Particle {
    fileprivate var width, angle, velocity, opacity, intensity, mix: ExpectedTrack
    fileprivate var height: ExpectedTrack?
    fileprivate var acceleration: Double
    fileprivate var from, to: Color
  }

  private let emitter: Emitter
  private let law: EngineLaw
  private let scale: Double
  private let ratio: Double
  private let isTinted: Bool

  /// - Parameters:
  ///   - scale: the factor of sizes.
  ///   - ratio: width divided by height of the picture.
  init(_ emitter: Emitter, _ law: EngineLaw, scale: Double, ratio: Double) {
    (self.emitter, self.law, self.scale) = (emitter, law, scale)
    self.ratio = emitter.size.aspect.ratio(of: ratio)
    isTinted = emitter.color.intensity != 1 || emitter.color.mix != 1
  }

  func particle(_ draw: ExpectedDraw) -> Particle {
    let (size, color, rotation) = (emitter.size, emitter.color, emitter.rotation)
    var width = draw.ends(size.width)
    var height = size.height.map(draw.ends)
    var opacity = draw.ends(color.opacity)
    let channels = [draw.first, draw.second, draw.third, draw.fourth]
    // The random numbers of an end differ from those of the start.
    let others = [draw.second, draw.third, draw.fourth, draw.first]
    func sample(_ value: ColorValue, _ units: [Double]) -> Color {
      value.sample({ .colorFrom($0) }) { channel in
        units[Int(channel.rawValue & 3)]
      }
    }
    var (from, to) = (
      sample(color.base.from, channels), color.base.to.map { sample($0, others) } ?? .white
    )
    if law.clamping != .result {
      let least = law.leastSize ?? 0
      width.clamp { max($0, least) }
      height?.clamp { max($0, least) }
    }
    if law.clamping == .samples {
      opacity.clamp(Interval.unit.clamp)
      from = Color(from.channels.map(Interval.unit.clamp))
      to = Color(to.channels.map(Interval.unit.clamp))
    }
    return Particle(
      width: width, angle: draw.ends(rotation.angle), velocity: draw.ends(rotation.velocity),
      opacity: opacity, intensity: draw.ends(color.intensity), mix: draw.ends(color.mix),
      height: height, acceleration: rotation.acceleration.sample(draw.fourth), from: from, to: to)
  }

  /// Width, height and the square of the width.
  func size(of particle: Particle, _ x: Double, _ age: Double) -> SIMD4<Double> {
    let width = max(particle.width.value(x, age), 0) * scale
    var height = width
    if let own = particle.height {
      height = max(own.value(x, age), 0) * scale
    } else if ratio > 0 {
      height = width / ratio
    }
    return SIMD4(width, height, width * width, 0)
  }

  func color(of particle: Particle, _ x: Double, _ age: Double) -> SIMD4<Double> {
    let base = emitter.color.base
    let color =
      base.to == nil && base.gradient == nil && base.rate == .zero
      ? particle.from : base.color(at: x, age: age, from: particle.from, to: particle.to)
    var result = SIMD4(color.red, color.green, color.blue, color.alpha)
    if isTinted {
      let (mix, intensity) = (particle.mix.value(x, age), particle.intensity.value(x, age))
      for channel in 0..<3 { result[channel] = (1 + (result[channel] - 1) * mix) * intensity }
    }
    result.w *= particle.opacity.value(x, age)
    return result.clamped(lowerBound: .zero, upperBound: .one)
  }

  func direction(
    of particle: Particle, _ x: Double, _ age: Double, along: Double
  ) -> SIMD2<Double> {
    let (align, offset) = (emitter.rotation.align, emitter.rotation.alignOffset)
    let angle =
      (align == .none ? 0 : along + offset) + particle.angle.value(x, age)
      + particle.velocity.value(x, age) * age + particle.acceleration * age * age / 2
    guard angle.isFinite else { return SIMD2(1, 0) }
    let (sine, cosine) = sineAndCosine(degrees: angle)
    return SIMD2(cosine, sine)
  }
}
