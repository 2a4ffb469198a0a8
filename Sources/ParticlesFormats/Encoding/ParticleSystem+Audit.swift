internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension StatedValues {
  /// Whether a difference is one of form: the factor of a curve is in it in one effect, and beside it in
  /// the other.
  mutating func isFactorElsewhere(at path: String, in other: inout StatedValues) -> Bool {
    guard let end = [".to", ".curve", ".curve.keys"].first(where: path.hasSuffix) else {
      return false
    }
    let place = String(path.dropLast(end.count))
    guard let old = value(at: place).flatMap(Track.init(factored:)),
      let new = other.value(at: place).flatMap(Track.init(factored:))
    else { return false }
    var differences: [PropertyDifference] = []
    old.compare(new, at: .root, into: &differences)
    return differences.isEmpty
  }
}

extension Track {
  /// A track of a curve with the factor in the curve; nil for others.
  fileprivate init?(factored json: JSONValue) {
    guard json.object?["curve"] != nil, let track = try? Track(json: json, at: .root),
      track.from == 0, let factor = track.to, factor.isNumber
    else { return nil }
    self = track
    to = 1
    curve = curve.multiplied(by: factor.mean)
  }
}

extension ParticleSystem {
  /// The name of the emitter that contains a path; nil for other paths.
  func emitterName(at path: String) -> String? {
    Self.emitterIndex(at: path).flatMap { emitters.indices.contains($0) ? emitters[$0].name : nil }
  }

  /// Removes everything that is not part of the effect: its source, the generator, the names of
  /// images in the package, and unused sprites and images.
  mutating func prepareForAudit() {
    asset.generator = nil
    asset.version = Self.version
    extensionsUsed.removeAll { $0 == Self.sourceExtension }
    extensions[Self.sourceExtension] = nil
    for index in emitters.indices {
      emitters[index].extensions[Self.sourceExtension] = nil
      emitters[index].render.blend = emitters[index].render.blend.named
    }
    keepShownSprites()
    for index in images.indices {
      // Metadata that follows from the bytes is removed; the digest represents them.
      var image = ImageReference()
      image.sha256 = images[index].sha256
      (image.alpha, image.colorSpace) = (images[index].alpha, images[index].colorSpace)
      // An image that was not found has a name only.
      if image.sha256 == nil { image.uri = ImageFinder.baseName(of: images[index].uri) }
      images[index] = image
    }
  }

  /// The capability of an unused property: a parameter of another kind of shape or force, or the
  /// domain of a track without another input. nil if the property is used.
  /// - Parameter values: the values that this effect states.
  func unusedCapability(at path: String, of values: inout StatedValues) -> Capability? {
    let steps = path.split(separator: ".")
    if steps.last == "domain" {
      let track = values.value(at: steps.dropLast().joined(separator: "."))?.object
      return track?["over"] == nil || track?["to"] == nil ? .sizeCurve : nil
    }
    guard steps.count >= 3, let index = Self.index(in: steps[0], of: "emitters"),
      emitters.indices.contains(index)
    else { return nil }
    let (emitter, key) = (emitters[index], String(steps[2].prefix { $0 != "[" }))
    if steps[1] == "shape" { return emitter.shape.ignores(key) ? .shapeRectangle : nil }
    guard let place = Self.index(in: steps[1], of: "forces"), emitter.forces.indices.contains(place)
    else { return nil }
    let force = emitter.forces[place]
    return force.ignores(key) ? force.kind.capability : nil
  }

  /// The index of the emitter that contains a path; nil for other paths.
  static func emitterIndex(at path: String) -> Int? { index(in: path[...], of: "emitters") }

  /// The index at the beginning of a path such as `forces[2].strength`.
  static func index(in path: Substring, of array: String) -> Int? {
    let (bytes, name) = (path.utf8, array.utf8)
    guard bytes.starts(with: name) else { return nil }
    let rest = bytes.dropFirst(name.count)
    guard rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) else {
      return nil
    }
    return Int(Substring(rest[..<end].dropFirst()))
  }

  /// The index of an emitter and the rest of a path that leads below it: `size.width` of `emitters[2].size.width`.
  static func emitterPart(at path: String) -> (index: Int, rest: Substring)? {
    guard let index = emitterIndex(at: path),
      let end = path.utf8.firstIndex(of: UInt8(ascii: "]")),
      path.utf8[end...].dropFirst().first == UInt8(ascii: ".")
    else { return nil }
    return (index, path[path.utf8.index(end, offsetBy: 2)...])
  }
}
