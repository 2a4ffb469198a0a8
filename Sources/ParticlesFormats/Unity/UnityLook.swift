internal import ParticlesCore
internal import ParticlesModel

// Modules that change the look of particles, and the renderer.

extension UnityFormat {
  // MARK: Colours

  static func decodeColor(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("ColorModule") else { return }
    switch UnityColor(module["gradient"]) {
    case .constant(let color): emitter.color.base.gradient = Gradient([GradientKey(0, color)])
    case .gradient(let gradient), .random(let gradient): emitter.color.base.gradient = gradient
    case .between(let least, let most):
      let middle = zip(least.components, most.components).map { ($0 + $1) / 2 }
      emitter.color.base.gradient = Gradient([GradientKey(0, Color(middle))])
      module.note(.approximated, "gradient", "a random factor of the colour becomes its mean")
    case .gradients(let least, let most):
      let times = Set((least.keys + most.keys).map { $0.time }).sorted()
      emitter.color.base.gradient = Gradient(
        times.map { time in
          let (a, b) = (least.color(at: time), most.color(at: time))
          return GradientKey(
            time, Color(zip(a.components, b.components).map { (($0 + $1) / 2).rounded }))
        })
      module.note(.approximated, "gradient", "a random gradient between two becomes their mean")
    }
    module.passAll()
  }

  /// Applies the colours by speed for the mean speed at the start.
  static func decodeColorBySpeed(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("ColorBySpeedModule") else { return }
    defer { module.passAll() }
    let range = module["range"]
    let (low, high) = (range?.number("x") ?? 0, range?.number("y", 1) ?? 1)
    let speed = emitter.launch.speed.mean.magnitude
    let share = Interval.unit.clamp(high > low ? (speed - low) / (high - low) : 1)
    let factor: Color
    switch UnityColor(module["gradient"]) {
    case .constant(let color): factor = color
    case .gradient(let gradient), .random(let gradient), .gradients(_, let gradient):
      factor = gradient.color(at: share)
      module.note(.approximated, "colours by speed follow the initial speed")
    case .between(let least, let most):
      factor = .mean([least, most])
      module.note(.approximated, "gradient", "a random factor of the colour becomes its mean")
    }
    let whole = Color(factor.components.map { $0.rounded })
    emitter.color.base.from = emitter.color.base.from.multiplied(by: whole)
  }

  // MARK: Sizes

  static func decodeSize(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("SizeModule") else { return }
    defer { module.passAll() }
    let height = emitter.size.height ?? (module.flag("separateAxes") ? emitter.size.width : nil)
    emitter.size.width = factor(UnityNumber(module["curve"], 1), of: emitter.size.width, module)
    guard let height else { return }
    let key = module.flag("separateAxes") ? "y" : "curve"
    emitter.size.height = factor(UnityNumber(module[key], 1), of: height, module)
  }

  /// A start times a factor over life.
  private static func factor(_ number: UnityNumber, of start: Track, _ module: SourceNode) -> Track
  {
    let factor = number.track
    if factor.isPlainValue {
      if !factor.from.isNumber {
        module.note(.approximated, "curve", "a random factor of the size is its mean")
      }
      return Track(start.from.scaled(by: factor.from.mean))
    }
    if start.from.isNumber {
      var track = factor.scaled(by: start.from.mean)
      if track.curve.keys.contains(where: { $0.value < 0 }) { track.range = Interval(0, 1e9) }
      return track
    }
    guard factor.from == 0, !factor.relative, let end = factor.to else {
      module.note(.approximated, "curve", "a random factor of the size is its mean")
      return Track(from: 0, to: start.from.scaled(by: factor.to?.mean ?? 1), curve: factor.curve)
    }
    if !end.isNumber {
      module.note(.approximated, "curve", "a random factor of the size is its mean")
    }
    return Track(from: 0, to: start.from.scaled(by: end.mean), curve: factor.curve)
  }

  static func decodeSizeBySpeed(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("SizeBySpeedModule") else { return }
    defer { module.passAll() }
    guard emitter.size.width.isPlainValue else {
      return module.note(
        .uninterpreted, "sizes that follow life and speed. Sizes over life are kept")
    }
    var width = factor(UnityNumber(module["curve"], 1), of: emitter.size.width, module)
    bySpeed(&width, module)
    emitter.size.width = width
    if let height = emitter.size.height {
      var height = factor(
        UnityNumber(module[module.flag("separateAxes") ? "y" : "curve"], 1), of: height, module)
      bySpeed(&height, module)
      emitter.size.height = height
    }
  }

