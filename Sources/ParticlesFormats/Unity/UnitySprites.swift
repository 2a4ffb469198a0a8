internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The sprites of a picture, as its `.meta` file states them: where each is, by its number.
struct UnitySprites {
  /// The places in pixels, counted from the bottom left.
  private var places: [Int64: Rectangle] = [:]

  /// The number of the sprite of a picture that is one sprite.
  static let whole: Int64 = 21_300_000

  /// - Throws: ``ParticlesCore/Rule/limit``.
  init(meta bytes: [UInt8], limits: Limits) throws {
    var yaml = UnityYAML(bytes, 0..<bytes.count, limits: limits)
    let importer = try yaml.value().object?["TextureImporter"]
    var numbers: [String: Int64] = [:]
    // Up to 2018, a map from numbers to names. Later a list of pairs.
    for member in importer?["fileIDToRecycleName"]?.object?.members ?? [] {
      if let name = member.value.string { numbers[name] = Int64(member.key) }
    }
    for element in importer?["internalIDToNameTable"]?.array ?? [] {
      guard let name = element["second"]?.string else { continue }
      numbers[name] = element["first"]?.object?.members.first?.value.string.flatMap { Int64($0) }
    }
    for sprite in (importer?["spriteSheet.sprites"]?.array ?? []).prefix(4096) {
      func number(_ key: String) -> Double { sprite["rect.\(key)"]?.string?.double ?? 0 }
      let name = sprite["name"]?.string ?? ""
      let own = sprite["internalID"]?.string.flatMap { Int64($0) }
      guard let id = own.flatMap({ $0 == 0 ? nil : $0 }) ?? numbers[name] else { continue }
      let rectangle = Rectangle(
        x: number("x"), y: number("y"), width: number("width"), height: number("height"))
      if rectangle.width > 0, rectangle.height > 0 { places[id] = rectangle }
    }
  }

  /// The part of a picture that a sprite shows, counted from the top; nil for all of it.
  func region(of id: Int64, height: Double) -> Rectangle? {
    guard let place = places[id], place.y + place.height <= height + 0.5 else { return nil }
    return Rectangle(
      x: place.x, y: height - place.y - place.height, width: place.width, height: place.height)
  }
}
