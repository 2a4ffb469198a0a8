internal import ParticlesModel

/// Four columns, or four constants: red, green, blue and alpha.
struct ColorSources {
  var red: Source
  var green: Source
  var blue: Source
  var alpha: Source

  func operands(_ chunk: Chunk) -> ColorOperands {
    ColorOperands(
      red: chunk.operand(red), green: chunk.operand(green), blue: chunk.operand(blue),
      alpha: chunk.operand(alpha))
  }

  subscript(channel: Int) -> Source {
    switch channel {
    case 0: red
    case 1: green
    case 2: blue
    default: alpha
    }
  }
}

/// A colour to sample for each particle, and the four columns that keep its channels.
struct ColorSample {
  let value: ColorValue
  let columns: (red: Int, green: Int, blue: Int, alpha: Int)
  let isEnd: Bool
  let bounds: Interval?

  func sample(_ draws: ParticleRandoms) -> Color {
    let color = value.sample(
      isEnd ? RandomChannel.colorTo : RandomChannel.colorFrom, draws.unit)
    guard let bounds else { return color }
    return Color(
      bounds.clamp(color.red), bounds.clamp(color.green), bounds.clamp(color.blue),
      bounds.clamp(color.alpha))
  }

  /// Samples the colour for new particles.
  /// - Parameters:
  ///   - column: gives the part of a column that belongs to them.
  ///   - hashes: of the particles.
  ///   - draws: gives the random numbers of a particle.
  func sample(
    into column: (Int) -> Slice, _ hashes: UnsafePointer<UInt64>, _ draws: (Int) -> ParticleRandoms
  ) {
    let out = [columns.red, columns.green, columns.blue, columns.alpha].map(column)
    if case .range(let range) = value, range.mode != .hsb, range.jitter == nil {
      for (index, channel) in out.enumerated() {
        let (least, most) = (range.min.components[index], range.max.components[index])
        let component = range.mode == .line ? 0 : UInt64(index)
        let number = isEnd ? RandomChannel.colorTo(component) : .colorFrom(component)
        channel.sample(
          hashes, number.rawValue, least: least, span: most - least,
          within: bounds.map { ($0.lower, $0.upper) } ?? (-.infinity, .infinity))
      }
      return
    }
    for index in 0..<out[0].count {
      let color = sample(draws(index))
      for (channel, number) in zip(out, color.components) { channel[index] = Float(number) }
    }
  }
}

/// A track of colours, ready for evaluation. Its formula is in `ColorTrack`.
struct ColorPlan {
  private let from: ColorSources
  private let to: ColorSources?
  private let curve: CurvePlan
  private let rate: ColorRate
  /// Whether the rate is 0.
  private let isSteady: Bool
  private let clamp: (lower: Float, upper: Float)?
  /// Curves for red, green, blue and alpha.
  private let gradient: [CurvePlan]?
  private(set) var samples: [ColorSample] = []

  init(_ track: ColorTrack, clamping: EngineLaw.Clamping, in layout: inout ColumnLayout) {
    var samples: [ColorSample] = []
    let bounds = clamping == .samples ? Interval.unit : nil
    func sources(_ value: ColorValue, isEnd: Bool) -> ColorSources {
      if case .constant(let color) = value {
        func source(_ number: Double) -> Source {
          .constant(Float(bounds?.clamp(number) ?? number))
        }
        return ColorSources(
          red: source(color.red), green: source(color.green), blue: source(color.blue),
          alpha: source(color.alpha))
      }
      let columns = (layout.column(), layout.column(), layout.column(), layout.column())
      samples.append(ColorSample(value: value, columns: columns, isEnd: isEnd, bounds: bounds))
      return ColorSources(
        red: .column(columns.0), green: .column(columns.1), blue: .column(columns.2),
        alpha: .column(columns.3))
    }
    from = sources(track.from, isEnd: false)
    to = track.to.map { sources($0, isEnd: true) }
    curve = CurvePlan(track.curve)
    rate = track.rate
    isSteady = track.rate == .zero
    clamp = clamping == .result ? (Float(track.clamp.lower), Float(track.clamp.upper)) : nil
    gradient = track.gradient.map { gradient in
      let curves = gradient.channelCurves
      return [curves.red, curves.green, curves.blue, curves.alpha].map { CurvePlan($0) }
    }
    self.samples = samples
  }

