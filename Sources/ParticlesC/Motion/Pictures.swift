public import CParticlesInterface
internal import ParticlesCore
internal import ParticlesEffects
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender

// The functions of `particles.h` that draw effects.

/// See `particles_plan_init` in `particles.h`.
@_cdecl("particles_plan_init")
public func initializePlan(_ out: UnsafeMutablePointer<particles_plan>?, _ size: Int) -> CInt {
  callPlainly { () throws(Failure) in
    let out = try required(out, "plan")
    var plan = particles_plan()
    plan.size = size
    try check(size, of: particles_plan.self, "plan")
    (plan.width, plan.height, plan.samples) = (512, 512, 1)
    (plan.start, plan.duration, plan.pause) = (-1, -1, -1)
    (plan.frames_per_second, plan.scale) = (30, 1)
    out.pointee = plan
  }
}

extension EffectAnimation.Plan {
  /// The plan of an argument. 0 selects the default.
  init(_ argument: UnsafePointer<particles_plan>?) throws(Failure) {
    self.init()
    guard let plan = try optional(argument, "plan") else { return }
    (width, height) = (Int(plan.width), Int(plan.height))
    guard width > 0, height > 0 else {
      throw Diagnostic.argument(
        "plan", expected: "a width and a height of 1 or more", found: "\(width) x \(height)")
    }
    guard (0...4).contains(plan.samples) else {
      throw Diagnostic.argument("samples", expected: "1 to 4", found: "\(plan.samples)")
    }
    samples = max(1, Int(plan.samples))
    start = try Self.seconds(plan.start, "start")
    duration = try Self.seconds(plan.duration, "duration")
    pause = try Self.seconds(plan.pause, "pause")
    guard (0.002...1000).contains(plan.frames_per_second) else {
      throw Diagnostic.argument(
        "frames_per_second", expected: "0.002 to 1000", found: "\(plan.frames_per_second)")
    }
    framesPerSecond = plan.frames_per_second
    guard plan.scale > 0, plan.scale.isFinite else {
      throw Diagnostic.argument("scale", expected: "more than 0", found: "\(plan.scale)")
    }
    scale = plan.scale
    switch Int(plan.loop) {
    case PARTICLES_LOOP_AUTOMATIC: loop = nil
    case PARTICLES_FOREVER: loop = .forever
    case PARTICLES_ONCE: loop = .once
    case PARTICLES_SEAMLESS: loop = .seamless
    default: throw Diagnostic.argument("loop", expected: "0 to 3", found: "\(plan.loop)")
    }
    switch Int(plan.background) {
    case PARTICLES_BACKGROUND_AUTOMATIC: background = .automatic
    case PARTICLES_TRANSPARENT: background = .transparent
    case PARTICLES_COLOR:
      let (red, green, blue, alpha) = plan.color
      background = .color(
        ParticleSystem.Color(
          Double(red) / 255, Double(green) / 255, Double(blue) / 255, Double(alpha) / 255))
    default:
      throw Diagnostic.argument("background", expected: "0 to 2", found: "\(plan.background)")
    }
    if plan.has_seed != 0 { seed = plan.seed }
    profile = try engine(plan.engine)
    for (option, text) in [(PictureOption.camera, plan.camera), (.move, plan.move)] {
      guard let text = try optionalText(text, option.name) else { continue }
      try option.set(text, in: &self, or: .misuse)
    }
  }

  /// A time of a plan in seconds. Nil for a negative value, which means automatic.
  private static func seconds(_ value: Double, _ name: String) throws(Failure) -> Double? {
    guard value.isFinite, value <= 1e6 else {
      throw Diagnostic.argument(name, expected: "at most 1000000 seconds", found: "\(value)")
    }
    return value < 0 ? nil : value
  }
}

/// Copies a picture to the memory of a caller.
func copy(_ bitmap: Bitmap, to rgba: UnsafeMutablePointer<UInt8>, _ stride: Int) {
  let row = bitmap.width * 4
  bitmap.pixels.withUnsafeBytes { pixels in
    guard let start = pixels.baseAddress else { return }
    for y in 0..<bitmap.height {
      UnsafeMutableRawPointer(rgba + y * stride).copyMemory(
        from: start + y * row, byteCount: row)
    }
  }
}

/// Checks the memory for a picture.
func target(
  _ rgba: UnsafeMutablePointer<UInt8>?, _ stride: Int, width: Int
) throws(Failure) -> UnsafeMutablePointer<UInt8> {
  let rgba = try required(rgba, "rgba")
  // The greatest stride times the greatest height is an address. In pages, numbers have 32 bits.
  let (row, most) = (Int64(width) * 4, Int64(1) << 31)
  guard stride >= row, stride <= most else {
    throw Diagnostic.argument("stride", expected: "\(row) to \(most) bytes", found: "\(stride)")
  }
  return rgba
}

/// Draws a picture of a plan into the memory of a caller.
func drawing<Kind: HandleKind>(
  _ pointer: OpaquePointer?, _ kind: Kind.Type, _ plan: UnsafePointer<particles_plan>?,
  _ rgba: UnsafeMutablePointer<UInt8>?, _ stride: Int,
  _ draw: (Kind, EffectAnimation.Plan, (Bitmap) throws(Failure) -> Void) throws(Failure) -> Void
) -> CInt {
  call(pointer, kind) { handle throws(Failure) in
    let plan = try EffectAnimation.Plan(plan)
    let rgba = try target(rgba, stride, width: plan.width)
    try handle.cancellable { () throws(Failure) in
      // A closure that throws nothing is called wrongly in pages.
      try draw(handle, plan) { bitmap throws(Failure) in copy(bitmap, to: rgba, stride) }
    }
  }
}

