internal import ParticlesCore
internal import ParticlesModel

// Size, rotation and drawing.

extension CocosWriter {
  /// A track as two numbers with their variances.
  /// - Parameter staysAtStart: whether −1 as end means that the number at birth stays.
  mutating func write(
    _ track: Track, from: (String, String), to: (String, String), scale: Double = 1,
    staysAtStart: Bool? = nil, curved: Capability = .sizeCurve, apart: Capability = .sizeSE,
    at property: String
  ) {
    let ends = CocosEnds(track, lifetime: life)
    set(from.0, ends.start.center * scale)
    set(from.1, ends.start.half * scale.magnitude)
    let stays = staysAtStart ?? (dialect != .starling)
    if case .constantButRandom = ends.quality, stays {
      set(to.0, -1)
      return set(to.1, 0)
    }
    set(to.0, ends.end.center * scale)
    set(to.1, ends.end.half * scale.magnitude)
    explain(ends.quality, curved: curved, apart: apart, at: property)
  }

  mutating func explain(
    _ quality: CocosEnds.Quality, curved: Capability, apart: Capability, at property: String
  ) {
    switch quality {
    case .exact: break
    case .constantButRandom:
      lose(
        .approximated, apart, property, "start and end are drawn each by itself",
        recipe: "both from the same range")
    case .drawnOtherwise:
      lose(
        .approximated, apart, property, "there is a number and its variance",
        recipe: "the middle between the least and the greatest")
    case .curved(let deviation):
      lose(
        .approximated, curved, property, "there is a straight line from birth to death",
        recipe: "the line of least squares",
        metric: Loss.Metric("greatest deviation", (deviation * 1000).rounded() / 1000, "unit"))
    }
  }

  // MARK: Size

  mutating func writeSize() {
    let size = emitter.size
    var scale = 1.0
    if size.mode == .textureScale {
      let width = sprite.flatMap { $0.sprite.region?.width ?? $0.image.width.map(Double.init) }
      let pixels = width.map { $0 / (sprite?.sprite.scale ?? 1) }
      scale = pixels ?? 32
      lose(
        pixels == nil ? .assumed : .restated, .sizeAbs, "size.mode", also: ["size.width"],
        "sizes are lengths; the image is \(pixels == nil ? "taken to be " : "")\(shortText(scale)) wide",
        level: pixels == nil ? .medium : nil)
    }
    write(
      size.width, from: ("startParticleSize", "startParticleSizeVariance"),
      to: ("finishParticleSize", "finishParticleSizeVariance"), scale: scale, at: "size.width")
    drop(\.size.height, .sizeXY, "size.height", "the width decides")
    drop(\.size.stretch, .stretch, "size.stretch", "particles keep their shape")
    writeAspect(size.aspect)
  }

  /// cocos2d draws squares, Starling keeps the shape of the image.
  private mutating func writeAspect(_ aspect: Aspect) {
    let width = sprite.flatMap { $0.sprite.region?.width ?? $0.image.width.map(Double.init) }
    let height = sprite.flatMap { $0.sprite.region?.height ?? $0.image.height.map(Double.init) }
    let ofImage = width.flatMap { width in height.map { width / $0 } } ?? 1
    let native = dialect == .starling ? Aspect.sprite : .ratio(1)
    guard aspect != native else { return }
    let (wanted, found) = (aspect.ratio(of: ofImage), native.ratio(of: ofImage))
    lose(
      wanted == found ? .restated : .lost, .sizeXY, "size.aspect",
      dialect == .starling ? "particles have the shape of their image" : "particles are squares")
  }

  // MARK: Rotation

