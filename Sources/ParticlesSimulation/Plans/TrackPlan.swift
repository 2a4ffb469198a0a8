internal import ParticlesModel

/// Where a number of each particle comes from: one for all, or a column that is filled when a
/// particle is emitted.
enum Source {
  case constant(Float)
  case column(Int)

  /// The number, if it is one for all.
  var number: Float? {
    guard case .constant(let number) = self else { return nil }
    return number
  }
}

/// A value that is sampled for each particle and kept in a column.
struct SamplePlan {
  let value: Value
  let channel: RandomChannel
  let column: Int
  /// Bounds of the sample, if the law of the engine clamps samples.
  let bounds: Interval?
  /// The value as least + span · u, where u is a random number of the particle.
  private let line: (least: Double, span: Double)?

  init(value: Value, channel: RandomChannel, column: Int, bounds: Interval?) {
    self.value = value
    self.channel = channel
    self.column = column
    self.bounds = bounds
    switch value {
    case .constant(let number): line = (number, 0)
    case .uniform(let range) where range.scope == .particle:
      line = (range.min, range.max - range.min)
    default: line = nil
    }
  }

  /// Whether the value is a constant, or a uniform range that is sampled for each particle.
  var isPlain: Bool { line != nil }

  func sample(_ draws: ParticleRandoms) -> Double {
    let number = draws.sample(value, channel)
    return bounds?.clamp(number) ?? number
  }

  /// Samples the value for new particles.
  /// - Parameters:
  ///   - hashes: of the particles.
  ///   - draws: gives the random numbers of a particle.
  func sample(
    into column: Slice, _ hashes: UnsafePointer<UInt64>, _ draws: (Int) -> ParticleRandoms
  ) {
    guard let line else {
      for index in 0..<column.count { column[index] = Float(sample(draws(index))) }
      return
    }
    if line.span == 0 {
      column.set(.constant(Float(bounds?.clamp(line.least) ?? line.least)))
    } else {
      column.sample(
        hashes, channel.rawValue, least: line.least, span: line.span,
        within: bounds.map { ($0.lower, $0.upper) } ?? (-.infinity, .infinity))
    }
  }
}

/// The columns that an emitter needs, and the samples that fill them.
struct ColumnLayout {
  private(set) var width: Int
  private(set) var samples: [SamplePlan] = []

  init(fixed: Int) { width = fixed }

  /// A column for the use of the caller.
  mutating func column() -> Int {
    width += 1
    return width - 1
  }

  /// A value as a source: constants need no column.
  mutating func source(
    _ value: Value, _ channel: RandomChannel, bounds: Interval? = nil
  ) -> Source {
    if case .constant(let number) = value {
      return .constant(Float(bounds?.clamp(number) ?? number))
    }
    let plan = SamplePlan(value: value, channel: channel, column: column(), bounds: bounds)
    samples.append(plan)
    return .column(plan.column)
  }
}

/// A track, ready for evaluation. Its formula is in `Track`.
struct TrackPlan {
  private let from: Source
  private let to: Source?
  private let rate: Source
  private let isRelative: Bool
  private let curve: CurvePlan
  private let warp: CurvePlan?
  private let input: TrackInput
  private let domain: (start: Float, scale: Float)?
  private let range: (lower: Float, upper: Float)?
  /// The value for all particles at all times, if there is one.
  let constant: Float?
  /// Whether nothing but the bounds changes the value that is sampled at emission.
  let isConstantOverLife: Bool

  /// - Parameters:
  ///   - path: of the property, from the emitter on, for the random channels without a number.
  ///   - bounds: of the property.
  ///   - clampsSamples: whether `from` and `to` are clamped to the bounds, instead of the result.
  init(
    _ track: Track, _ path: String, from channel: RandomChannel? = nil,
    to end: RandomChannel? = nil, bounds: Interval? = nil, clampsSamples: Bool = false,
    in layout: inout ColumnLayout
  ) {
    let sampleBounds = clampsSamples ? bounds : nil
    from = layout.source(track.from, channel ?? .property("\(path).from"), bounds: sampleBounds)
    to = track.to.map {
      layout.source($0, end ?? channel?.end ?? .property("\(path).to"), bounds: sampleBounds)
    }
    rate = layout.source(track.rate, .property("\(path).rate"))
    isRelative = track.relative
    curve = CurvePlan(track.curve)
    warp = track.warp == .linear ? nil : CurvePlan(track.warp)
    input = track.over
    domain =
      track.over == .life
      ? nil
      : track.domain.map {
        (Float($0.lower), Float($0.upper > $0.lower ? 1 / ($0.upper - $0.lower) : 0))
      }
    var range = track.range
    if !clampsSamples, let bounds {
      range =
        range.map {
          Interval(bounds.clamp($0.lower), bounds.clamp($0.upper))
        } ?? bounds
    }
    self.range = range.map { (Float($0.lower), Float($0.upper)) }
    isConstantOverLife = track.to == nil && track.rate == 0
    if isConstantOverLife, let number = from.number {
      constant = self.range.map { min(max(number, $0.lower), $0.upper) } ?? number
    } else {
      constant = nil
    }
  }

