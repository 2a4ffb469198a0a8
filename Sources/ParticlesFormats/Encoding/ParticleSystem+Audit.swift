internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension ParticleSystem {
  /// The name of the emitter that a path leads into; nil if it leads elsewhere.
  func emitterName(at path: String) -> String? {
    let index = Self.index(in: path.prefix { $0 != "." }, of: "emitters")
    return index.flatMap { emitters.indices.contains($0) ? emitters[$0].name : nil }
  }

  /// Leaves out what says nothing of the effect: where it came from, who wrote the file, how images
  /// are called in the package, and sprites and images that nobody shows.
  mutating func prepareForAudit() {
    asset.generator = nil
    asset.version = Self.version
    extensionsUsed.removeAll { $0 == Self.sourceExtension }
    extensions[Self.sourceExtension] = nil
    for index in emitters.indices {
      emitters[index].extensions[Self.sourceExtension] = nil
    }
    keepShownSprites()
    for index in images.indices {
      // What the bytes say of themselves goes with them, and the digest stands for the bytes.
      var image = ImageReference()
      image.sha256 = images[index].sha256
      (image.alpha, image.colorSpace) = (images[index].alpha, images[index].colorSpace)
      // Of an image that was not found, there is the name.
      if image.sha256 == nil { image.uri = ImageFinder.baseName(of: images[index].uri) }
      images[index] = image
    }
  }

  /// The row of the matrix that an unused property would belong to: a parameter of another kind of
  /// shape or force, or the domain of a track that has no input to choose. nil if it is used.
  /// - Parameter values: what this effect states.
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
    if steps[1] == "shape" { return emitter.shape.ignores(key) ? .shRect : nil }
    guard let place = Self.index(in: steps[1], of: "forces"), emitter.forces.indices.contains(place)
    else { return nil }
    let force = emitter.forces[place]
    return force.ignores(key) ? force.kind.capability : nil
  }

  /// The 2 of `forces[2]`.
  private static func index(in step: Substring, of array: String) -> Int? {
    guard step.hasPrefix("\(array)["), step.hasSuffix("]") else { return nil }
    return Int(step.dropFirst(array.count + 1).dropLast())
  }
}