  private var rates: [Float] {
    [Float(rate.red), Float(rate.green), Float(rate.blue), Float(rate.alpha)]
  }

  /// The value of a channel, 0 to 3, if it is equal for all particles at all times.
  func constant(_ channel: Int) -> Float? {
    guard to == nil, isSteady, gradient == nil, let number = from[channel].number else {
      return nil
    }
    return clamp.map { min(max(number, $0.lower), $0.upper) } ?? number
  }

  /// Evaluates the colour of the particles of a chunk.
  /// - Parameter out: red, green, blue and alpha, with nil for channels that are not needed.
  func evaluate(_ chunk: Chunk, into out: (Slice?, Slice?, Slice?, Slice?)) {
    var x = chunk[.share]
    if to != nil, !curve.isIdentity {
      x = chunk[.argument]
      curve.evaluate(chunk[.share], into: x)
    }
    if let red = out.0, let green = out.1, let blue = out.2, let alpha = out.3, let to, let clamp,
      isSteady, gradient == nil
    {
      ColorSlices(red: red, green: green, blue: blue, alpha: alpha)
        .mix(from.operands(chunk), to.operands(chunk), x, within: clamp)
      return
    }
    if let red = out.0 { evaluate(0, chunk, x, into: red) }
    if let green = out.1 { evaluate(1, chunk, x, into: green) }
    if let blue = out.2 { evaluate(2, chunk, x, into: blue) }
    if let alpha = out.3 { evaluate(3, chunk, x, into: alpha) }
  }

  private func evaluate(_ channel: Int, _ chunk: Chunk, _ x: Slice, into out: Slice) {
    let start = from[channel]
    if isSteady, to == nil, let gradient, let number = start.number {
      gradient[channel].evaluate(chunk[.share], into: out)
      let factor = clamp.map { min(max(number, $0.lower), $0.upper) } ?? number
      if factor != 1 { out.multiply(.constant(factor)) }
      return
    }
    if let to {
      let (start, end) = (chunk.operand(start), chunk.operand(to[channel]))
      if isSteady, let clamp {
        out.mix(start, end, x, isRelative: false, within: clamp)
      } else {
        out.mix(start, end, x, isRelative: false)
      }
    } else {
      out.set(chunk.operand(start))
    }
    if !isSteady { out.addProduct(.constant(rates[channel]), chunk.age.operand) }
    if let clamp, to == nil || !isSteady { out.clamp(clamp.lower, clamp.upper) }
    if let gradient {
      let value = chunk[.value]
      gradient[channel].evaluate(chunk[.share], into: value)
      out.multiply(value.operand)
    }
  }
}

extension Gradient {
  /// The gradient as a curve for each channel. Keys that are mixed along a spline, or in another
  /// space than sRGB, are joined by straight lines through 32 points. These differ from the
  /// gradient by less than 1/500.
  fileprivate var channelCurves: (red: Curve, green: Curve, blue: Curve, alpha: Curve) {
    var points: [(time: Double, color: Color)] = []
    let isPlain = interpolation == .linear && space == .srgb
    for (index, key) in keys.enumerated() {
      points.append((key.time, key.color))
      guard !isPlain, index + 1 < keys.count, keys[index + 1].time > key.time else { continue }
      let length = keys[index + 1].time - key.time
      if interpolation == .step {
        points.append((keys[index + 1].time, key.color))
      } else {
        var plain = self
        (plain.red, plain.green, plain.blue, plain.alpha) = (nil, nil, nil, nil)
        for step in 1..<32 {
          let time = key.time + length * Double(step) / 32
          points.append((time, plain.color(at: time)))
        }
      }
    }
    func curve(_ channel: (Color) -> Double) -> Curve {
      points.isEmpty
        ? .constant(1) : Curve(through: points.map { (time: $0.time, value: channel($0.color)) })
    }
    return (
      red ?? curve { $0.red }, green ?? curve { $0.green }, blue ?? curve { $0.blue },
      alpha ?? curve { $0.alpha }
    )
  }
}
