// In place of the files about writing, soundness, comparison, mending and the catalogue, in the module for web pages:
// there, tables read and check only.

package import ParticlesCore

package protocol JSONDescribed {}

extension Array: JSONDescribed where Element: JSONConvertible {}

struct PropertyAspects<Root>: Sendable {
  var typeName: String { "a value" }

  init<T: JSONConvertible>(
    _ access: @escaping Accessor<Root, T>, unit: String?, bounds: Bounds?,
    schema: () -> JSONSchema?, label: String?,
    _ summary: String, isRequired: Bool, key: String
  ) {}

  init<T: JSONConvertible>(
    optional access: @escaping Accessor<Root, T?>, unit: String?, bounds: Bounds?,
    schema: () -> JSONSchema?, label: String?, _ summary: String, key: String
  ) {}
}

extension ModelObject {
  package var json: JSONValue { .null }

  var objectJSON: JSONValue { .null }
}

// In place of how laws are known.

extension ParticleSystem.EngineLaw {
  struct Grounds: Sendable {
    init(
      _ engine: String, _ evidence: Evidence, _ source: String,
      _ exceptions: @autoclosure () -> [Exception]
    ) {}
  }

  struct Exception: Sendable {
    init(_ evidence: Evidence, _ source: String, _ names: String...) {}
  }
}