/// See `particles_effect_thumbnail` in `particles.h`.
@_cdecl("particles_effect_thumbnail")
public func drawThumbnail(
  _ pointer: OpaquePointer?, _ size: CInt, _ rgba: UnsafeMutablePointer<UInt8>?, _ stride: Int
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    try EffectThumbnail.check(size: Int(size))
    let rgba = try target(rgba, stride, width: Int(size))
    let bitmap = try effect.cancellable { () throws(Failure) in
      try EffectThumbnail(effect.package, limits: effect.limits).bitmap(size: Int(size))
    }
    copy(bitmap, to: rgba, stride)
  }
}

/// See `particles_effect_draw` in `particles.h`.
@_cdecl("particles_effect_draw")
public func drawPicture(
  _ pointer: OpaquePointer?, _ plan: UnsafePointer<particles_plan>?,
  _ rgba: UnsafeMutablePointer<UInt8>?, _ stride: Int
) -> CInt {
  drawing(pointer, EffectHandle.self, plan, rgba, stride) { effect, plan, take throws(Failure) in
    try EffectAnimation(effect.package, plan: plan, isStill: true, limits: effect.limits).draw(take)
  }
}

/// See `particles_effect_animate` in `particles.h`.
@_cdecl("particles_effect_animate")
public func drawFrames(
  _ pointer: OpaquePointer?, _ plan: UnsafePointer<particles_plan>?,
  _ frame: particles_frame_fn?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    let frame = try required(frame, "frame")
    let plan = try EffectAnimation.Plan(plan)
    try effect.cancellable { () throws(Failure) in
      let animation = try EffectAnimation(effect.package, plan: plan, limits: effect.limits)
      let timing = animation.timing
      var index = 0
      try animation.draw { bitmap throws(Failure) in
        let result = bitmap.pixels.withUnsafeBufferPointer {
          frame(
            context, Int64(index), Int64(timing.count), $0.baseAddress, timing.duration(of: index))
        }
        guard result == 0 else { throw callbackFailure("frame", result) }
        index += 1
      }
    }
  }
}

/// See `particles_effect_render` in `particles.h`.
@_cdecl("particles_effect_render")
public func renderEffect(
  _ pointer: OpaquePointer?, _ plan: UnsafePointer<particles_plan>?,
  _ format: UnsafePointer<CChar>?, _ write: particles_write_fn?,
  _ progress: particles_progress_fn?, _ context: UnsafeMutableRawPointer?,
  _ problems: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    let writer = try CallbackWriter(write, context)
    let name = try text(format, "format")
    guard let format = AnimationFormat.all.first(where: { $0.fileExtensions.contains(name) })
    else {
      let known = AnimationFormat.all.flatMap { $0.fileExtensions }.joined(separator: ", ")
      throw Diagnostic(.unknownFormat, expected: "one of \(known)", found: "'\(name)'")
    }
    let isStill = try optional(plan, "plan")?.still ?? 0 != 0 || !format.isAnimated
    let plan = try EffectAnimation.Plan(plan)
    let progress = CallbackProgress(progress, context, for: effect)
    let found = try effect.cancellable { () throws(Failure) in
      let animation = try EffectAnimation(
        effect.package, plan: plan, isStill: isStill, limits: effect.limits)
      var options = AnimationWriter.Options()
      options.limits = effect.limits
      options.plays = animation.loop == .once ? 1 : 0
      try animation.write(format, options) { count throws(Failure) in
        progress.report(count, animation.timing.count)
        try effect.checkCancellation()
      } to: { bytes throws(Failure) in
        try writer.write(bytes)
      }
      return animation.problems
    }
    if problems != nil { try give(.array(found.map { $0.json }), problems) }
  }
}

/// See `particles_effect_statistics_json` in `particles.h`.
@_cdecl("particles_effect_statistics_json")
public func effectStatistics(
  _ pointer: OpaquePointer?, _ frames: CInt, _ seeds: CInt, _ firstSeed: UInt64,
  _ engineName: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    let out = try required(out, "json")
    var plan = ParticleStatistics.Plan()
    let (frames, seeds) = (try number(frames, "frames"), try number(seeds, "seeds"))
    if frames > 0 { plan.frames = frames }
    if seeds > 0 { plan.seeds = seeds }
    try effect.limits.check(plan.frames, { $0.frames }, "frames of statistics")
    try effect.limits.check(plan.seeds, { _ in 4096 }, "runs of statistics")
    (plan.firstSeed, plan.limits) = (firstSeed, effect.limits)
    plan.capacity = effect.limits.particles
    let system = try effect.system
    let profile = try engine(engineName) ?? system.asset.profile
    let statistics = try effect.cancellable { () throws(Failure) in
      try ParticleStatistics(of: system, profile: profile, plan: plan)
    }
    let origin = ParticleStatistics.Origin(
      file: system.asset.name ?? "effect", version: libraryVersion.description,
      unit: system.asset.unit)
    try give(statistics.json(origin, plan: plan, profile: profile), out)
  }
}
