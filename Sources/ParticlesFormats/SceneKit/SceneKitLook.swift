internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Size, image and orientation of particles.

extension KeyedEmitter<SceneKitFamily> {
  func decodeStretch(of emitter: inout Emitter) {
    let factor = number("stretchFactor")
    guard factor != 0 else { return }
    var stretch = Stretch()
    stretch.factor = .constant(factor)
    emitter.size.stretch = stretch
  }

  var grid: SpriteGrid? {
    SpriteGrid(
      columns: number("imageSequenceColumnCount"), rows: number("imageSequenceRowCount"))
  }

  var flipbook: Flipbook? {
    var flipbook = Flipbook()
    flipbook.start = value("imageSequenceInitialFrame")
    let fps = value("imageSequenceFrameRate")
    flipbook.fps = .fixed(fps)
    flipbook.mode = choice("imageSequenceAnimationMode", SceneKitFamily.frameModes, .loop)
    guard flipbook != Flipbook() || grid != nil else { return nil }
    flipbook.crossfade = fps != 0
    return flipbook
  }

  func decodeOrientation(of emitter: inout Emitter) {
    emitter.render.billboard = choice("orientationMode", SceneKitFamily.billboards, .screen)
    guard emitter.render.billboard == .free else { return }
    emitter.rotation.axis = .random
    note(.assumed, "orientationMode", "free particles are assumed to rotate about any axis")
  }
}

extension EmitterWriter<SceneKitFamily> {
  mutating func encodeOrientation() {
    let billboards = SceneKitFamily.billboards
    if !set("orientationMode", emitter.render.billboard, of: billboards) {
      lose(.approximated, .billboard, at: "render.billboard", "particles always face the screen")
    }
    let isFree = emitter.render.billboard == .free
    switch emitter.rotation.axis {
    case .random where isFree, .screen where !isFree: break
    case .random:
      lose(.lost, .rotation3D, at: "rotation.axis", "rotation is in the plane of the screen")
    case .screen:
      lose(.assumed, .rotation3D, at: "rotation.axis", "free particles rotate about any axis")
    case .vector: lose(.lost, .rotation3D, at: "rotation.axis", "a rotation axis is not supported")
    }
  }

  mutating func encodeSize() {
    let size = emitter.size
    encodeWidth(size.mode == .textureScale ? size.width.scaled(by: pixels()) : size.width)
    guard size.aspect != .ratio(1) else { return }
    // The aspect ratio of a missing image is unknown.
    let isMissing = frame == nil && image != nil && image?.sha256 == nil
    let isSquare = sprite == nil || frame.map { $0.width == $0.height } ?? isMissing
    lose(
      size.aspect != .sprite || !isSquare ? .lost : isMissing ? .assumed : .restated,
      .widthAndHeight,
      at: "size.aspect", "particles are always square")
  }

  private mutating func encodeWidth(_ width: Track) {
    let (key, place) = ("particleSize", "size.width")
    if width.isPlainValue { return set(key, width.from, .size, at: "\(place).from") }
    if let size = width.to, width == Track(from: 0, to: size, curve: width.curve).over(width) {
      set(key, size, .size, at: "\(place).to")
      return encodeController(
        "Size", width, .sizeCurve, at: place, isFactor: true, within: Self.sizes)
    }
    var (curve, isExact) = width.curve(lifetime: lifetime)
    curve = curve.clamped(to: Self.sizes)
    // The start size is the maximum, so that the curve is between 0 and 1.
    let most = curve.keys.map { $0.value.magnitude }.max() ?? 0
    let start = curve.value(at: 0)
    let isRandom = !width.from.isNumber && start != 0
    let base = isRandom ? start : most
    set(key, isRandom ? width.from : .constant(most), .size, at: place)
    let factor = Track(
      from: 0, to: 1, curve: base == 0 ? .constant(0) : curve.multiplied(by: 1 / base)
    ).over(width)
    let isSpread = !(width.to ?? 0).isNumber || !width.rate.isNumber || isRandom
    lose(
      isExact && !isRandom ? .restated : .approximated, isSpread ? .randomEndSize : .sizeCurve,
      at: place,
      "the start size is multiplied by a curve",
      recipe: isRandom ? "the range of the start, and the curve of the means" : nil)
    encodeController("Size", factor, .sizeCurve, at: place)
  }

