internal import ParticlesCore
internal import ParticlesModel

// Size, rotation and rendering.

extension FieldReader<CocosFamily> {
  /// Angles in files are clockwise, for either direction of the y axis.
  var rotation: Rotation {
    var rotation = Rotation()
    rotation.angle = track("rotationStart", "rotationEnd", times: -1)
    if flag("headToVelocity") == true {
      rotation.align = .velocity
    } else if flag("rotationIsDir") == true {
      rotation.align = .birth
      // The direction replaces the start angle; the difference from start to end stays.
      let turn = (number("rotationStart") ?? 0) - (number("rotationEnd") ?? 0)
      rotation.angle = turn == 0 ? 0 : Track(from: 0, to: .constant(turn.rounded))
      if ["rotationStartVariance", "rotationEndVariance"].contains(where: { number($0) ?? 0 != 0 })
      {
        note(
          .approximated, "rotationIsDir",
          "particles aligned with their direction all rotate equally")
      }
    }
    return rotation
  }

  var size: Size {
    var size = Size()
    size.width = track("startParticleSize", "finishParticleSize", isConstantAt: -1)
    size.aspect = format.aspect(in: law)
    return size
  }

  var blend: Blend {
    guard var source = integer("blendFuncSource"),
      var destination = integer("blendFuncDestination")
    else {
      let isAdditive = flag("blendAdditive") == true
      note(
        .assumed, "blendFuncSource",
        isAdditive ? "additive blending because of 'blendAdditive'" : "alpha blending is assumed")
      return Blend(isAdditive ? .add : .alpha)
    }
    check(&source, "blendFuncSource", standard: 770)
    check(&destination, "blendFuncDestination", standard: 771)
    return CocosBlend(source, destination).blend
  }

  private func check(_ factor: inout Int, _ key: String, standard: Int) {
    if let known = surroundings.factors.factor(of: factor) {
      factor = known
      return
    }
    note(.assumed, key, "not an OpenGL blend factor; \(standard) is used", found: "\(factor)")
    factor = standard
  }
}

extension CocosFamily {
  /// cocos2d stretches the image to a square; Starling and Cocos Creator keep its aspect ratio.
  fileprivate func aspect(in engine: Profile) -> Aspect {
    isStarling || engine == .cocosCreator ? .sprite : .ratio(1)
  }
}

extension EmitterWriter<CocosFamily> {
  /// Writes a track as start and end, each with a variance.
  mutating func encode(
    _ track: Track, _ start: String, _ end: String, scale: Double = 1,
    curved: Capability = .sizeCurve, apart: Capability = .randomEndSize, at property: String
  ) {
    let range = format.table.range(of: start).map { Interval($0.lower / scale, $0.upper / scale) }
    let ends = TrackEnds(track, lifetime: life, within: range)
    func scaled(_ ends: (center: Double, half: Double)) -> (center: Double, half: Double) {
      (ends.center * scale, ends.half * scale.magnitude)
    }
    let first = clamped(scaled(ends.start), start, curved, at: property)
    set(start, first.center)
    set(start + "Variance", first.half)
    if case .constantButRandom = ends.quality, !format.isStarling {
      set(end, -1)
      return set(end + "Variance", 0)
    }
    let last = clamped(scaled(ends.end), end, curved, at: property)
    set(end, last.center)
    set(end + "Variance", last.half)
    explain(ends.quality, curved: curved, apart: apart, at: property)
  }

  mutating func explain(
    _ quality: TrackEnds.Quality, curved: Capability, apart: Capability, at property: String
  ) {
    switch quality {
    case .exact: break
    case .constantButRandom:
      lose(
        .approximated, apart, at: property, "start and end are randomised independently",
        recipe: "both from the same range")
    case .drawnOtherwise:
      lose(
        .approximated, apart, at: property, "only uniform ranges are supported",
        recipe: "the middle of minimum and maximum")
    case .curved(let deviation):
      lose(
        .approximated, curved, at: property, "only linear change over life is supported",
        recipe: "best-fit line",
        metric: Loss.Metric("greatest deviation", (deviation * 1000).rounded() / 1000, "unit"))
    }
  }

