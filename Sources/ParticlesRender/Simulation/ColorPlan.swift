internal import ParticlesModel

/// Four columns or constants: red, green, blue and alpha.
struct ColorSources {
  var red: Source
  var green: Source
  var blue: Source
  var alpha: Source

  @inline(__always)
  func lanes(_ columns: ParticleColumns, _ lane: Int) -> ColorLanes {
    ColorLanes(
      red: red.lanes(columns, lane), green: green.lanes(columns, lane),
      blue: blue.lanes(columns, lane), alpha: alpha.lanes(columns, lane))
  }
}

/// The colours of eight particles.
struct ColorLanes {
  var red: Lanes
  var green: Lanes
  var blue: Lanes
  var alpha: Lanes
}

/// The sample of a colour, which is kept in four columns.
struct ColorSample {
  let value: ColorValue
  let columns: (red: Int, green: Int, blue: Int, alpha: Int)
  let isEnd: Bool
  let bounds: Interval?

  func sample(_ draws: Draws) -> Color {
    let color = value.sample(
      isEnd ? RandomChannel.colorTo : RandomChannel.colorFrom, draws.unit)
    guard let bounds else { return color }
    return Color(
      bounds.clamp(color.red), bounds.clamp(color.green), bounds.clamp(color.blue),
      bounds.clamp(color.alpha))
  }
}

/// A track of colours, ready for evaluation; the formula is that of `ColorTrack`.
struct ColorPlan {
  private let from: ColorSources
  private let to: ColorSources?
  private let curve: CurvePlan
  private let rate: ColorRate
  private let clamp: (lower: Float, upper: Float)?
  private let gradient: (red: CurvePlan, green: CurvePlan, blue: CurvePlan, alpha: CurvePlan)?
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
    clamp = clamping == .result ? (Float(track.clamp.lower), Float(track.clamp.upper)) : nil
    gradient = track.gradient.map { gradient in
      let curves = gradient.channelCurves
      return (
        CurvePlan(curves.red), CurvePlan(curves.green), CurvePlan(curves.blue),
        CurvePlan(curves.alpha)
      )
    }
    self.samples = samples
  }

  @inline(__always)
  func callAsFunction(
    _ columns: ParticleColumns, _ lane: Int, share: Lanes, age: Lanes
  ) -> ColorLanes {
    var color = from.lanes(columns, lane)
    if let to {
      let end = to.lanes(columns, lane)
      let x = curve(share)
      color.red += (end.red - color.red) * x
      color.green += (end.green - color.green) * x
      color.blue += (end.blue - color.blue) * x
      color.alpha += (end.alpha - color.alpha) * x
    }
    if rate != .zero {
      color.red += Float(rate.red) * age
      color.green += Float(rate.green) * age
      color.blue += Float(rate.blue) * age
      color.alpha += Float(rate.alpha) * age
    }
    if let clamp {
      let (lower, upper) = (Lanes(repeating: clamp.lower), Lanes(repeating: clamp.upper))
      color.red = color.red.clamped(lower, upper)
      color.green = color.green.clamped(lower, upper)
      color.blue = color.blue.clamped(lower, upper)
      color.alpha = color.alpha.clamped(lower, upper)
    }
    if let gradient {
      color.red *= gradient.red(share)
      color.green *= gradient.green(share)
      color.blue *= gradient.blue(share)
      color.alpha *= gradient.alpha(share)
    }
    return color
  }
}

extension Gradient {
  /// The gradient as a curve for each channel. Between keys that are mixed in another space than
  /// sRGB, or along a spline, there are straight lines through 32 points, which differ from it by
  /// less than 1/500.
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
