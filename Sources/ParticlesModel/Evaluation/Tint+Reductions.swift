extension Tint {
  /// The visible colour of a white image at 17 points over life, with random values at their means;
  /// `isExact` is false if something was random or sampled at points.
  package func seen(lifetime: Double) -> (points: [Color], isExact: Bool) {
    let gradient = base.gradient(lifetime: lifetime)
    let opacity = opacity.curve(lifetime: lifetime)
    let intensity = intensity.curve(lifetime: lifetime)
    let mix = mix.curve(lifetime: lifetime)
    let points = (0...16).map { index -> Color in
      let x = Double(index) / 16
      let base = gradient.gradient.color(at: x)
      let (share, factor) = (mix.curve.value(at: x), intensity.curve.value(at: x))
      let channels = [base.red, base.green, base.blue].map { (1 + ($0 - 1) * share) * factor }
      return Color((channels + [base.alpha * opacity.curve.value(at: x)]).map(Interval.unit.clamp))
    }
    return (points, gradient.isExact && opacity.isExact && intensity.isExact && mix.isExact)
  }
}
