internal import ParticlesCore

extension EffectEditor {
  /// The properties that hold indices into each top-level array; brackets mean every element.
  private static let references: [String: [[String]]] = [
    "images": [["sprites", "[]", "image"]],
    "sprites": [["emitters", "[]", "sprites", "[]"]],
    "meshes": [["emitters", "[]", "shape", "mesh"]],
    "emitters": [["emitters", "[]", "triggers", "[]", "emitter"], ["roots", "[]"]],
  ]

  /// Decrements the references to elements after one that is about to be removed.
  /// - Throws: ``ParticlesCore/Rule/usage`` if a property refers to the element itself.
  mutating func adjustReferences(to array: [JSONText.Step], removing index: Int) throws {
    guard array.count == 1, case .key(let name) = array[0] else { return }
    let places = (Self.references[name] ?? []).flatMap { matches(of: $0[...], at: []) }
    for steps in places where !steps.starts(with: array + [.index(index)]) {
      guard let old = text.value(at: steps)?.int, old >= index else { continue }
      let key = Place(steps: steps).key
      guard old > index else {
        throw Diagnostic(
          .usage, "'\(name)[\(index)]' is used by '\(key)'", hint: "change '\(key)' first")
      }
      _ = try text.set(.int(old - 1), at: steps)
      changes.append(Change(key: key, old: .int(old), new: .int(old - 1)))
    }
  }

  /// Returns the paths in the document that match a pattern.
  private func matches(
    of pattern: ArraySlice<String>, at steps: [JSONText.Step]
  ) -> [[JSONText.Step]] {
    guard let first = pattern.first else { return text.value(at: steps) == nil ? [] : [steps] }
    let rest = pattern.dropFirst()
    guard first == "[]" else { return matches(of: rest, at: steps + [.key(first)]) }
    let elements = text.value(at: steps)?.array ?? []
    return elements.indices.flatMap { matches(of: rest, at: steps + [.index($0)]) }
  }
}
