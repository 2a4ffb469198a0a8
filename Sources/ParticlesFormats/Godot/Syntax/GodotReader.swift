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
  let place: GodotPlace

  var kind: GodotClass { node.kind }

  init(_ scene: GodotScene, _ node: GodotNode) {
    (self.scene, self.node) = (scene, node)
    place = GodotPlace(scene, node)
  }

  func value(_ key: String) -> GodotValue? {
    guard let path = kind.path(key), let (section, key) = scene.resolve(path, from: node) else {
      return nil
    }
    return scene.value(key, in: section)
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
}
