internal import ParticlesCore

/// Lends a part of a root to a function that reads or changes it in place: `{ $1(&$0.rate) }`.
package typealias Accessor<Root, Part> =
  @Sendable (_ root: inout Root, _ use: (inout Part) -> Void) -> Void

/// A row of the table of an object: a key, the storage of its value, and its description.
///
/// Defaults and descriptions are made when a row is used. Making them for a whole table takes longer than reading a
/// document, which uses only a few rows. Rows that only read are lent roots, too: callers make one copy for all rows.
/// The type of roots has no constraint here, since the runtime would search all conformances for each type with a
/// table.
package struct Property<Root>: Sendable {
  let reading: PropertyReading
  /// Writing, soundness, comparison, mending and the entry in the catalogue.
  let aspects: PropertyAspects<Root>

  var key: String { reading.key }
}

/// The part of a row for reading and checks. It does not depend on the types of root and value. So all tables share the
/// code that reads and checks objects, and all rows with values of one type share the code that reads and checks the
/// values. Otherwise the module for pages would contain it several hundred times.
struct PropertyReading: Sendable {
  let key: String
  let isRequired: Bool
  /// The range, or nil if unrestricted or not numeric.
  let bounds: Bounds?
  /// Lends the value in the root at an address.
  let access: @Sendable (_ root: UnsafeMutableRawPointer, (UnsafeMutableRawPointer) -> Void) -> Void
  /// Reads a value into the root at an address.
  let read:
    @Sendable (JSONValue, JSONPath, _ row: PropertyReading, _ root: UnsafeMutableRawPointer)
      throws(Diagnostic) -> Void
  /// Appends the faults of the value at an address.
  private let check: Check

  typealias Check =
    @Sendable (_ value: UnsafeMutableRawPointer, Bounds?, JSONPath, inout [Diagnostic]) -> Void

  init<Root, Value>(
    _ key: String, isRequired: Bool, _ bounds: Bounds?, _ access: @escaping Accessor<Root, Value>,
    _ read:
      @escaping @Sendable (
        JSONValue, JSONPath, _ row: PropertyReading, _ root: UnsafeMutableRawPointer
      ) throws(Diagnostic) -> Void, _ check: @escaping Check
  ) {
    (self.key, self.isRequired, self.bounds) = (key, isRequired, bounds)
    (self.read, self.check) = (read, check)
    self.access = { root, use in
      access(&root.assumingMemoryBound(to: Root.self).pointee) { value in
        withUnsafeMutablePointer(to: &value) { use(UnsafeMutableRawPointer($0)) }
      }
    }
  }

  func store<Value>(_ value: Value, in root: UnsafeMutableRawPointer) {
    access(root) { $0.assumingMemoryBound(to: Value.self).pointee = value }
  }

  /// Appends the faults of the value in the root at an address.
  func check(
    _ root: UnsafeMutableRawPointer, at path: JSONPath, into diagnostics: inout [Diagnostic]
  ) {
    access(root) { check($0, bounds, path, &diagnostics) }
  }
}

/// Readers and checks of values of a type, for any root.
private enum Reader<Value: JSONConvertible> {
  @inline(never)
  static func read(
    _ json: JSONValue, _ path: JSONPath, _ row: PropertyReading, _ root: UnsafeMutableRawPointer
  ) throws(Diagnostic) {
    row.store(try Value(json: json, at: path), in: root)
  }

  @inline(never)
  static func readOptional(
    _ json: JSONValue, _ path: JSONPath, _ row: PropertyReading, _ root: UnsafeMutableRawPointer
  ) throws(Diagnostic) {
    row.store(json == .null ? nil : try Value(json: json, at: path) as Value?, in: root)
  }

  @inline(never)
  static func check(
    _ value: UnsafeMutableRawPointer, _ bounds: Bounds?, _ path: JSONPath,
    _ diagnostics: inout [Diagnostic]
  ) {
    value.assumingMemoryBound(to: Value.self).pointee.check(bounds, at: path, into: &diagnostics)
  }

  @inline(never)
  static func checkOptional(
    _ value: UnsafeMutableRawPointer, _ bounds: Bounds?, _ path: JSONPath,
    _ diagnostics: inout [Diagnostic]
  ) {
    value.assumingMemoryBound(to: Value?.self).pointee?.check(bounds, at: path, into: &diagnostics)
  }
}

extension Property where Root: ModelObject {
  /// A property that may be missing. Its default is the value in `Root()`, so that it is stated
  /// once. Editors show `label`, or the words of the key.
  static func value<T: JSONConvertible>(
    _ key: String, _ access: @escaping Accessor<Root, T>, unit: String? = nil,
    in bounds: Bounds? = nil, schema: @escaping @Sendable @autoclosure () -> JSONSchema? = nil,
    label: String? = nil, _ summary: String
  ) -> Property {
    stated(key, access, unit, bounds, schema, label, summary, isRequired: false)
  }

  /// A required property. It is always written.
  static func required<T: JSONConvertible>(
    _ key: String, _ access: @escaping Accessor<Root, T>, unit: String? = nil,
    in bounds: Bounds? = nil, schema: @escaping @Sendable @autoclosure () -> JSONSchema? = nil,
    label: String? = nil, _ summary: String
  ) -> Property {
    stated(key, access, unit, bounds, schema, label, summary, isRequired: true)
  }

  private static func stated<T: JSONConvertible>(
    _ key: String, _ access: @escaping Accessor<Root, T>, _ unit: String?, _ bounds: Bounds?,
    _ schema: @escaping @Sendable () -> JSONSchema?, _ label: String?, _ summary: String,
    isRequired: Bool
  ) -> Property {
    Property(
      reading: PropertyReading(
        key, isRequired: isRequired, bounds, access, Reader<T>.read, Reader<T>.check),
      aspects: PropertyAspects(
        access, unit: unit, bounds: bounds, schema: schema, label: label, summary,
        isRequired: isRequired, key: key))
  }

  /// A property without a value by default. `null` is equivalent to leaving it out.
  static func optional<T: JSONConvertible>(
    _ key: String, _ access: @escaping Accessor<Root, T?>, unit: String? = nil,
    in bounds: Bounds? = nil, schema: @escaping @Sendable @autoclosure () -> JSONSchema? = nil,
    label: String? = nil, _ summary: String
  ) -> Property {
    Property(
      reading: PropertyReading(
        key, isRequired: false, bounds, access, Reader<T>.readOptional, Reader<T>.checkOptional),
      aspects: PropertyAspects(
        optional: access, unit: unit, bounds: bounds, schema: schema, label: label, summary,
        key: key))
  }
}
