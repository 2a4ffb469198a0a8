internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesModel

/// A change of the list of emitters: triggers and roots refer to the same emitters afterwards.
///
///     try EmitterOperation.duplicate([0]).apply(to: &package)
public enum EmitterOperation: Sendable {
  /// Adds emitters, as in `document.json`, before an index, or at the end for nil.
  case add([JSONValue], at: Int?)
  /// Copies emitters behind themselves.
  case duplicate([Int])
  /// Removes emitters.
  case remove([Int])
  /// Moves an emitter to an index.
  case move(Int, to: Int)
  /// Renames an emitter.
  case rename(Int, String)
  /// Adds the emitters of another effect, with their images and sprites. Images with equal contents are used together.
  case merge(EffectPackage)

  /// Reads an operation: an object with `op`, and `values` and `at`, `indices`, `index` and `to`, or `index` and `name`.
  /// - Throws: ``ParticlesCore/Rule/usage`` for JSON that is no operation, and for `merge`, which needs the other effect.
  public init(_ json: JSONValue?) throws {
    guard let object = json?.object, let name = object["op"]?.string else {
      throw Diagnostic(.usage, "the body", expected: "an operation with 'op'")
    }
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.usage, "the operation '\(name)'", expected: expected)
    }
    let indices =
      object["indices"]?.array?.compactMap(\.int) ?? object["index"]?.int.map { [$0] } ?? []
    switch name {
    case "add", "paste":
      let values = object["values"]?.array ?? object["value"].map { [$0] } ?? [[:]]
      guard !values.isEmpty, values.allSatisfy({ $0.object != nil }) else {
        throw fault("emitters, objects, as values")
      }
      self = .add(values, at: object["at"]?.int)
    case "duplicate", "remove":
      guard !indices.isEmpty else { throw fault("an index, or indices") }
      self = name == "remove" ? .remove(indices) : .duplicate(indices)
    case "move":
      guard let index = indices.first, let to = object["to"]?.int else { throw fault("index, to") }
      self = .move(index, to: to)
    case "rename":
      guard let index = indices.first, let text = object["name"]?.string else {
        throw fault("index, name")
      }
      self = .rename(index, text)
    default:
      throw Diagnostic(
        .usage, "the operation", expected: "add, paste, duplicate, remove, move, rename or merge",
        found: "'\(name.excerpt)'")
    }
  }

  /// Makes the change.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an index that no emitter has, and for the removal of an emitter that a
  ///   trigger of another one refers to; errors of reading the effects; the first error that the effect would have
  ///   afterwards and did not have before. Nothing has changed then.
  public func apply(to package: inout EffectPackage) throws {
    var new = package
    try make(in: &new)
    package = new
  }

  private func make(in package: inout EffectPackage) throws {
    if case .merge(let other) = self { return try package.merge(other) }
    if case .rename(let index, let name) = self {
      return try package.editValid { editor in
        try editor.set("emitters[\(index)].name", to: JSONValue.string(name).line)
      }
    }
    var system = try package.system()
    let order = try order(of: system.emitters.count)
    if case .add(let values, let place) = self {
      try package.editValid { editor in
        for value in values { try editor.set("emitters[+]", to: value.line) }
      }
      guard let place else { return }
      system = try package.system()
      let count = system.emitters.count
      let new = Array((count - values.count)..<count)
      var order = Array(0..<(count - values.count))
      order.insert(contentsOf: new, at: min(max(0, place), order.count))
      return try package.arrange(order)
    }
    try package.arrange(order)
  }

  /// The indices of the emitters as they will be.
  private func order(of count: Int) throws -> [Int] {
    func check(_ index: Int) throws {
      guard (0..<count).contains(index) else {
        throw Diagnostic(
          .usage, "the index of an emitter", expected: "0 to \(count - 1)", found: "\(index)")
      }
    }
    var order = Array(0..<count)
    switch self {
    case .add, .rename, .merge: break
    case .duplicate(let indices):
      try indices.forEach(check)
      order = order.flatMap { indices.contains($0) ? [$0, $0] : [$0] }
    case .remove(let indices):
      try indices.forEach(check)
      order.removeAll { indices.contains($0) }
    case .move(let index, let to):
      try check(index)
      order.remove(at: index)
      order.insert(index, at: min(max(0, to), order.count))
    }
    return order
  }
}

extension EffectPackage {
  /// Arranges the emitters: those of `order`, by their present indices; one that is in it twice is copied. What refers
  /// to emitters refers to them where they are then.
  /// - Throws: ``ParticlesCore/Rule/usage`` if a trigger refers to an emitter that is left out.
  fileprivate mutating func arrange(_ order: [Int]) throws {
    var system = try system()
    var places: [Int: Int] = [:]
    for (place, index) in order.enumerated() where places[index] == nil { places[index] = place }
    var names = Set(system.emitters.map(\.name))
    var emitters = order.map { system.emitters[$0] }
    for (place, index) in order.enumerated() {
      for trigger in emitters[place].triggers.indices {
        let target = emitters[place].triggers[trigger].emitter
        // One that refers to no emitter is reported by `validate`, and stays.
        guard system.emitters.indices.contains(target) else { continue }
        guard let new = places[target] else {
          throw Diagnostic(
            .usage, "'\(system.emitters[target].name)' is emitted by a trigger",
            found: "emitters[\(index)].triggers[\(trigger)]", hint: "remove the trigger first")
        }
        emitters[place].triggers[trigger].emitter = new
      }
      // A copy has a name of its own.
      guard places[index] != place else { continue }
      let name = emitters[place].name
      var number = 2
      while !names.insert("\(name) \(number)").inserted { number += 1 }
      emitters[place].name = "\(name) \(number)"
    }
    system.roots = system.roots?.compactMap { places[$0] }
    system.emitters = emitters
    try setSystem(system)
  }
}
