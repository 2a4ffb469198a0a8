package import ParticlesCore
internal import ParticlesModel

/// A change of one property, as an editor orders it.
package struct EffectChange: Sendable {
  /// The kinds of changes.
  package enum Operation: Sendable {
    /// It gets a value.
    case set(JSONValue)
    /// It gets its default, or an element is removed.
    case unset
    /// Its value changes by a factor or a summand: `*1.5`, `+10`, `-10`.
    case relative(String)
  }

  /// The key, such as `emitters[0].emission.rate`.
  package var key: String
  package var operation: Operation

  /// - Throws: ``ParticlesCore/Rule/usage`` for JSON that is no change.
  package init(_ json: JSONValue) throws {
    guard let object = json.object, let key = object["key"]?.string, !key.isEmpty else {
      throw Diagnostic(.usage, "a change", expected: "an object with a key", found: json.kind)
    }
    self.key = key
    if object["unset"]?.bool == true {
      operation = .unset
    } else if let text = object["relative"]?.string {
      guard let sign = text.first, "*+-".contains(sign), text.count > 1 else {
        throw Diagnostic(
          .usage, "'\(key)'", expected: "a change such as *1.5, +10 or -10", found: "'\(text)'")
      }
      operation = .relative(text)
    } else if let value = object["value"] {
      operation = .set(value)
    } else {
      throw Diagnostic(.usage, "the change of '\(key)'", expected: "value, relative or unset")
    }
  }

  /// Reads a list of changes.
  package static func list(_ json: JSONValue?) throws -> [EffectChange] {
    guard let array = json?.array else {
      throw Diagnostic(.usage, "the body", expected: "changes, an array")
    }
    return try array.map { try EffectChange($0) }
  }

  /// Makes the change.
  func apply(to editor: inout EffectEditor) throws {
    switch operation {
    case .set(let value): try editor.set(key, to: value.line)
    case .unset: try editor.unset(key)
    case .relative(let text):
      guard let sign = text.first else { return }
      try editor.apply("\(key)\(sign)=\(text.dropFirst())")
    }
  }
}

/// Checks values of one property without the document: a slider sends many.
package struct PropertyCheck: Sendable {
  private let property: PropertyInfo
  private let key: String

  /// Creates the check of a property; nil for a key that is none.
  package init?(_ key: String, in package: EffectPackage) {
    guard let editor = try? EffectEditor(package, limits: .untrusted),
      let property = try? editor.place(of: TypedKey(key)).property
    else { return nil }
    (self.property, self.key) = (property, key)
  }

  /// Throws if a value is not allowed.
  /// - Returns: whether that was found out: numbers, truth values and names need no document.
  /// - Throws: ``ParticlesCore/Rule/type`` and ``ParticlesCore/Rule/range``.
  package func check(_ value: JSONValue) throws -> Bool {
    try PropertyText(property: property).checkAlone(
      value, at: Location(entry: EffectPackage.documentPath, position: .key(key)))
  }
}

extension EffectPackage {
  /// Makes changes. An effect that could be read before can be read afterwards.
  /// - Throws: the fault of a change, with its key. Nothing has changed then.
  package mutating func make(_ changes: [EffectChange]) throws {
    try editValid { editor in for change in changes { try change.apply(to: &editor) } }
  }

  /// Edits the effect; refuses what would make it unreadable.
  package mutating func editValid(_ body: (inout EffectEditor) throws -> Void) throws {
    // Pictures come from anywhere.
    var editor = try EffectEditor(self, limits: .untrusted)
    try body(&editor)
    guard !editor.changes.isEmpty else { return }
    do {
      let faults = try Self.faults(editor.package.system())
      if !faults.isEmpty, let old = try? Self.faults(system()) {
        let known = Set(old.map(\.message))
        if let fault = faults.first(where: { !known.contains($0.message) }) { throw fault }
      }
    } catch {
      // One that is unreadable already is mended step by step.
      guard (try? system()) == nil else { throw error }
    }
    self = editor.package
  }

  /// The values of an effect that are not allowed.
  private static func faults(_ system: ParticleSystem) -> [Diagnostic] {
    system.diagnostics().filter { $0.severity == .error || $0.rule == .range }
  }
}
