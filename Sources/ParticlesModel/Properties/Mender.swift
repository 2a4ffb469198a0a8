public import ParticlesCore

/// Makes values sound, and lists what it has changed.
///
/// It walks through the tables of properties, as checks do, and takes the bounds of numbers from them. Values that checks
/// accept do not change, and a mended effect needs no second time.
package struct Mender: Sendable {
  /// The values that are mended.
  package enum Extent: Sendable {
    /// Numbers and their orders. A property whose number has no nearest allowed one gets its default.
    case numbers
    /// Also lists without elements, and values that lack another one. Such a property gets its default, and a list loses
    /// such an element.
    case all
  }

  /// A value that was changed.
  package struct Change: Sendable {
    /// The kinds of changes.
    package enum Kind: Sendable {
      /// The ends of a range, or the keys of a curve, are in ascending order now.
      case order
      /// A number is at the bound that it was beyond.
      case bound
      /// The same for a constant whose samples are clamped to the bound in any case.
      case sample
      /// There was no allowed value near.
      case replacement
    }

    package let kind: Kind
    /// The rule that was broken.
    package let rule: Rule
    /// Where: `emitters[0].shape.arc`.
    package let path: String
    /// The change in the past tense, such as "sorted the keys by time".
    package let action: String
    /// The number before and after the change; nil for other values.
    package let numbers: (old: Double, new: Double)?

    /// The change as a repair.
    package var repair: Repair { Repair(rule, at: .key(path), action) }
  }

  package let extent: Extent

  /// The changes, in the order of the tables.
  package private(set) var changes: [Change] = []

  /// Whether a value without an allowed one near it was found in the innermost property.
  private var isLost = false

  package init(_ extent: Extent) { self.extent = extent }

  /// Adds a change.
  mutating func note(
    _ kind: Change.Kind, _ rule: Rule, at path: JSONPath, _ action: String,
    _ numbers: (old: Double, new: Double)? = nil
  ) {
    changes.append(
      Change(kind: kind, rule: rule, path: path.description, action: action, numbers: numbers))
  }

  /// Gives up a number that has no allowed one near it: the property or element that holds it is replaced.
  mutating func loseNumber() { isLost = true }

  /// Gives up a value that lacks something. With ``Extent/numbers``, nothing happens: its author has to add it.
  mutating func loseIncomplete() { if extent == .all { isLost = true } }

  /// Mends a part.
  /// - Returns: whether it has to be replaced.
  mutating func loses(_ mend: (inout Mender) -> Void) -> Bool {
    let isOuterLost = isLost
    isLost = false
    mend(&self)
    defer { isLost = isOuterLost }
    return isLost
  }

  /// Replaces a value by the default of its property.
  mutating func replace<Value: JSONConvertible>(
    _ value: inout Value, by standard: Value, at path: JSONPath
  ) {
    value = standard
    note(.replacement, .range, at: path, "replaced a value that is not allowed by the default")
  }

  /// Moves a number to the nearest allowed one.
  mutating func move(
    _ number: inout Double, to bounds: Bounds, _ kind: Change.Kind = .bound, at path: JSONPath
  ) {
    guard !bounds.contains(number) else { return }
    guard let nearest = bounds.nearest(to: number) else { return loseNumber() }
    note(
      kind, .range, at: path, "limited \(number.plain) to \(nearest.plain)", (number, nearest))
    number = nearest
  }
}

extension ParticleSystem {
  /// Repairs numbers: sorts the keys of curves and gradients by time, where keys at the same time stay in their order;
  /// exchanges the ends of ranges whose first one is greater; moves numbers that are out of range to the nearest allowed
  /// one, or, where there is none, resets the property to its default.
  /// - Returns: the repairs; empty if none was needed.
  public mutating func mend() -> [Diagnostic.Repair] {
    var mender = Mender(.numbers)
    mend(nil, at: .root, by: &mender)
    mendRegions(by: &mender)
    return mender.changes.map { $0.repair }
  }

  /// Makes every value sound: afterwards, ``diagnostics()`` finds no error of order or range. A sound effect costs
  /// one look at the values that differ from their defaults.
  /// - Returns: the changes; empty if none was needed.
  package mutating func settle() -> [Mender.Change] {
    guard !isSound else { return [] }
    var mender = Mender(.all)
    mend(nil, at: .root, by: &mender)
    mendRegions(by: &mender)
    return mender.changes
  }
}