  private static func bySpeed(_ track: inout Track, _ module: SourceNode) {
    guard !track.isPlainValue else { return }
    let range = module["range"]
    let (low, high) = (range?.number("x") ?? 0, range?.number("y", 1) ?? 1)
    (track.over, track.domain) = (.speed, Interval(low, high == low ? low + 1e-3 : high))
  }

  // MARK: Rotations

  static func decodeRotation(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("RotationModule") else { return }
    emitter.rotation.velocity = UnityNumber(module["curve"], times: -degrees).track
    reportAxes(module)
  }

  static func decodeRotationBySpeed(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("RotationBySpeedModule") else { return }
    if emitter.rotation.velocity != 0 {
      module.note(
        .uninterpreted, "rotations that follow life and speed. Rotations over life are kept")
      return module.passAll()
    }
    var velocity = UnityNumber(module["curve"], times: -degrees).track
    bySpeed(&velocity, module)
    emitter.rotation.velocity = velocity
    reportAxes(module)
  }

  private static func reportAxes(_ module: SourceNode) {
    if module.flag("separateAxes"),
      ["x", "y"].contains(where: { !UnityNumber(module[$0]).isAlways(0) })
    {
      module.note(.uninterpreted, "separateAxes", "rotations about x and y")
    }
    module.passAll()
  }

  // MARK: Frames and trails

  static func decodeFrames(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("UVModule") else { return }
    defer { module.passAll() }
    if module.number("mode") == 1 { return }
    let sheet = UnitySheet(module)
    let count = Double(sheet.isRow ? sheet.columns : sheet.columns * sheet.rows)
    var flipbook = Flipbook()
    flipbook.start = UnityNumber(module["startFrame"]).value.scaled(by: count).notNegative
    let frames = UnityNumber(module["frameOverTime"], 0.9999)
    let cycles = max(module.number("cycles", 1), 1)
    switch Int(saturating: module.number("timeMode")) {
    case 2: flipbook.fps = .fixed(.constant(module.number("fps", 30, atLeast: 0)))
    case 1: module.note(.uninterpreted, "timeMode", "frames that follow the speed of a particle")
    default:
      switch frames.form {
      case .constant(let share):
        let first = (share * count).rounded(.down)
        if first != 0 { flipbook.start = flipbook.start.mapped { $0 + first } }
      case .between(let low, let high):
        // A frame is chosen at the start, and stays.
        flipbook.start = .range((low * count).rounded, (high * count).rounded).notNegative
      case .curve(let curve, let factor):
        decodeFrameCurve(curve, factor, cycles, count, &flipbook, emitter, module)
      case .curves(_, let curve, let factor):
        decodeFrameCurve(curve, factor, cycles, count, &flipbook, emitter, module)
        module.note(.approximated, "frameOverTime", "of two curves, the upper one is followed")
      }
    }
    emitter.flipbook = flipbook
  }

  private static func decodeFrameCurve(
    _ curve: Curve, _ factor: Double, _ cycles: Double, _ count: Double, _ flipbook: inout Flipbook,
    _ emitter: Emitter, _ module: SourceNode
  ) {
    let (first, last) = (curve.value(at: 0) * factor, curve.value(at: 1) * factor)
    let isWhole = first < 0.01 && last > 0.98
    let isLine = (0...8).allSatisfy {
      let x = Double($0) / 8
      return (curve.value(at: x) * factor - (first + (last - first) * x)).magnitude < 0.02
    }
    if !isLine { module.note(.approximated, "frameOverTime", "frames follow each other evenly") }
    if isWhole, cycles == 1 {
      flipbook.fps = .life
    } else {
      let life = emitter.lifetime.mean
      let perLife = (last - first).magnitude * cycles * count
      flipbook.fps = .fixed(.constant(life > 0 ? (perLife / life).rounded : 0))
      if first > 0, flipbook.start == 0 {
        flipbook.start = .constant((first * count).rounded(.down))
      }
      if !emitter.lifetime.isNumber {
        module.note(.approximated, "cycles", "frames a second follow from the mean lifetime")
      }
    }
  }

