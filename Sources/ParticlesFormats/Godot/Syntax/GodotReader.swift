internal import ParticlesCore
internal import ParticlesModel

/// The properties of one particle node, as rows read them: properties of the node itself, of its process
/// material and of the mesh or image that it draws. Keys are names of properties, or paths from the node.
///
/// Every accessor returns nil where a property is absent. For a value of another type it returns
/// nil too and reports ``Rule/emitterValue``.
struct GodotReader: KeyReader {
  let scene: GodotScene
  let node: GodotNode
  private(set) var place: GodotPlace

  var kind: GodotClass { node.kind }

  init(_ scene: GodotScene, _ node: GodotNode) {
    (self.scene, self.node) = (scene, node)
    place = GodotPlace(scene, node)
    if kind.isGPU, kind.generation == .four { place.isRadial = isRadial }
  }

  func value(_ key: String) -> GodotValue? {
    guard let path = kind.path(key), let (section, key) = scene.resolve(path, from: node) else {
      return nil
    }
    return scene.value(key, in: section)
  }

  /// The section with the path of the file that a property refers to. Nil if it refers to none.
  private func external(_ key: String) -> Int? { kind.path(key).flatMap(external(at:)) }

  private func external(at path: String) -> Int? {
    scene.resolve(path, from: node).flatMap { scene.external($0.key, in: $0.section) }
  }

  /// The finding that the file of a property cannot be read. Nil if it can be read, or is no resource.
  func fault(_ key: String, _ what: String = "it") -> Diagnostic? {
    kind.path(key).flatMap { fault(at: $0, what) }
  }

  /// As above, for a property by its path from the node.
  func fault(at path: String, _ what: String) -> Diagnostic? {
    guard let external = external(at: path), let file = scene.path(of: external),
      GodotFile.isResource(file), case .failure(let fault) = scene.load(external)
    else { return nil }
    return Diagnostic(
      .uninterpreted, at: .key(place(of: path)),
      "\(what) is in another file, which \(fault.reason)",
      found: file, hint: fault.hint)
  }

  func note(
    _ rule: Rule, _ key: String, _ detail: String, found: String? = nil, severity: Severity? = nil
  ) {
    scene.report(
      Diagnostic(
        rule, at: .key(place(of: key)), detail, found: found, severity: severity))
  }

  /// A key with the name of the node.
  func place(of key: String) -> String { node.name.isEmpty ? key : "\(node.name.excerpt).\(key)" }

  private func mismatch(_ key: String, _ expected: String, _ found: GodotValue) {
    scene.report(
      Diagnostic(
        .emitterValue, at: .key(place(of: kind.path(key) ?? key)), expected: expected,
        found: found.excerpt))
  }

  func number(_ key: String) -> Double? {
    guard let value = value(key), value != .null else { return nil }
    guard let number = value.number, number.magnitude < 1e15 else {
      mismatch(key, "a number", value)
      return nil
    }
    return number.tidy
  }

  func number(_ key: String, _ standard: Double, atLeast least: Double? = nil) -> Double {
    max(number(key) ?? standard, least ?? -.infinity)
  }

  func flag(_ key: String, _ standard: Bool = false) -> Bool {
    guard let value = value(key) else { return standard }
    guard case .flag(let flag) = value else {
      mismatch(key, "true or false", value)
      return standard
    }
    return flag
  }

  /// Numbers of a vector, a rectangle or a colour.
  func numbers(_ key: String, _ count: ClosedRange<Int>) -> [Double]? {
    guard let value = value(key) else { return nil }
    guard let numbers = value.components, count.contains(numbers.count) else {
      mismatch(key, "\(count.lowerBound) numbers", value)
      return nil
    }
    return numbers.map { $0.tidy }
  }

  /// A vector of two or three numbers, in the axes of the document.
  func vector(_ key: String) -> Vector? {
    numbers(key, 2...3).map {
      Vector($0[0], ($0[1] * kind.y + 0), $0.count > 2 ? $0[2] : 0)
    }
  }

  /// The list of numbers of a packed array or a list.
  func list(_ key: String) throws(Failure) -> [Double]? {
    guard let value = value(key) else { return nil }
    let elements = value.elements ?? [.null]
    try scene.spend(elements.count, at: place(of: key))
    guard let numbers = elements.numbers else {
      mismatch(key, "numbers", value)
      return nil
    }
    return numbers.map { $0.tidy }
  }

  /// The choice at the index that a property states.
  func choice<Choice>(_ key: String, _ choices: [Choice]) -> Choice? {
    guard let number = number(key) else { return nil }
    guard let index = Int(exactly: number), choices.indices.contains(index) else {
      mismatch(key, "0 to \(choices.count - 1)", .real(number))
      return nil
    }
    return choices[index]
  }

