package import ParticlesCore
internal import ParticlesImages
package import ParticlesModel
package import ParticlesPropertyLists

/// Reads the colour objects of AppKit and UIKit.
package enum ArchivedColor {
  /// A colour as sRGB-encoded red, green and blue and straight alpha, or nil if the object is not a
  /// colour. Assumptions and approximations are reported.
  /// - Parameter fallbacks: the maximum depth of fallback colours of named colours.
  package static func sRGB(of object: ArchivedObject, fallbacks: Int = 4)
    throws(Failure) -> [Double]?
  {
    if object.isA("UIColor") || object.index(of: "UIColorComponentCount") != nil {
      return uiColor(object)
    }
    if let color = try custom(object) { return color }
    switch object.int("NSColorSpace") {
    case 1?: return color(object, "NSRGB", .genericRGB)
    case 2?: return color(object, "NSRGB", .sRGB)
    case 3?: return color(object, "NSWhite", .genericGray)
    case 4?: return color(object, "NSWhite", .sRGB)
    case 5?: return cmyk(object)
    case 6?: return try catalog(object, fallbacks: fallbacks)
    case let space?:
      object.mismatch(
        "NSColorSpace", expected: "a colour space of 1 to 6",
        found: space == 10 ? "a pattern" : "\(space)")
    case nil: object.mismatch("NSColorSpace", expected: "a colour", found: "nothing")
    }
    return nil
  }

  /// The components in the stated colour space. They are more precise than the calibrated components.
  private static func custom(_ object: ArchivedObject) throws(Failure) -> [Double]? {
    guard let space = try object.object("NSCustomColorSpace"),
      let numbers = numbers(object, "NSComponents")
    else { return nil }
    let known: RGBSpace? =
      switch (space.int("NSID"), space.int("NSSpaceID")) {
      case (1?, _), (_, 1?): .genericRGB
      case (2?, _), (_, 2?): .genericGray
      case (7?, _), (_, 7?): .sRGB
      case (9?, _), (_, 9?): .gray22
      case (_, 12?): .displayP3
      default: nil
      }
    if let known { return color(object, numbers, known) }
    if space.int("NSModel") == 2 { return nil }
    let profile = space.data("NSICC")
    if profile.map(namesSRGB) != true {
      let what = profile == nil ? "in an unknown space" : "with a profile of its own"
      object.note(.assumed, "a colour \(what) is read as sRGB")
    }
    return color(object, numbers, .sRGB)
  }

  /// Whether an ICC profile has the name sRGB in it, in ASCII or UTF-16. All profiles of real files that are known have it.
  private static func namesSRGB(_ profile: [UInt8]) -> Bool {
    let letters = profile.prefix(1 << 16).filter { $0 != 0 }
    return String(decoding: letters, as: UTF8.self).contains("sRGB")
  }

  private static func color(_ object: ArchivedObject, _ key: String, _ space: RGBSpace) -> [Double]?
  {
    guard let numbers = numbers(object, key) else { return missing(object, key) }
    return color(object, numbers, space)
  }

  /// One component is white, and three are red, green and blue. Two and four include alpha.
  private static func color(_ object: ArchivedObject, _ numbers: [Double], _ space: RGBSpace)
    -> [Double]?
  {
    let components: [Double]
    switch numbers.count {
    case 1, 2: components = [numbers[0], numbers[0], numbers[0]]
    case 3, 4: components = Array(numbers.prefix(3))
    default: return missing(object, "components")
    }
    let (converted, clamped) = space.sRGB(components)
    if clamped > 0.002, space.reportsClamping {
      object.note(
        .approximated, "a colour outside of sRGB is clamped",
        found: components.map { $0.description }.joined(separator: " "))
    }
    let alpha = numbers.count.isMultiple(of: 2) ? numbers[numbers.count - 1] : 1
    return converted + [min(max(alpha, 0), 1)]
  }

  private static func cmyk(_ object: ArchivedObject) -> [Double]? {
    guard let numbers = numbers(object, "NSCMYK") ?? numbers(object, "NSCYMK"),
      4...5 ~= numbers.count
    else { return missing(object, "NSCMYK") }
    object.note(.approximated, "CMYK is converted without a colour profile")
    let color = numbers.prefix(3).map { min(max((1 - $0) * (1 - numbers[3]), 0), 1) }
    return color + [numbers.count == 5 ? min(max(numbers[4], 0), 1) : 1]
  }

  private static func catalog(_ object: ArchivedObject, fallbacks: Int) throws(Failure) -> [Double]?
  {
    let name = object.string("NSColorName") ?? ""
    guard fallbacks > 0, let fallback = try object.object("NSColor") else {
      object.mismatch(
        "NSColor", expected: "a fallback colour for the name", found: "'\(name.excerpt)'")
      return nil
    }
    return try sRGB(of: fallback, fallbacks: fallbacks - 1)
  }

  /// Components as text: `"1 0.5 0"`, usually followed by a zero byte.
  private static func numbers(_ object: ArchivedObject, _ key: String) -> [Double]? {
    guard let bytes = object.data(key) else { return nil }
    let text = String(decoding: bytes.prefix(512).prefix { $0 != 0 }, as: UTF8.self)
    let words = text.split(separator: " ")
    let numbers = words.compactMap { Double($0) }.filter { $0.isFinite }
    guard numbers.count == words.count, !numbers.isEmpty else {
      object.mismatch(key, expected: "numbers as text", found: "'\(text.excerpt)'")
      return nil
    }
    return numbers
  }

  /// UIKit writes floats and, since it supports wide gamut, doubles too.
  private static func uiColor(_ object: ArchivedObject) -> [Double]? {
    func number(_ key: String) -> Double? { object.double("\(key)-Double") ?? object.double(key) }
    let alpha = min(max(number("UIAlpha") ?? 1, 0), 1)
    if let red = number("UIRed"), let green = number("UIGreen"), let blue = number("UIBlue") {
      let wide = object.isA("UIDisplayP3Color")
      let color = color(object, [red, green, blue], wide ? .displayP3 : .sRGB)
      return color.map { $0.prefix(3) + [alpha] }
    }
    guard let white = number("UIWhite") else { return missing(object, "UIRed") }
    return color(object, [white], .sRGB).map { $0.prefix(3) + [alpha] }
  }

  private static func missing(_ object: ArchivedObject, _ key: String) -> [Double]? {
    object.mismatch(key, expected: "the components of a colour", found: "none")
    return nil
  }
}

