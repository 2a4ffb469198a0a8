internal import ParticlesModel

extension ColorValue {
  /// The bounds of all components, and of 0…1.
  var componentBounds: Interval {
    let colors: [Color] =
      switch self {
      case .constant(let color): [color]
      case .varied(let varied): [varied.color]
      case .gradient(let pick): pick.gradient.keys.map(\.color)
      case .range(let range): [range.min, range.max]
      case .choice(let choice): choice.colors
      }
    let channels = colors.flatMap(\.channels)
    return Interval(min(channels.min() ?? 0, 0), max(channels.max() ?? 1, 1))
  }
}
