package import ParticlesCore

/// The values that an effect states, by their paths. Each emitter is serialised once at most, and
/// the rest of the document too.
package struct StatedValues {
  private let system: ParticleSystem
  private var emitters: [Int: JSONValue] = [:]
  private lazy var rest: JSONValue = {
    var rest = system
    rest.emitters = []
    return rest.json
  }()

  package init(of system: ParticleSystem) { self.system = system }

  /// The value at a path such as `emitters[0].forces[1]`; nil if the document does not state it.
  package mutating func value(at path: String) -> JSONValue? {
    let steps = path.split { $0 == "." || $0 == "[" || $0 == "]" }
    guard let first = steps.first else { return system.json }
    guard first == "emitters" else { return rest.value(at: steps[...]) }
    guard steps.count > 1 else { return system.json.object?["emitters"] }
    guard let index = Int(steps[1]), system.emitters.indices.contains(index) else { return nil }
    return emitter(index).value(at: steps[2...])
  }

  private mutating func emitter(_ index: Int) -> JSONValue {
    if let known = emitters[index] { return known }
    let json = system.emitters[index].json
    emitters[index] = json
    return json
  }
}

extension JSONValue {
  fileprivate func value(at steps: ArraySlice<Substring>) -> JSONValue? {
    steps.reduce(self as JSONValue?) { value, step in
      if let index = Int(step), let array = value?.array {
        return array.indices.contains(index) ? array[index] : nil
      }
      return value?.object?[String(step)]
    }
  }
}
