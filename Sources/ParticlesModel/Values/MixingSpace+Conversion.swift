extension MixingSpace {
  /// The coordinates of a colour in this space, and alpha.
  func components(of color: Color) -> [Double] {
    switch self {
    case .srgb: return color.components
    case .linear: return color.light + [color.alpha]
    case .oklab: return Self.oklab(color.light) + [color.alpha]
    }
  }

  /// The colour of coordinates in this space, and alpha.
  func color(of components: [Double]) -> Color {
    switch self {
    case .srgb: Color(components: components)
    case .linear: Color(light: components, alpha: components[3])
    case .oklab: Color(light: Self.light(oklab: components), alpha: components[3])
    }
  }

  // Björn Ottosson's matrices (public domain) of 2021.

  private static func oklab(_ rgb: [Double]) -> [Double] {
    let l = cubeRoot(0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2])
    let m = cubeRoot(0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2])
    let s = cubeRoot(0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2])
    return [
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    ]
  }

  private static func light(oklab lab: [Double]) -> [Double] {
    let l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2]
    let m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2]
    let s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2]
    let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
    return [
      4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
      -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
      -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3,
    ]
  }
}

extension Color {
  /// Linear red, green and blue. Negative values are mirrored, so that nothing is lost.
  fileprivate var light: [Double] {
    [red, green, blue].map { value in
      let size = value.magnitude
      let light = size <= 0.04045 ? size / 12.92 : power((size + 0.055) / 1.055, 2.4)
      return value < 0 ? -light : light
    }
  }

  fileprivate init(light: [Double], alpha: Double) {
    let encoded = light.prefix(3).map { value in
      let size = value.magnitude
      let encoded = size <= 0.0031308 ? size * 12.92 : 1.055 * power(size, 1 / 2.4) - 0.055
      return value < 0 ? -encoded : encoded
    }
    self.init(encoded[0], encoded[1], encoded[2], alpha)
  }
}