  /// Files count clockwise.
  mutating func writeRotation() {
    let rotation = emitter.rotation
    var ends = CocosEnds(rotation.angle, lifetime: life)
    let spin = CocosEnds(rotation.velocity, lifetime: life)
    let speed = (spin.start.center + spin.end.center) / 2
    ends.end.center += speed * life + rotation.acceleration.mean * life * life / 2
    ends.end.half += (spin.start.half + spin.end.half) / 2 * life
    explain(ends.quality, curved: .rotCurve, apart: .rotSE, at: "rotation.angle")
    if rotation.velocity != 0 {
      lose(
        .approximated, .rotVel, "rotation.velocity", also: ["rotation.angle"],
        "an angle at birth and one at death", recipe: "velocity × mean lifetime")
    }
    if rotation.acceleration != 0 {
      lose(
        .approximated, .rotAcc, "rotation.acceleration", also: ["rotation.angle"],
        "an angle at birth and one at death", recipe: "acceleration × mean lifetime² / 2")
    }
    switch rotation.align {
    case .none: break
    case _ where dialect == .starling:
      lose(.lost, .align, "rotation.align", "particles do not face their way")
    case .velocity:
      set("rotationIsDir", flag: true)
      lose(
        .approximated, .align, "rotation.align", "particles face their way at birth only")
    case .birth: set("rotationIsDir", flag: true)
    }
    if dialect != .starling, rotation.align != .none,
      ends.start != (0, 0) || rotation.alignOffset != 0
    {
      lose(
        .lost, .align, "rotation.angle", also: ["rotation.alignOffset"],
        "the direction takes the place of the angle at birth")
    } else {
      drop(\.rotation.alignOffset, .align, "rotation.alignOffset", "there is no such angle", .dead)
    }
    drop(\.rotation.axis, .rot3D, "rotation.axis", "particles turn in the plane")
    set("rotationStart", -ends.start.center)
    set("rotationStartVariance", ends.start.half)
    set("rotationEnd", -ends.end.center)
    set("rotationEndVariance", ends.end.half)
  }

  // MARK: Drawing

  mutating func writeBlend() {
    let blend = emitter.render.blend
    var factors = CocosBlend(blend) ?? CocosBlend(1, 771)
    switch blend.mode {
    case .subtract:
      factors = CocosBlend(0, 769)
      lose(
        .approximated, .blSub, "render.blend", "nothing is subtracted",
        recipe: "what is behind, times what the particle leaves of it")
    case .premultiplied:
      factors = CocosBlend(1, 771)
      lose(.approximated, .premult, "render.blend", "colours are multiplied by alpha, always")
    case .custom where blend.equation != .add:
      lose(.lost, .blSub, "render.blend", "both colours are added")
    default:
      let read = factors.blend(dialect)
      if read != blend {
        let isExact = read.mode == blend.mode || blend.mode == .custom && read.mode != .custom
        lose(
          isExact ? .restated : .approximated, .blCustom, "render.blend",
          "two factors say how colours are mixed")
      }
    }
    set("blendFuncSource", integer: factors.source)
    set("blendFuncDestination", integer: factors.destination)
  }

  mutating func checkRendering() {
    drop(\.render.sort, .sort, "render.sort", "the youngest are on top")
    drop(\.render.billboard, .billb, "render.billboard", "particles face the screen")
    drop(\.render.billboardAxis, .billb, "render.billboardAxis", "particles face the screen")
    drop(\.render.z, .sort, "render.z", "the youngest are on top")
    drop(\.render.lit, .soft, "render.lit", "there is no light")
    drop(\.render.soft, .soft, "render.soft", "there is no depth")
    drop(\.render.blackPass, .soft, "render.blackPass", "particles are drawn once")
    drop(\.render.writesDepth, .soft, "render.writesDepth", "there is no depth")
    drop(\.render.layer, .sort, "render.layer", "there is one layer")
    drop(\.render.order, .sort, "render.order", "there is one emitter")
    drop(\.render.trail, .trail, "render.trail", "particles leave nothing behind")
    drop(\.flipbook, .flip, "flipbook", "an image is all there is to see")
    if emitter.sprites.count < 2 {
      drop(
        \.spriteSelection, .randSpr, "spriteSelection", "there is one image to choose from", .dead)
    }
    for (index, trigger) in emitter.triggers.enumerated() {
      let capabilities: [TriggerEvent: Capability] = [
        .birth: .subBirth, .death: .subDeath, .collision: .subColl,
      ]
      lose(
        .lost, capabilities[trigger.event] ?? .subLive, "triggers[\(index)]",
        "particles start no other emitter; it starts by itself")
    }
  }
}

extension Aspect {
  /// Width over height, for an image of that.
  fileprivate func ratio(of image: Double) -> Double {
    switch self {
    case .sprite: image
    case .ratio(let ratio): ratio
    }
  }
}
