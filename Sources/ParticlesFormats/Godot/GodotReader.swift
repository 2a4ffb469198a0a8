internal import ParticlesCore
internal import ParticlesModel

/// The properties of one particle node, as rows read them: those of the node itself, of its process
/// material and of what it draws.
///
/// Every accessor returns nil where a property is absent; for a value of another type it returns nil too
/// and reports ``Rule/emitterValue``.
struct GodotReader: KeyReader {
  let scene: GodotScene
  let node: GodotNode
  let place: GodotPlace

  var kind: GodotClass { node.kind }

  init(_ scene: GodotScene, _ node: GodotNode) {
    self.scene = scene
    self.node = node
    var place = GodotPlace(node.kind)
    place.above = node.above
    if node.kind.isSpace, let section = node.section,
      scene.value("material_override", in: section) != nil
    {
      place.look = "material_override"
    }
    if let mesh = scene.resolve("\(place.mesh)/size", from: node)?.section {
      place.readMesh(scene, mesh)
    }
    if let section = node.section,
      node.kind == GodotClass(.four, isGPU: true, isSpace: node.kind.isSpace),
      let share = scene.value("amount_ratio", in: section)?.number, 0.0001...1 ~= share
    {
      place.share = share
    }
    self.place = place
  }

  /// The value at a path from the node.
  func value(at path: String?) -> GodotValue? {
    guard let path, let (section, key) = scene.resolve(path, from: node) else { return nil }
    return scene.value(key, in: section)
  }

  /// A property of the node or its process material.
  func value(_ key: String) -> GodotValue? { value(at: kind.path(key)) }

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
        .emitterValue, at: .key(place(of: key)), expected: expected, found: found.excerpt))
  }

  func number(at path: String?) -> Double? {
    guard let path, let value = value(at: path), value != .null else { return nil }
    guard let number = value.number, number.magnitude < 1e15 else {
      mismatch(path, "a number", value)
      return nil
    }
    return number.tidy
  }

  func number(_ key: String) -> Double? { number(at: kind.path(key)) }

  func number(_ key: String, _ standard: Double, atLeast least: Double? = nil) -> Double {
    max(number(key) ?? standard, least ?? -.infinity)
  }

  func flag(at path: String?, _ standard: Bool = false) -> Bool {
    guard let path, let value = value(at: path) else { return standard }
    guard case .flag(let flag) = value else {
      mismatch(path, "true or false", value)
      return standard
    }
    return flag
  }

  func flag(_ key: String, _ standard: Bool = false) -> Bool { flag(at: kind.path(key), standard) }

  /// Numbers of a vector, a rectangle or a colour.
  func numbers(at path: String?, _ count: ClosedRange<Int>) -> [Double]? {
    guard let path, let value = value(at: path) else { return nil }
    guard let numbers = value.components, count.contains(numbers.count) else {
      mismatch(path, "\(count.lowerBound) numbers", value)
      return nil
    }
    return numbers.map(\.tidy)
  }

  /// A vector of two or three numbers, in the axes of the document.
  func vector(_ key: String) -> Vector? {
    numbers(at: kind.path(key), 2...3).map {
      Vector($0[0], ($0[1] * kind.y + 0), $0.count > 2 ? $0[2] : 0)
    }
  }

  /// The list of numbers of a packed array or a list.
  func list(at path: String) throws -> [Double]? {
    guard let value = value(at: path) else { return nil }
    let elements: [GodotValue]
    switch value {
    case .array(let values), .call(_, let values): elements = values
    default:
      mismatch(path, "numbers", value)
      return nil
    }
    try scene.spend(elements.count, at: place(of: path))
    guard let numbers = elements.numbers else {
      mismatch(path, "numbers", value)
      return nil
    }
    return numbers.map(\.tidy)
  }

  func choice<Choice>(_ key: String, _ choices: [Choice], _ standard: Choice) -> Choice {
    guard let number = number(key) else { return standard }
    guard let index = Int(exactly: number), choices.indices.contains(index) else {
      mismatch(kind.path(key) ?? key, "0 to \(choices.count - 1)", .real(number))
      return standard
    }
    return choices[index]
  }

  // MARK: Ranges

  /// A number that is randomised for each particle, in the units of the file.
  /// - Parameter law: how Godot 3 randomises it.
  func range(_ key: String, _ standard: Double = 0, _ law: GodotRandom = .down) -> Value {
    if kind.generation == .three {
      let value = number(key, standard)
      return law.range(value, random: number("\(key)_random", 0))
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
  func track(_ key: String, _ standard: Double = 0, _ law: GodotRandom = .down) throws -> Track {
    guard let curve = try curve("\(key)_curve") else { return Track(range(key, standard, law)) }
    guard kind.generation == .three, law != .towardsOne else {
      return Track(from: 0, to: range(key, standard, law), curve: curve)
    }
    var sum = curve
    for index in sum.keys.indices { sum.keys[index].value += number(key, standard) }
    let random = law.range(1, random: number("\(key)_random", 0))
    return Track(from: 0, to: random, curve: sum)
  }
}

/// How Godot 3 randomises a number v by a ratio r with a random number u.
enum GodotRandom {
  /// v · lerp(1, u, r): from (1 − r) · v to v.
  case down
  /// v · lerp(1, 2u − 1, r): from (1 − 2r) · v to v.
  case bothWays
  /// lerp(v, 1, u · r): from v to v + (1 − v) · r.
  case towardsOne

  func range(_ value: Double, random: Double) -> Value {
    let end: Double =
      switch self {
      case .down: value * (1 - random)
      case .bothWays: value * (1 - 2 * random)
      case .towardsOne: value + (1 - value) * random
      }
    return end == value
      ? .constant(value) : .range(min(value, end.rounded), max(value, end.rounded))
  }

  /// The number and the ratio of a range.
  func ratio(_ low: Double, _ high: Double) -> (value: Double, random: Double) {
    guard low != high else { return (low, 0) }
    if self == .towardsOne {
      let value = (low - 1).magnitude > (high - 1).magnitude ? low : high
      let end = value == low ? high : low
      return (value, ((end - value) / (1 - value)).rounded)
    }
    let value = low.magnitude > high.magnitude ? low : high
    let ratio = 1 - (value == low ? high : low) / value
    return (value, (self == .down ? ratio : ratio / 2).rounded)
  }
}

extension GodotPlace {
  /// Reads the size of the mesh, and what it is.
  fileprivate mutating func readMesh(_ scene: GodotScene, _ section: Int) {
    func number(_ key: String, _ standard: Double) -> Double {
      let number = scene.value(key, in: section)?.number ?? standard
      return 1e-6..<1e6 ~= number ? number : standard
    }
    let size = scene.value("size", in: section)?.components ?? []
    let type = scene.type(of: section)
    switch type {
    case "QuadMesh", "PlaneMesh": meshSize = Vector2(1, 1)
    case "SphereMesh", "CapsuleMesh", "CylinderMesh":
      let radius = number("radius", number("top_radius", 0.5))
      meshSize = Vector2(2 * radius, number("height", type == "SphereMesh" ? 1 : 2))
    default: meshSize = Vector2(1, 1)
    }
    if size.count >= 2, size.allSatisfy({ 1e-6..<1e6 ~= $0 }) {
      meshSize = Vector2(size[0], size[1])
    }
    if type != "QuadMesh" { body = type }
  }
}
