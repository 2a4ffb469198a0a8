internal import ParticlesCore
internal import ParticlesModel

// What is stated and means nothing, because its kind does not ask for it.

extension ParticleSystem {
  /// The row of the matrix that an unused property would belong to: a parameter of another kind of
  /// shape or force, or the domain of a track that has no input to choose. nil if it is used.
  /// - Parameter values: what this effect states.
  func unusedCapability(at path: String, of values: inout StatedValues) -> Capability? {
    let steps = path.split(separator: ".")
    if steps.last == "domain" {
      let track = values.value(at: steps.dropLast().joined(separator: "."))?.object
      return track?["over"] == nil || track?["to"] == nil ? .sizeCurve : nil
    }
    guard steps.count >= 3, let index = Self.index(in: steps[0], of: "emitters"),
      emitters.indices.contains(index)
    else { return nil }
    let (emitter, key) = (emitters[index], String(steps[2].prefix { $0 != "[" }))
    if steps[1] == "shape" { return emitter.shape.ignores(key) ? .shRect : nil }
    guard let place = Self.index(in: steps[1], of: "forces"), emitter.forces.indices.contains(place)
    else { return nil }
    let force = emitter.forces[place]
    return force.ignores(key) ? force.kind.capability : nil
  }

  /// The 2 of `forces[2]`.
  private static func index(in step: Substring, of array: String) -> Int? {
    guard step.hasPrefix("\(array)["), step.hasSuffix("]") else { return nil }
    return Int(step.dropFirst(array.count + 1).dropLast())
  }
}