  private static var sizes: Interval { Interval(0, .infinity) }

  /// The width of a frame of the texture in units, or 32 pixels if unknown.
  private mutating func pixels() -> Double {
    let known = shownSize.width
    lose(
      known == nil ? .assumed : .restated, .absoluteSize, at: "size",
      known == nil ? "an image of 32 pixels is assumed" : "sizes are lengths, not scales",
      recipe: "scale × pixels", level: known == nil ? .medium : nil)
    let columns = Double(max(sprite?.grid?.columns ?? 1, 1))
    return (known.map { $0 / columns } ?? 32) * texel
  }

  mutating func encodeStretch() {
    guard let stretch = emitter.size.stretch else { return set("stretchFactor", 0) }
    set("stretchFactor", stretch.factor.mean)
    if !stretch.factor.isNumber {
      lose(
        .approximated, .stretch, at: "size.stretch.factor", "stretchFactor cannot be random",
        recipe: "the mean")
    }
    if stretch.factor == 0 { lose(.dead, .stretch, at: "size.stretch", "a factor of 0") }
    if stretch.axis != .velocity {
      lose(.lost, .stretch, at: "size.stretch.axis", "stretching is always along the motion")
    }
  }

  /// SceneKit always shows the whole image, centred on the particle.
  mutating func encodeSprite() {
    guard let sprite else { return }
    loseDetails(
      of: sprite, hasRegions: false,
      filter: (.approximated, "only linear filtering and frames in rows are supported"),
      scale: "sizes are lengths, independent of the image")
    if let name = surroundings.imageName {
      set("particleImage", .dictionary([.init("path", .string(name))]))
    }
  }

  mutating func encodeGrid() {
    set("imageSequenceColumnCount", integer: sprite?.grid?.columns ?? 1)
    set("imageSequenceRowCount", integer: sprite?.grid?.rows ?? 1)
  }

  mutating func encodeFlipbook() {
    let flipbook = emitter.flipbook ?? Flipbook()
    let frames = (sprite?.grid?.columns ?? 1) * (sprite?.grid?.rows ?? 1)
    let start = firstFrame(of: flipbook, frames: Double(frames))
    set("imageSequenceInitialFrame", start, .flipbook, at: "flipbook.start")
    var fps: Value = 0
    switch flipbook.fps {
    case .fixed(let value): fps = value
    case .life:
      fps = .constant(lifetime > 0 ? (Double(frames) / lifetime).rounded : 0)
      lose(
        .approximated, .flipbook, at: "flipbook.fps", "only a frame rate is supported",
        recipe: "frames / mean lifetime")
    }
    set("imageSequenceFrameRate", fps, .flipbook, at: "flipbook.fps")
    set("imageSequenceAnimationMode", flipbook.mode, of: SceneKitFamily.frameModes)
    let isStill = frames == 1 && fps == 0 && start == 0 && flipbook.mode == .loop
    if !explainStill(frames: frames, isStill: isStill), flipbook.crossfade != (fps != 0) {
      lose(
        fps == 0 ? .dead : .approximated, .flipbook, at: "flipbook.crossfade",
        "cross-fading is assumed")
    }
  }
}

// Colours: a start colour with variation, or a controller.

extension KeyedEmitter<SceneKitFamily> {
  func decodeColor(of emitter: inout Emitter) throws(Failure) {
    let color = try color("particleColor") ?? .white
    emitter.color.base = ColorTrack(
      jitter.map { .varied(.init(color, jitter: $0)) } ?? .constant(color))
  }

  private func color(_ key: String) throws(Failure) -> Color? {
    switch object.value(key) {
    case nil: return nil
    case .scalar(.data)?: return try object.archive(key)?.color()
    default: return try object.object(key)?.color()
    }
  }