  /// The names of the properties of the node and of its process material, with their sections.
  var properties: [(key: String, section: Int)] {
    let process = scene.resolve("process_material/gravity", from: node)?.section
    var known: Set<String> = []
    return Set([node.section, process].compactMap { $0 }).sorted().flatMap { section in
      scene.keys(of: section).map { ($0, section) }
    }.filter { known.insert($0.key).inserted }
  }

  /// The points of a packed array, in the axes of the document.
  func points(_ key: String) throws(Failure) -> [Vector] {
    let count = kind.isSpace ? 3 : 2
    let numbers = try list(key) ?? []
    return stride(from: 0, to: numbers.count - count + 1, by: count).map {
      Vector(numbers[$0], numbers[$0 + 1] * kind.y + 0, count == 3 ? numbers[$0 + 2] : 0)
    }
  }

  /// The path of the image in the file, and the region that is shown. Nil without an image.
  var imagePath: (key: String, path: String, region: Rectangle?)? {
    let key = place.image
    func path(_ key: String) -> String? {
      guard let path = external(key).flatMap(scene.path), !GodotFile.isResource(path) else {
        return nil
      }
      return path
    }
    if let path = path(key) { return (key, path, nil) }
    guard let path = path("\(key)/atlas") else { return nil }
    let region = numbers("\(key)/region", 4...4).flatMap { numbers -> Rectangle? in
      guard numbers[0] >= 0, numbers[1] >= 0, numbers[2] > 0, numbers[3] > 0 else { return nil }
      return Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    return (key, path, region)
  }

  /// The grid of frames, if the image is animated.
  var grid: SpriteGrid? {
    let isAnimated =
      kind.isSpace
      ? number("\(place.look)/particles_anim_h_frames") != nil
      : flag("\(place.look)/particles_animation")
    func frames(_ key: String) -> Double? { number("\(place.look)/particles_anim_\(key)_frames") }
    return isAnimated ? SpriteGrid(columns: frames("h"), rows: frames("v")) : nil
  }
}

// Values of several properties: ranges, curves and gradients.

extension GodotReader {
  /// A number that is randomised for each particle, in the units of the file.
  func range(_ key: String, _ standard: Double = 0) -> Value {
    if kind.generation == .three {
      return GodotRandom(key).range(number(key, standard), random: number("\(key)_random", 0))
    }
    let (low, high) = (number("\(key)_min", standard), number("\(key)_max", standard))
    return low == high ? .constant(low) : .range(min(low, high), max(low, high))
  }

  func value(
    _ key: String, width: String?, _ standard: Double, scope: Scope, times factor: Double
  ) -> Value {
    range(key, standard).scaled(by: factor)
  }

  /// A randomised number along a curve over life. The curve is multiplied with the number in Godot 4. In
  /// Godot 3 it is added to it, except for sizes.
  func track(_ key: String, _ standard: Double = 0) throws(Failure) -> Track {
    guard var curve = try curve("\(key)_curve") else { return Track(range(key, standard)) }
    let law = GodotRandom(key)
    guard kind.generation == .three, law != .towardsOne else {
      return Track(from: 0, to: range(key, standard), curve: curve)
    }
    for index in curve.keys.indices { curve.keys[index].value += number(key, standard) }
    return Track(from: 0, to: law.range(1, random: number("\(key)_random", 0)), curve: curve)
  }

  /// Whether a property has a readable resource. Reports other resources and unreadable files.
  private func hasResource(_ key: String, _ path: String) -> Bool {
    guard let value = value(key), value != .null else { return false }
    if scene.resolve("\(path)/_data", from: node) != nil { return true }
    if let fault = fault(key) ?? fault(path) {
      scene.report(fault)
    } else {
      note(
        .uninterpreted, kind.path(key) ?? key, "only a resource of the usual type is read",
        found: value.excerpt)
    }
    return false
  }

  /// The curve of a property over relative age. Nil if it has none.
  func curve(_ key: String) throws(Failure) -> Curve? {
    guard let path = kind.curvePath(key), hasResource(key, path) else { return nil }
    guard case .array(let points)? = value("\(path)/_data") else { return .constant(0) }
    try scene.spend(points.count, at: place(of: path))
    let curve = Curve(godot: points)
    if curve == nil { note(.emitterValue, "\(path)/_data", "a point of a curve is damaged") }
    return curve
  }

