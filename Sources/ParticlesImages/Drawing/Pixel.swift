/// A colour to draw with: components from 0 to 1, not multiplied by alpha.
package struct Pixel: Sendable {
  /// The red component.
  package var red: Double
  /// The green component.
  package var green: Double
  /// The blue component.
  package var blue: Double
  /// The opacity.
  package var alpha: Double

  /// Creates a colour.
  package init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Returns the product of this colour and another, component by component.
  package func tinted(by tint: Pixel) -> Pixel {
    Pixel(red * tint.red, green * tint.green, blue * tint.blue, alpha * tint.alpha)
  }

  /// Draws a colour over this one.
  /// - Parameters:
  ///   - source: the colour in front.
  ///   - isAdditive: whether it is added to what is behind it, instead of covering it.
  package mutating func blend(_ source: Pixel, isAdditive: Bool) {
    let keep = isAdditive ? 1 : 1 - source.alpha
    red = min(red * keep + source.red * source.alpha, 1)
    green = min(green * keep + source.green * source.alpha, 1)
    blue = min(blue * keep + source.blue * source.alpha, 1)
    alpha = max(alpha, source.alpha)
  }
}
