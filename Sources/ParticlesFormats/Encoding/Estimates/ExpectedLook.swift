internal import ParticlesCore
internal import ParticlesModel

/// Sizes, colours and directions of the particles of an emitter: sums over all particles at each age.
struct ExpectedLook {
  private let ages: ExpectedAges
  private let law: EngineLaw

  init(_ ages: ExpectedAges, _ law: EngineLaw) { (self.ages, self.law) = (ages, law) }

  /// Width, height and the square of the width.
  /// - Parameter picture: width and height of the picture.
  func sizes(_ emitter: Emitter, picture: SIMD2<Double>) -> [SIMD4<Double>] {
    let size = emitter.size
    let least = law.clamping == .result ? -Double.infinity : law.leastSize ?? 0
    let limit = Interval(least, .infinity)
    let width = ExpectedTrack(size.width, ages, limit: limit)
    let height = size.height.map { ExpectedTrack($0, ages, limit: limit) }
    // A height of its own is a length, independent of the picture.
    var factors = SIMD2(1.0, 1.0)
    if size.mode == .textureScale {
      factors = picture
    } else if height == nil {
      let ratio = size.aspect.ratio(of: picture.y > 0 ? picture.x / picture.y : 1)
      if ratio > 0, ratio.isFinite { factors.y = 1 / ratio }
    }
    if emitter.space == .local {
      let scale = emitter.transform.scale
      factors *= SIMD2(scale.x.magnitude, scale.y.magnitude)
    }
    func value(_ particle: Int, _ age: Int) -> SIMD4<Double> {
      let own = max(width[particle, age], 0)
      let (x, y) = (own * factors.x, max(height?[particle, age] ?? own, 0) * factors.y)
      return SIMD4(x, y, x * x, 0)
    }
    return width.isCommon && height?.isCommon ?? true
      ? ages.sums { value(0, $0) } : ages.sums(value)
  }

  /// Colours, and their squares.
  func colors(_ tint: Emitter.Tint) -> (sums: [SIMD4<Double>], squares: [SIMD4<Double>]) {
    let opacity = ExpectedTrack(
      tint.opacity, ages, limit: law.clamping == .samples ? .unit : .everything)
    let base = ExpectedColors(tint.base, ages, isLimited: law.clamping == .samples)
    let isTinted = tint.intensity != 1 || tint.mix != 1
    let intensity = isTinted ? ExpectedTrack(tint.intensity, ages) : nil
    let mix = isTinted ? ExpectedTrack(tint.mix, ages) : nil
    let isLimited = law.clamping == .result
    func value(_ particle: Int, _ age: Int) -> SIMD4<Double> {
      var color = base[particle, age]
      if let intensity, let mix {
        let alpha = color.w
        color = (1 + (color - 1) * mix[particle, age]) * intensity[particle, age]
        color.w = alpha
      }
      color.w *= opacity[particle, age]
      return isLimited ? color.clamped(lowerBound: .zero, upperBound: .one) : color
    }
    if base.isCommon, opacity.isCommon, intensity?.isCommon ?? true, mix?.isCommon ?? true {
      let colors = (0..<ExpectedAges.ages).map { value(0, $0) }
      return (ages.sums { colors[$0] }, ages.sums { colors[$0] * colors[$0] })
    }
    var squares = [SIMD4<Double>](repeating: .zero, count: ExpectedAges.ages)
    let sums = ages.sums { particle, age in
      let color = value(particle, age)
      squares[age] += color * color * ages.weight
      return color
    }
    return (sums, squares)
  }

  /// Cosine and sine of the angle.
  /// - Parameter along: the directions of motion in degrees, by particle and age; nil if the angle does not
  ///   follow them.
  func directions(_ rotation: Emitter.Rotation, along: [Double]?) -> [SIMD4<Double>] {
    let angle = ExpectedTrack(rotation.angle, ages)
    let velocity = ExpectedTrack(rotation.velocity, ages)
    let acceleration = rotation.acceleration
    func unit(_ degrees: Double) -> SIMD4<Double> {
      guard degrees.isFinite else { return SIMD4(1, 0, 0, 0) }
      let (sine, cosine) = sineAndCosine(degrees: degrees)
      return SIMD4(cosine, sine, 0, 0)
    }
    if along == nil, velocity.constant == 0, acceleration == 0 {
      if let constant = angle.constant {
        let direction = unit(constant)
        return ages.sums { _ in direction }
      }
      if angle.isCommon { return ages.sums { unit(angle[0, $0]) } }
    }
    let offset = along == nil ? 0 : rotation.alignOffset
    var turned = 0.0
    var growth = 0.0
    return ages.sums { particle, age in
      let (speed, seconds) = (velocity[particle, age], ages.seconds(age))
      if age == 0 {
        turned = speed * seconds
        growth = acceleration == 0 ? 0 : acceleration.sample(ExpectedDraw.all[particle].fourth)
      } else {
        turned += (velocity[particle, age - 1] + speed) / 2 * ages.step
      }
      return unit(
        (along?[particle * ExpectedAges.ages + age] ?? 0) + offset + angle[particle, age] + turned
          + growth * seconds * seconds / 2)
    }
  }
}