  /// The gradient of a property. Nil if it has none.
  func gradient(_ key: String) throws(Failure) -> Gradient? {
    guard let path = kind.gradientPath(key), hasResource(key, path) else { return nil }
    let offsets = try list("\(path)/offsets") ?? [0, 1]
    let colors = try list("\(path)/colors") ?? [0, 0, 0, 1, 1, 1, 1, 1]
    if colors.count != 4 * offsets.count {
      note(
        .emitterValue, "\(path)/colors", "a gradient needs four numbers for each offset",
        found: "\(colors.count) for \(offsets.count)")
    }
    let keys = Gradient.keys(offsets, colors)
    guard !keys.isEmpty else { return nil }
    return Gradient(
      keys, choice("\(path)/interpolation_mode", GodotGeneration.modes) ?? .linear,
      space: choice("\(path)/interpolation_color_space", GodotGeneration.spaces) ?? .srgb)
  }
}

/// The position of a node: the combined transforms of its ancestors and its own, with y as in the
/// file. Also whether the node is drawn, and in which colour.
///
/// A node inherits from its parent only if both are of the plane, or both in space. A plain `Node` or a layer
/// between them ends the inheritance (Godot 4.3, `canvas_item.cpp`, `get_parent_item`, and `node_3d.cpp`).
struct GodotPosition: Equatable {
  var axes = AffineTransform()
  /// The place in the drawing order.
  var order = 0
  /// Whether the node and all its parents are visible.
  var isVisible = true
  /// The product of `modulate` of the node and its parents.
  var tint = Color.white
  /// This product with the `self_modulate` of the node, which its children do not inherit.
  var ownTint = Color.white

  /// The types whose children do not have their position.
  private static let breaks = ["Node", "CanvasLayer", "Viewport", "SubViewport", "Window"]

  init() {}

  /// The position of a node in its scene.
  init(above: GodotPosition, in scene: GodotScene, section: Int, type: String) {
    isVisible = scene.value("visible", in: section) != .flag(false)
    guard !Self.breaks.contains(type) else { return }
    isVisible = isVisible && above.isVisible
    let isFree = scene.value("top_level", in: section) == .flag(true)
    let above = isFree ? GodotPosition() : above
    let isSpace = type.hasSuffix("3D") || scene.value("transform", in: section) != nil
    let own = isSpace ? Self.space(scene, section) : Self.plane(scene, section)
    axes = above.axes.combined(with: own)
    order = above.order
    guard !isSpace else { return }
    func color(_ key: String) -> Color {
      let numbers = scene.value(key, in: section)?.components ?? []
      return numbers.count == 4 ? Color(numbers.map { $0.tidy }) : .white
    }
    tint = above.tint.multiplied(by: color("modulate"))
    ownTint = tint.multiplied(by: color("self_modulate"))
    guard let order = scene.value("z_index", in: section)?.number, order.isFinite else { return }
    let isRelative = scene.value("z_as_relative", in: section) != .flag(false)
    self.order = Int(
      saturating: min(max((isRelative ? Double(above.order) : 0) + order, -1e6), 1e6))
  }

  private static func space(_ scene: GodotScene, _ section: Int) -> AffineTransform {
    var own = AffineTransform()
    guard let numbers = scene.value("transform", in: section)?.components, numbers.count == 12
    else { return own }
    own.x = Vector(numbers[0], numbers[3], numbers[6])
    own.y = Vector(numbers[1], numbers[4], numbers[7])
    own.z = Vector(numbers[2], numbers[5], numbers[8])
    own.origin = Vector(numbers[9], numbers[10], numbers[11])
    return own
  }

  private static func plane(_ scene: GodotScene, _ section: Int) -> AffineTransform {
    func pair(_ key: String, _ standard: Double) -> (Double, Double) {
      let numbers = scene.value(key, in: section)?.components ?? []
      return numbers.count == 2 ? (numbers[0], numbers[1]) : (standard, standard)
    }
    var own = AffineTransform()
    let (scale, place) = (pair("scale", 1), pair("position", 0))
    let angle = scene.value("rotation", in: section)?.number ?? 0
    let skew = scene.value("skew", in: section)?.number ?? 0
    own.x = Vector(cosine(angle) * scale.0, sine(angle) * scale.0)
    own.y = Vector(-sine(angle + skew) * scale.1, cosine(angle + skew) * scale.1)
    own.origin = Vector(place.0, place.1)
    return own
  }
}

private func sine(_ angle: Double) -> Double { Angle.turned(1, 0, by: Angle.degrees(angle)).y }
private func cosine(_ angle: Double) -> Double { Angle.turned(1, 0, by: Angle.degrees(angle)).x }