  /// The value is a source alone: nothing changes it.
  var source: Source? { isConstantOverLife && range == nil ? from : nil }

  /// Evaluates the track for the particles of a chunk.
  func evaluate(_ chunk: Chunk, into out: Slice) {
    if let constant { return out.set(.constant(constant)) }
    let start = chunk.operand(from)
    let isSteady = rate.number == 0
    if let to {
      let end = chunk.operand(to)
      let isPlain = input == .life && curve.isIdentity && warp == nil
      if isPlain, isSteady, let range {
        return out.mix(start, end, chunk[.share], isRelative: isRelative, within: range)
      }
      // The share of the life is within 0 and 1 already.
      let x = isPlain ? chunk[.share] : argument(chunk)
      out.mix(start, end, x, isRelative: isRelative)
    } else {
      out.set(start)
    }
    if !isSteady { out.addProduct(chunk.operand(rate), chunk.age.operand) }
    if let range { out.clamp(range.lower, range.upper) }
  }

  /// The curve at the argument of the track.
  private func argument(_ chunk: Chunk) -> Slice {
    let x = chunk[.argument]
    let source: Slice =
      switch input {
      case .life: chunk[.share]
      case .age: chunk.age
      case .speed: chunk[.speed]
      case .distance: chunk[.distance]
      case .emitter: x
      }
    if domain == nil, warp == nil, input != .emitter {
      curve.evaluate(source, into: x)
      return x
    }
    x.set(input == .emitter ? .constant(chunk.progress) : source.operand)
    if let domain { x.shift(start: domain.start, scale: domain.scale) }
    warp?.evaluate(x, into: x)
    curve.evaluate(x, into: x)
    return x
  }
}

/// A curve, ready for evaluation: a polynomial for each part between two keys.
struct CurvePlan: Sendable {
  private let parts: [CurvePart]
  private let extend: Extend
  private let (first, last): (Float, Float)
  /// Whether the value is the argument, within 0…1.
  let isIdentity: Bool

  init(_ curve: Curve) {
    extend = curve.keys.count > 1 ? curve.extend : .clamp
    isIdentity = curve == .linear
    let keys = curve.keys
    first = Float(keys.first?.time ?? 0)
    last = Float(keys.last?.time ?? 0)
    // The first key's value applies before the first key, and the last key's value from the last key on.
    var parts = [
      CurvePart.part(start: -.greatestFiniteMagnitude, a: Float(keys.first?.value ?? 0))
    ]
    for index in keys.indices {
      let key = keys[index]
      let next = index + 1 < keys.count ? keys[index + 1] : nil
      guard let next else {
        parts.append(.part(start: Float(key.time), a: Float(key.value)))
        continue
      }
      guard next.time > key.time else { continue }
      let length = next.time - key.time
      let rise = next.value - key.value
      switch key.interpolation ?? curve.interpolation {
      case .step: parts.append(.part(start: Float(key.time), a: Float(key.value)))
      case .linear:
        parts.append(
          .part(start: Float(key.time), a: Float(key.value), b: Float(rise / length)))
      case .cubic:
        parts.append(
          Self.cubic(
            from: key, slope: curve.outSlope(index), to: next, slope: curve.inSlope(index + 1)))
      }
    }
    // Plans of different threads share no memory, not even for the curve that most tracks use.
    self.parts = isIdentity ? [] : parts
  }

  /// The Hermite spline between two keys.
  private static func cubic(
    from: CurveKey, slope: Double, to: CurveKey, slope end: Double
  ) -> CurvePart {
    let length = to.time - from.time
    let rise = (to.value - from.value) / length
    return .part(
      start: Float(from.time), a: Float(from.value), b: Float(slope),
      c: Float((3 * rise - 2 * slope - end) / length),
      d: Float((slope + end - 2 * rise) / (length * length)))
  }

  /// Evaluates the curve.
  /// - Parameter argument: may be `out`. Its contents change if the curve repeats.
  func evaluate(_ argument: Slice, into out: Slice) {
    if isIdentity {
      if out.base != argument.base { out.set(argument.operand) }
      out.clamp(0, 1)
      return
    }
    if extend != .clamp, last > first {
      if out.base != argument.base { out.set(argument.operand) }
      out.wrap(first: first, period: last - first, isMirrored: extend == .mirror)
      parts.withUnsafeBufferPointer { out.setCurve(out, $0) }
    } else {
      parts.withUnsafeBufferPointer { out.setCurve(argument, $0) }
    }
  }
}