/// The colours of a track: one for all, one for each particle, one for each age, or one for each of both.
private struct ExpectedColors {
  private let values: [SIMD4<Double>]
  private let (particle, age): (Int, Int)

  var isCommon: Bool { particle == 0 }

  subscript(particle: Int, age: Int) -> SIMD4<Double> {
    values[particle &* self.particle &+ age &* self.age]
  }

  /// - Parameter isLimited: whether samples are limited to 0…1.
  init(_ track: ColorTrack, _ ages: ExpectedAges, isLimited: Bool) {
    let (from, to) = (
      Self.samples(of: track.from, isEnd: false, isLimited),
      track.to.map { Self.samples(of: $0, isEnd: true, isLimited) }
    )
    guard to != nil || track.gradient != nil || track.rate != .zero else {
      (values, particle, age) = (from, from.count > 1 ? 1 : 0, 0)
      return
    }
    var shape = Track(from: 0, to: 1)
    shape.curve = track.curve
    let shares = to == nil ? nil : ExpectedTrack(shape, ages)
    let gradient = track.gradient.map { GradientTable($0) }
    let isCommon =
      from.count == 1 && to?.count ?? 1 == 1 && shares?.isCommon ?? true
      && (gradient == nil || ages.isCommon)
    let rate = SIMD4(track.rate.red, track.rate.green, track.rate.blue, track.rate.alpha)
    let (low, high) = (
      SIMD4(repeating: track.clamp.lower), SIMD4(repeating: track.clamp.upper)
    )
    var values: [SIMD4<Double>] = []
    let count = isCommon ? 1 : ExpectedAges.particles
    values.reserveCapacity(count * ExpectedAges.ages)
    for number in 0..<count {
      let start = from[from.count == 1 ? 0 : number]
      let way = to.map { $0[$0.count == 1 ? 0 : number] - start }
      for age in 0..<ExpectedAges.ages {
        var color = start
        if let way, let shares { color += way * shares[number, age] }
        color += rate * ages.seconds(age)
        color.clamp(lowerBound: low, upperBound: high)
        if let gradient { color *= gradient[ages.share(number, age)] }
        values.append(color)
      }
    }
    self.values = values
    (particle, self.age) = (isCommon ? 0 : ExpectedAges.ages, 1)
  }

  private static func samples(
    of value: ColorValue, isEnd: Bool, _ isLimited: Bool
  ) -> [SIMD4<Double>] {
    func vector(_ color: Color) -> SIMD4<Double> {
      let vector = SIMD4(color.red, color.green, color.blue, color.alpha)
      return isLimited ? vector.clamped(lowerBound: .zero, upperBound: .one) : vector
    }
    if case .constant(let color) = value { return [vector(color)] }
    return ExpectedDraw.all.map { draw in
      // The random numbers of an end differ from those of the start.
      let units =
        isEnd
        ? SIMD4(draw.second, draw.third, draw.fourth, draw.first)
        : SIMD4(draw.first, draw.second, draw.third, draw.fourth)
      return vector(
        value.sample({ .colorFrom($0) }) { units[Int($0.rawValue & 3)] })
    }
  }
}

/// The colours of a gradient at even distances.
private struct GradientTable {
  private static let intervals = 32.0
  private let colors: [SIMD4<Double>]
  private let isStepped: Bool

  init(_ gradient: Gradient) {
    isStepped = gradient.interpolation == .step
    let count = gradient.keys.count
    // Between two keys, one line is enough.
    let isLine =
      count == 2 && gradient.space == .srgb && !gradient.hasChannels
      && gradient.interpolation == .linear && gradient.keys[0].time <= 0
      && gradient.keys[1].time == 1
    let last = count == 1 && !gradient.hasChannels ? 0 : isLine ? 1 : Int(Self.intervals)
    colors = (0...last).map { index in
      let color = gradient.color(at: last == 0 ? 0 : Double(index) / Double(last))
      return SIMD4(color.red, color.green, color.blue, color.alpha)
    }
  }

  subscript(time: Double) -> SIMD4<Double> {
    let place = min(max(time, 0), 1) * Double(colors.count - 1)
    let index = Int(saturating: place.rounded(.down))
    guard index + 1 < colors.count, !isStepped else { return colors[min(index, colors.count - 1)] }
    return colors[index] + (colors[index + 1] - colors[index]) * (place - Double(index))
  }
}
