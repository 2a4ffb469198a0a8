internal import ParticlesCore
internal import ParticlesModel

/// The properties of one particle node, as rows read them: those of the node itself, of its process
/// material and of what it draws. Keys are names of properties, or paths from the node.
///
/// Every accessor returns nil where a property is absent; for a value of another type it returns nil too
/// and reports ``Rule/emitterValue``.
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

  /// The section with the path of the file that a property refers to; nil if it refers to none.
  private func external(_ key: String) -> Int? { kind.path(key).flatMap(external(at:)) }

  private func external(at path: String) -> Int? {
    scene.resolve(path, from: node).flatMap { scene.external($0.key, in: $0.section) }
  }

  /// The finding that the file that a property refers to cannot be read; nil if it can, or is no resource.
  func fault(_ key: String, _ what: String = "it") -> Diagnostic? {
    kind.path(key).flatMap { fault(at: $0, what) }
  }

  /// The same for a property by its path from the node.
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
    return numbers.map(\.tidy)
  }

  /// A vector of two or three numbers, in the axes of the document.
  func vector(_ key: String) -> Vector? {
    numbers(key, 2...3).map {
      Vector($0[0], ($0[1] * kind.y + 0), $0.count > 2 ? $0[2] : 0)
    }
  }

  /// The list of numbers of a packed array or a list.
  func list(_ key: String) throws -> [Double]? {
    guard let value = value(key) else { return nil }
    let elements = value.elements ?? [.null]
    try scene.spend(elements.count, at: place(of: key))
    guard let numbers = elements.numbers else {
      mismatch(key, "numbers", value)
      return nil
    }
    return numbers.map(\.tidy)
  }

  /// The choice of which a property states the index.
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
    return Set([node.section, process].compactMap(\.self)).sorted().flatMap { section in
      scene.keys(of: section).map { ($0, section) }
    }.filter { known.insert($0.key).inserted }
  }

  /// The points of a packed array, in the axes of the document.
  func points(_ key: String) throws -> [Vector] {
    let count = kind.isSpace ? 3 : 2
    let numbers = try list(key) ?? []
    return stride(from: 0, to: numbers.count - count + 1, by: count).map {
      Vector(numbers[$0], numbers[$0 + 1] * kind.y + 0, count == 3 ? numbers[$0 + 2] : 0)
    }
  }

  /// The path of the image in the file, and the region that is shown; nil without an image.
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