// Colours as AppKit archives them. ``ArchivedColor`` reads them.

extension Archivable {
  /// A device colour with sRGB components, as Xcode's particle editor writes most colours.
  package static func deviceColor(_ color: Color) -> Archivable {
    nsColor(2, components: [color.red, color.green, color.blue], alpha: color.alpha, [])
  }

  /// A colour in the sRGB space, with the calibrated variant for readers that expect it.
  package static func sRGBColor(_ color: Color) -> Archivable {
    let components = [color.red, color.green, color.blue]
    let all = text(components + [color.alpha])
    return nsColor(
      1, components: RGBSpace.genericRGB(fromSRGB: components), alpha: color.alpha,
      [
        .init("NSComponents", .inline(.data(Array(all.utf8)))),
        .init(
          "NSCustomColorSpace", .object(["NSColorSpace", "NSObject"], [.init("NSID", .integer(7))])),
      ])
  }

  /// An opaque colour has no alpha component.
  private static func nsColor(
    _ space: Int, components: [Double], alpha: Double, _ more: [ArchivableObject.Member]
  ) -> Archivable {
    let visible = text(components + (alpha == 1 ? [] : [alpha]))
    return .object(
      ["NSColor", "NSObject"],
      [
        .init("NSColorSpace", .integer(space)),
        .init("NSRGB", .inline(.data(Array(visible.utf8) + [0]))),
      ] + more)
  }

  private static func text(_ numbers: [Double]) -> String {
    numbers.map(Geometry.text).joined(separator: " ")
  }
}

extension ColorValue {
  /// The bounds of all components, and of 0…1.
  var componentBounds: Interval {
    let colors: [Color] =
      switch self {
      case .constant(let color): [color]
      case .varied(let varied): [varied.color]
      case .gradient(let pick): pick.gradient.keys.map { $0.color }
      case .range(let range): [range.min, range.max]
      case .choice(let choice): choice.colors
      }
    let channels = colors.flatMap { $0.channels }
    return Interval(min(channels.min() ?? 0, 0), max(channels.max() ?? 1, 1))
  }
}
