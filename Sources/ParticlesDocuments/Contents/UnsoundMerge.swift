internal import ParticlesCore
internal import ParticlesModel

/// The values of a merged document that are allowed on both sides, and not together: one side has changed the smaller
/// end of a range, for example, and the other side the greater one. Such a value is taken from our side, and is a clash.
struct UnsoundMerge {
  private let ours: JSONValue
  /// The messages of what is not allowed on either side.
  private let known: Set<String>

  /// The keys of the values that were taken from our side.
  private(set) var clashes: [String] = []

  /// - Parameters:
  ///   - ours: our document.
  ///   - theirs: the other document.
  init(ours: JSONValue, theirs: JSONValue) {
    self.ours = ours
    known = Set((Self.faults(of: ours) + Self.faults(of: theirs)).map(\.message))
  }

  /// Returns the merged document with an allowed value in each place.
  mutating func settled(_ merged: JSONValue) -> JSONValue {
    var merged = merged
    for _ in 0..<Self.most {
      guard let fault = faults(of: merged).first, let next = replacing(fault, in: merged) else {
        break
      }
      merged = next
    }
    return merged
  }

  /// Each one needs the document to be checked several times.
  private static let most = 100

  /// Takes the innermost value from our side that makes a fault go away.
  /// - Returns: nil if there is none.
  private mutating func replacing(_ fault: Diagnostic, in merged: JSONValue) -> JSONValue? {
    guard case .key(let key)? = fault.location.position,
      let steps = try? key.isEmpty ? [] : TypedKey(key).steps
    else { return nil }
    for count in (0...steps.count).reversed() {
      let place = steps[..<count]
      let (own, path) = counterpart(of: place, in: merged)
      guard let next = merged.replacing(place, by: own),
        !faults(of: next).contains(where: { $0.location == fault.location })
      else { continue }
      clashes.append(path.isEmpty ? "the document" : path)
      return next
    }
    return nil
  }

  /// Our value at a place of the merged document, where emitters and sprites may have another order, and the key of the place.
  private func counterpart(
    of steps: ArraySlice<TypedKey.Step>, in merged: JSONValue
  ) -> (value: JSONValue?, key: String) {
    var (mine, other, key): (JSONValue?, JSONValue?, String) = (ours, merged, "")
    for step in steps {
      switch step {
      case .index(let index):
        let (own, all) = (mine?.array ?? [], other?.array ?? [])
        other = all.indices.contains(index) ? all[index] : nil
        let name = other?.object?["name"]
        let named = name.flatMap { name in own.first { $0.object?["name"] == name } }
        mine = named ?? (own.count == all.count && own.indices.contains(index) ? own[index] : nil)
        key += "[\(index)]"
      case .key(let name), .name(let name):
        (mine, other) = (mine?.object?[name], other?.object?[name])
        key += (key.isEmpty ? "" : ".") + name
      case .end, .all: return (nil, key)
      }
    }
    return (mine, key)
  }

  private func faults(of document: JSONValue) -> [Diagnostic] {
    Self.faults(of: document).filter { !known.contains($0.message) }
  }

  /// Values of a wrong type, out of range or out of order.
  private static func faults(of document: JSONValue) -> [Diagnostic] {
    do throws(Diagnostic) {
      return try ParticleSystem(json: document).diagnostics().filter {
        $0.severity == .error && ($0.rule == .range || $0.rule == .keys)
      }
    } catch {
      return error.rule == .type ? [error] : []
    }
  }
}

extension JSONValue {
  /// This value with another one at a place in it, or without a member; nil if there is no such place, or if an element
  /// would have to be removed.
  fileprivate func replacing(_ steps: ArraySlice<TypedKey.Step>, by new: JSONValue?) -> JSONValue? {
    guard let step = steps.first else { return new }
    let rest = steps.dropFirst()
    switch (self, step) {
    case (.object(var object), .key(let key)), (.object(var object), .name(let key)):
      guard !rest.isEmpty else {
        object[key] = new
        return .object(object)
      }
      guard let inner = object[key]?.replacing(rest, by: new) else { return nil }
      object[key] = inner
      return .object(object)
    case (.array(var elements), .index(let index)) where elements.indices.contains(index):
      guard let inner = elements[index].replacing(rest, by: new) else { return nil }
      elements[index] = inner
      return .array(elements)
    default: return nil
    }
  }
}