  /// Full widths. The hue is documented in turns, but Xcode writes degrees.
  private var jitter: ColorJitter? {
    guard let widths = object.floats("particleColorVariation", count: 4)?.map({ $0.magnitude }),
      widths.contains(where: { $0 != 0 })
    else { return nil }
    let hue = widths[0] > 1 ? widths[0] : widths[0] * 360
    return ColorJitter(
      hue: (hue / 2).rounded, saturation: (widths[1] / 2).rounded,
      brightness: (widths[2] / 2).rounded, alpha: (widths[3] / 2).rounded)
  }
}

extension EmitterWriter<SceneKitFamily> {
  mutating func encodeColor() {
    let base = mixed(emitter.color.base)
    var jitter: ColorJitter?
    var start = Color.white
    if base == ColorTrack(base.from) {
      (start, jitter) = encodeStart(base.from)
    } else {
      encodeGradient(base)
    }
    set("particleColor", .data(KeyedArchiver.encode(.sRGBColor(start))))
    set(
      "particleColorVariation",
      floats: jitter.map { [$0.hue, $0.saturation, $0.brightness, $0.alpha].map { 2 * $0 } } ?? [
        0, 0, 0, 0,
      ])
    if let jitter, jitter.hue > 0, 2 * jitter.hue <= 1 {
      lose(
        .clamped, .randomHueSaturationBrightness, at: "color.base",
        "a hue of up to one degree is read as turns",
        level: .low)
    }
    if emitter.color.opacity != 1 {
      encodeController("Opacity", emitter.color.opacity, .opacityCurve, at: "color.opacity")
    }
  }

  mutating func encodeIntensity() {
    let (track, place) = (emitter.color.intensity, "color.intensity")
    let intensity = start(of: track, .gradient, at: place, "the intensity is constant")
    set("particleIntensity", intensity, .gradient, at: place)
  }

  private mutating func encodeStart(_ value: ColorValue) -> (Color, ColorJitter?) {
    switch value {
    case .constant(let color): return (checked(color), nil)
    case .varied(let varied):
      if varied.jitter == nil {
        lose(
          .restated, .randomHueSaturationBrightness, at: "color.base",
          "a random colour with one possible value is written as a constant")
      }
      return (checked(varied.color), varied.jitter)
    case .range, .gradient, .choice:
      var capability = Capability.randomColor
      if case .gradient = value { capability = .startGradient }
      lose(
        .approximated, capability, at: "color.base",
        "only variation in hue, saturation and brightness is supported", recipe: "the mean colour",
        level: .medium)
      return (checked(value.mean), nil)
    }
  }

  private mutating func encodeGradient(_ base: ColorTrack) {
    let (gradient, isExact) = base.gradient(lifetime: lifetime)
    let isSpread = !base.from.isColor || !(base.to ?? .white).isColor
    if !isExact || base != ColorTrack(gradient: gradient) {
      lose(
        isExact ? .restated : .approximated, isSpread ? .randomEndColor : .gradient,
        at: "color.base",
        "a controller has one colour for each time of life",
        recipe: isExact ? nil : isSpread ? "the means" : "colours sampled over life")
    }
    let colors = gradient.keys.map { Archivable.sRGBColor(checked($0.color)) }
    addController(
      "Color", gradient.keys.map { $0.time }, colors, gradient.interpolation, over: Track(),
      .gradient,
      at: "color.base")
  }

  /// The colour with the mix applied: SceneKit always multiplies images with the colour.
  private mutating func mixed(_ base: ColorTrack) -> ColorTrack {
    let mix = emitter.color.mix
    guard mix != 1 else { return base }
    let share = mix.mean(lifetime: lifetime)
    lose(
      mix.isPlainValue && mix.from.isNumber ? .restated : .approximated, .mix, at: "color.mix",
      also: ["color.base"], "the colour is always multiplied with the image",
      recipe: "colours blended towards white")
    func mixed(_ color: Color) -> Color {
      let mixed = Color.white.mixed(with: color, share)
      return Color(mixed.red, mixed.green, mixed.blue, color.alpha)
    }
    if base == ColorTrack(base.from), case .constant(let color) = base.from {
      return ColorTrack(.constant(mixed(color)))
    }
    return ColorTrack(gradient: base.gradient(lifetime: lifetime).gradient.mapped(mixed))
  }

  private mutating func checked(_ color: Color) -> Color {
    clamped(color, to: Interval(0, .infinity), "components are not below 0")
  }
}
