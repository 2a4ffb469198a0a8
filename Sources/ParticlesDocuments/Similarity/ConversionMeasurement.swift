package import ParticlesCore
package import ParticlesFormats
internal import ParticlesModel
package import ParticlesRender

/// The measured difference between an effect and the result of a conversion, and what each line of the
/// loss report contributes.
package struct ConversionMeasurement {
  /// The difference between the effects; nil if the source emits nothing, or nothing can be seen of both.
  package let difference: EffectDifference?

  /// The lines, with differences and levels.
  package let losses: [Diagnostic]

  /// Measures a conversion.
  /// - Parameters:
  ///   - package: the effect.
  ///   - exported: the files that it became.
  ///   - format: their format.
  ///   - firstSeed: the seed of the first run.
  ///   - measuresLines: whether each line is measured alone.
  ///   - limits: for reading the files, and for living particles.
  package init(
    of package: EffectPackage, exported: Exported, as format: ParticleFormat,
    firstSeed: UInt64 = 1, measuresLines: Bool = true, limits: Limits = .standard
  ) throws {
    let source = try package.system(limits: limits)
    var result = try format.effect(
      in: exported, of: source.asset.profile, limits: limits
    ).system
    let length = UnitConversion.factor(from: source.asset, to: result.asset)
    result.showImages(of: source)
    result.placeEmitters(as: source, length: length)
    let meter = try EffectMeter(
      source, length: length, turning: package.turning(of: source, limits: limits),
      firstSeed: firstSeed, limits: limits)
    let isVisible =
      try meter.isVisible
      || EffectMeter(result, firstSeed: firstSeed, limits: limits).isVisible
    guard isVisible else {
      (difference, losses) = (nil, exported.losses + [Self.unseen])
      return
    }
    let whole = try meter.stableDifference(from: result)
    difference = whole
    guard measuresLines else {
      losses = exported.losses
      return
    }
    // Laws have lengths of their own, such as the smallest size: the source keeps its unit.
    var lines = LineMeasurement(
      source, result.scaled(by: 1 / length), meter,
      isTurned: source.asset.dimension != result.asset.dimension,
      whole: whole)
    try lines.measure(exported.losses)
    // Changes can amplify each other.
    if lines.hasRest { try lines.measureTogether() }
    if lines.hasRest { try lines.measureRest() }
    if lines.hasRest, source.asset.profile != result.asset.profile {
      var lawful = source
      lawful.asset.profile = result.asset.profile
      try lines.measureLaw(lawful)
      // A value can be harmless under one law only: colours that leave 0 to 1, if nothing clamps them.
      if lines.hasRest {
        let other = try EffectMeter(
          lawful, length: length, turning: package.turning(of: source, limits: limits),
          firstSeed: firstSeed, limits: limits)
        try lines.measureAgain(lawful, other)
      }
    }
    losses = lines.lines + lines.unexplained
  }

  /// Two empty pictures are equal, but not similar.
  private static var unseen: Diagnostic {
    var line = Diagnostic(
      .assumed, at: .key("emitters"),
      "nothing of the effect can be seen, neither before nor after the conversion",
      hint: "look at its emission, lifetimes, sizes and opacities")
    line.loss = Loss(feature: "unseen", level: .high, path: "emitters")
    return line
  }
}

extension ParticleSystem {
  /// Takes the images of the source where a format names none, or where they are missing: the program that
  /// plays the files shows them, and sizes that are factors count by them.
  fileprivate mutating func showImages(of source: ParticleSystem) {
    let (firstImage, firstSprite) = (images.count, sprites.count)
    images += source.images
    for (index, old) in zip(emitters.indices, source.emitters) where !old.sprites.isEmpty {
      let shown = emitters[index].sprites.first.flatMap { $0 < firstSprite ? sprites[$0] : nil }
      guard shown.map({ images[$0.image].width == nil }) ?? true else { continue }
      emitters[index].sprites = old.sprites.filter(source.sprites.indices.contains).map { place in
        var sprite = source.sprites[place]
        // A file that shows the whole image has no frames.
        if let shown { (sprite.grid, sprite.region) = (shown.grid, shown.region) }
        sprite.image += firstImage
        // Pixels are drawn as they are, unless the file states a scale.
        sprite.scale = shown?.scale ?? 1
        sprites.append(sprite)
        return sprites.count - 1
      }
    }
  }
}
