internal import ParticlesCore
internal import ParticlesModel

// What is stated and means nothing, because its kind does not ask for it.

extension ParticleSystem {
  /// The row of the matrix that an unused property would belong to: a parameter of another kind of
  /// shape or force, or the domain of a track that has no input to choose. nil if it is used.
  func unusedCapability(at path: String) -> Capability? {
    let steps = path.split(separator: ".")
    if steps.last == "domain" {
      let track = json.value(at: steps.dropLast().joined(separator: "."))?.object
      return track?["over"] == nil || track?["to"] == nil ? .sizeCurve : nil
    }
    guard steps.count >= 3, let index = Self.index(in: steps[0], of: "emitters"),
      emitters.indices.contains(index)
    else { return nil }
    let (emitter, key) = (emitters[index], String(steps[2].prefix { $0 != "[" }))
    if steps[1] == "shape" {
      let isUsed = emitter.shape.kind.parameters.contains(key)
      return !isUsed && ShapeKind.allParameters.contains(key) ? .shRect : nil
    }
    guard let place = Self.index(in: steps[1], of: "forces"), emitter.forces.indices.contains(place)
    else { return nil }
    let force = emitter.forces[place]
    let isUsed = force.parameters.contains(key)
    return !isUsed && ForceKind.allParameters.contains(key) ? force.kind.capability : nil
  }

  /// The 2 of `forces[2]`.
  private static func index(in step: Substring, of array: String) -> Int? {
    guard step.hasPrefix("\(array)["), step.hasSuffix("]") else { return nil }
    return Int(step.dropFirst(array.count + 1).dropLast())
  }
}

extension ShapeKind {
  /// The parameters of this kind, beside those that all kinds have.
  fileprivate var parameters: Set<String> {
    switch self {
    case .point: []
    case .line: ["length", "angle"]
    case .rect, .box: ["size"]
    case .ellipse: ["radii", "inner", "arc"]
    case .polyline: ["points", "closed"]
    case .points: ["positions", "normals", "colors"]
    case .sphere, .hemisphere: ["radius", "inner", "arc"]
    case .cone: ["radius", "height", "angle", "inner", "arc"]
    case .cylinder, .capsule, .tube: ["radius", "height", "inner", "arc"]
    case .torus: ["radius", "pipe", "arc"]
    case .mesh: ["mesh"]
    }
  }

  fileprivate static let allParameters = allCases.reduce(into: Set<String>()) {
    $0.formUnion($1.parameters)
  }
}

extension ForceKind {
  fileprivate static let allParameters: Set<String> = [
    "vector", "strength", "center", "axis", "maxDistance", "falloff", "law", "limit", "direction",
    "scale", "speed", "octaves", "target", "field",
  ]
}

extension Force {
  /// The parameters of this kind, beside those that all kinds have.
  fileprivate var parameters: Set<String> {
    switch kind {
    case .gravity: ["vector"]
    case .linear: ["strength"]
    case .radial: ["strength", "center", "maxDistance", "falloff"]
    case .tangential, .vortex: ["strength", "center", "maxDistance", "falloff", "axis"]
    case .drag where law == .limit: ["strength", "law", "direction", "limit"]
    case .drag: ["strength", "law", "direction"]
    case .noise: ["strength", "scale", "speed", "octaves", "target"]
    case .field: ["strength", "field"]
    }
  }
}
