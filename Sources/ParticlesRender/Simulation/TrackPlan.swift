internal import ParticlesModel

/// Where a number of each particle comes from: one for all, or a column that is filled when a
/// particle is emitted.
enum Source {
  case constant(Float)
  case column(Int)

  @inline(__always)
  func lanes(_ columns: ParticleColumns, _ lane: Int) -> Lanes {
    switch self {
    case .constant(let number): Lanes(repeating: number)
    case .column(let column): columns.lanes(column)[lane]
    }
  }

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

  func sample(_ draws: Draws) -> Double {
    let number = draws.sample(value, channel)
    return bounds?.clamp(number) ?? number
  }
}

/// The columns that an emitter needs, and what they are filled with.
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

/// The arguments of tracks, for eight particles.
struct TrackInputs {
  /// Age ÷ lifetime.
  var share: Lanes
  /// Seconds.
  var age: Lanes
  /// Units per second.
  var speed = Lanes.zeros
  /// Units from the emitter.
  var distance = Lanes.zeros
  /// How far the emission of the period is, 0…1.
  var progress: Float = 0
}

/// A track, ready for evaluation; the formula is that of `Track`.
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
  /// The part of the value that is sampled at emission, if nothing changes it later.
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

  @inline(__always)
  func callAsFunction(_ columns: ParticleColumns, _ lane: Int, _ inputs: TrackInputs) -> Lanes {
    if let constant { return Lanes(repeating: constant) }
    var value = from.lanes(columns, lane)
    if let to {
      var x =
        switch input {
        case .life: inputs.share
        case .age: inputs.age
        case .speed: inputs.speed
        case .distance: inputs.distance
        case .emitter: Lanes(repeating: inputs.progress)
        }
      if let domain { x = (x - domain.start) * domain.scale }
      if let warp { x = warp(x) }
      let end = to.lanes(columns, lane)
      value += (isRelative ? end : end - value) * curve(x)
    }
    if rate.number != 0 { value += rate.lanes(columns, lane) * inputs.age }
    if let range {
      value = value.clamped(Lanes(repeating: range.lower), Lanes(repeating: range.upper))
    }
    return value
  }
}