  mutating func encodeSize() {
    let size = emitter.size
    var scale = 1.0
    if size.mode == .textureScale {
      let pixels = shownSize.width.map { $0 / (sprite?.scale ?? 1) }
      scale = pixels ?? 32
      lose(
        pixels == nil ? .assumed : .restated, .absoluteSize, at: "size.mode", also: ["size.width"],
        "sizes are lengths; the image is \(pixels == nil ? "assumed to be " : "")\(shortText(scale)) wide",
        level: pixels == nil ? .medium : nil)
    }
    encode(size.width, "startParticleSize", "finishParticleSize", scale: scale, at: "size.width")
    loseAspect(
      unless: format.aspect(in: system.asset.profile),
      format.isStarling ? "the aspect ratio is that of the image" : "particles are always square")
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    var ends = TrackEnds(rotation.angle, lifetime: life)
    let spin = TrackEnds(rotation.velocity, lifetime: life)
    let speed = (spin.start.center + spin.end.center) / 2
    ends.end.center += speed * life + rotation.acceleration.mean * life * life / 2
    ends.end.half += (spin.start.half + spin.end.half) / 2 * life
    explain(ends.quality, curved: .rotationCurve, apart: .randomEndRotation, at: "rotation.angle")
    if rotation.velocity != 0 {
      lose(
        .approximated, .rotationSpeed, at: "rotation.velocity", also: ["rotation.angle"],
        "only start and end angles are supported", recipe: "velocity × mean lifetime")
    }
    if rotation.acceleration != 0 {
      lose(
        .approximated, .angularAcceleration, at: "rotation.acceleration", also: ["rotation.angle"],
        "only start and end angles are supported", recipe: "acceleration × mean lifetime² / 2")
    }
    switch rotation.align {
    case .none: break
    case _ where format.isStarling:
      lose(.lost, .align, at: "rotation.align", "alignment with the direction is not supported")
    case .velocity:
      set("rotationIsDir", flag: true)
      lose(
        .approximated, .align, at: "rotation.align",
        "particles are aligned with their initial direction only")
    case .birth: set("rotationIsDir", flag: true)
    }
    if !format.isStarling, rotation.align != .none,
      ends.start != (0, 0) || rotation.alignOffset != 0
    {
      lose(
        .lost, .align, at: "rotation.angle", also: ["rotation.alignOffset"],
        "the direction replaces the start angle")
    } else {
      dropAlignOffset()
    }
    set("rotationStart", -ends.start.center)
    set("rotationStartVariance", ends.start.half)
    set("rotationEnd", -ends.end.center)
    set("rotationEndVariance", ends.end.half)
  }

  mutating func encodeBlend() {
    let blend = emitter.render.blend
    var factors = CocosBlend(blend, from: system.asset.profile, for: format) ?? CocosBlend(1, 771)
    switch blend.mode {
    case .subtract:
      factors = CocosBlend(0, 769)
      lose(
        .approximated, .blendSubtractive, at: "render.blend",
        "subtractive blending is not supported",
        recipe: "background × (1 − particle)")
    case .premultiplied:
      factors = CocosBlend(1, 771)
      lose(
        .approximated, .premultipliedAlpha, at: "render.blend", "colours are always premultiplied")
    case .custom where blend.equation != .add:
      lose(.lost, .blendSubtractive, at: "render.blend", "the blend equation is always addition")
    default:
      let read = factors.blend.named
      if read != blend.named {
        let isExact = read.mode == blend.mode || blend.mode == .custom && read.mode != .custom
        lose(
          isExact ? .restated : .approximated, .blendFactors, at: "render.blend",
          "the blend mode is written as two factors")
      }
      explainImageAlpha(of: factors.blend, in: format.table.capabilities.profile)
    }
    set("blendFuncSource", integer: surroundings.factors.number(of: factors.source))
    set("blendFuncDestination", integer: surroundings.factors.number(of: factors.destination))
  }
}