  static func decodeTrail(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("TrailModule") else { return }
    defer { module.passAll() }
    guard module.number("mode") == 0 else {
      let count = Int(saturating: module.number("ribbonCount", 1))
      return module.note(
        .uninterpreted, "mode", "ribbons between particles",
        found: count == 1 ? "a ribbon" : "\(count) ribbons")
    }
    var trail = Trail()
    let share = UnityNumber(module["lifetime"], 1)
    trail.length = max(share.mean * emitter.lifetime.mean, 0).rounded
    if case .constant = share.form, emitter.lifetime.isNumber {
    } else {
      module.note(.approximated, "lifetime", "all trails are as long as the mean of theirs")
    }
    let width = UnityNumber(module["widthOverTrail"], 1)
    switch width.form {
    case .curve(let curve, let factor): trail.width = curve.multiplied(by: factor)
    default: trail.width = .constant(max(width.mean, 0).rounded)
    }
    switch UnityColor(module["colorOverTrail"]) {
    case .constant(.white): break
    case .constant(let color): trail.color = Gradient([GradientKey(0, color)])
    case .gradient(let gradient), .gradients(_, let gradient), .random(let gradient):
      trail.color = gradient
    case .between(_, let color): trail.color = Gradient([GradientKey(0, color)])
    }
    if UnityColor(module["colorOverLifetime"]) != .constant(.white) {
      module.note(
        .uninterpreted, "colorOverLifetime", "colours of trails over the life of their particle")
    }
    if module.number("ratio", 1) < 1 {
      module.note(.approximated, "ratio", "all particles have a trail")
    }
    emitter.render.trail = trail
  }

  // MARK: Renderer

  /// The modes of drawing by their numbers (`ParticleSystemRenderMode`), or nil for none.
  private static let modes: [Billboard?] = [.screen, .velocity, .horizontal, .vertical, .mesh, nil]

  static func decodeRenderer(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let renderer = reader.renderer else { return }
    let mode = Int(saturating: renderer.number("m_RenderMode"))
    let billboard = modes.indices.contains(mode) ? modes[mode] : .screen
    emitter.render.billboard = billboard ?? .screen
    if !renderer.flag("m_Enabled", true) || billboard == nil {
      (emitter.color.opacity, emitter.render.blend) = (0, Emitter.Blend(.alpha))
    }
    if mode == 1 { decodeStretch(renderer, &emitter) }
    if mode == 4 {
      renderer.note(
        .uninterpreted, "m_Mesh", "particles that are meshes are drawn as pictures",
        found: reader.nameOfMesh(UnityReference(node: renderer["m_Mesh"])))
    }
    if mode == 0 {
      switch Int(saturating: renderer.number("m_RenderAlignment")) {
      case 1, 2: emitter.render.billboard = .free
      case 3: emitter.render.billboard = .view
      case 4: emitter.render.billboard = .velocity
      default: break
      }
    }
    let sorts: [SortMode] = [.none, .distance, .youngestFirst, .oldestFirst, .depth]
    let sort = Int(saturating: renderer.number("m_SortMode"))
    emitter.render.sort = sorts.indices.contains(sort) ? sorts[sort] : .none
    emitter.render.order = Int(saturating: renderer.number("m_SortingOrder"))
    let flip = vector(renderer["m_Flip"])
    if flip.x != 0 || flip.y != 0 {
      renderer.note(.uninterpreted, "m_Flip", "pictures that are mirrored at random")
    }
    if vector(renderer["m_Pivot"]) != .zero {
      renderer.note(.uninterpreted, "m_Pivot", "pictures that are turned about another point")
    }
    renderer.passAll()
  }

  private static func decodeStretch(_ renderer: SourceNode, _ emitter: inout Emitter) {
    emitter.size.stretch = Stretch()
    emitter.size.stretch?.factor = .constant(renderer.number("m_VelocityScale").magnitude)
    let length = renderer.number("m_LengthScale", 2).magnitude
    if length != 1, emitter.size.height == nil {
      // Stretched particles have their width along their velocity.
      emitter.size.height = emitter.size.width
      emitter.size.width = emitter.size.width.scaled(by: length)
    }
    if renderer.number("m_CameraVelocityScale") != 0 {
      renderer.note(
        .uninterpreted, "m_CameraVelocityScale", "stretching by the motion of the camera")
    }
  }
}

/// The grid of a sheet of frames.
struct UnitySheet {
  var columns = 1
  var rows = 1
  /// Whether a particle shows the frames of one row only.
  var isRow = false
  /// The row, or nil for a random row.
  var row: Int?

  init(_ module: SourceNode) {
    func count(_ key: String) -> Int {
      min(Int(saturating: module.number(key, 1, atLeast: 1)), 4096)
    }
    (columns, rows) = (count("tilesX"), count("tilesY"))
    isRow = module.number("animationType") == 1
    let isRandom = module["rowMode"].map { $0.number == 1 } ?? module.flag("randomRow", true)
    row = isRandom ? nil : min(Int(saturating: module.number("rowIndex", 0, atLeast: 0)), rows - 1)
  }
}
