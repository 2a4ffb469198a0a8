public import ParticlesCore

/// Makes values sound, and lists the changes.
///
/// It walks through the tables of properties, as checks do, and takes the bounds of numbers from them. Values that checks
/// accept do not change, and a mended effect needs no second time.
package struct Mender: Sendable {
  /// The values that are mended.
  package enum Extent: Sendable {
    /// Numbers and their orders. A property whose number has no nearest allowed one gets its default.
    case numbers
    /// Also lists without elements, and values that lack a required part. Such a property gets its default, and a list
    /// loses such an element.
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
      /// A constant is at its bound. Its samples are clamped to the bound in any case.
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
    /// The number before and after the change. Nil for other values.
    package let numbers: (old: Double, new: Double)?

    package var repair: Repair { Repair(rule, at: .key(path), action) }
  }

  package let extent: Extent

  /// The changes, in the order of the tables.
  package private(set) var changes: [Change] = []

  /// Whether a value without an allowed one near it was found in the innermost property.
  private var isLost = false

  package init(_ extent: Extent) { self.extent = extent }

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
  /// Repairs numbers. Sorts the keys of curves and gradients by time, where keys at one time stay in their order.
  /// Exchanges the ends of ranges whose first number is greater. Moves numbers that are out of range to the nearest
  /// allowed number. If there is none, resets the property to its default.
  /// - Returns: the repairs, or an empty array if none was needed.
  public mutating func mend() -> [Diagnostic.Repair] {
    var mender = Mender(.numbers)
    mend(nil, at: .root, by: &mender)
    mendRegions(by: &mender)
    return mender.changes.map { $0.repair }
  }

  /// Makes every value sound: afterwards, ``diagnostics()`` finds no error of order or range. A sound effect costs
  /// one look at the values that differ from their defaults.
  /// - Returns: the changes, or an empty array if none was needed.
  package mutating func settle() -> [Mender.Change] {
    guard !isSound else { return [] }
    var mender = Mender(.all)
    mend(nil, at: .root, by: &mender)
    mendRegions(by: &mender)
    return mender.changes
  }
}

// How values of each form are mended.

extension ModelObject {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mendObject(at: path, by: &mender)
  }

  /// Mends every property, and then the object as a whole.
  mutating func mendObject(at path: JSONPath, by mender: inout Mender) {
    for property in Self.properties {
      property.aspects.mend(&self, path.appending(property.key), &mender)
    }
    mendWhole(at: path, by: &mender)
  }
}

extension Double {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mender.move(&self, to: bounds ?? .any, at: path)
  }
}

extension Int {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    guard let bounds, !bounds.contains(Double(self)) else { return }
    var number = Double(self)
    mender.move(&number, to: bounds, at: path)
    self = Int(exactly: number) ?? self
  }
}

extension Array where Element: JSONConvertible {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    var lost: [Int] = []
    for index in indices {
      let place = path.appending(index)
      guard mender.loses({ self[index].mend(bounds, at: place, by: &$0) }) else { continue }
      lost.append(index)
      mender.note(.replacement, .range, at: place, "left out an element that is not allowed")
    }
    for index in lost.reversed() { remove(at: index) }
  }
}

extension ComponentValue {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mendComponents(bounds, at: path, by: &mender)
  }

  mutating func mendComponents(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    let count = mender.changes.count
    var components = self.components
    for index in components.indices {
      let place = path.appending(index)
      if mender.loses({ components[index].mend(bounds, at: place, by: &$0) }) {
        mender.loseNumber()
      }
    }
    if mender.changes.count > count { self = Self(components: components) }
  }
}

extension NamedAlternative {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    guard var value = stated else { return }
    value.mend(Self.bounds ?? bounds, at: path, by: &mender)
    self = Self(stating: value)
  }
}

extension Value {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    switch self {
    case .constant(var number):
      if number.isFinite, let bounds {
        // Samples are clamped. Where the bound itself is not allowed, the constant stays.
        guard bounds.contains(number) || bounds.nearest(to: number) != nil else { return }
        mender.move(&number, to: bounds, .sample, at: path)
      } else {
        mender.move(&number, to: bounds ?? .any, at: path)
      }
      self = .constant(number)
    case .uniform(var value):
      value.mend(nil, at: path, by: &mender)
      self = .uniform(value)
    case .choice(var value):
      value.mend(nil, at: path, by: &mender)
      self = .choice(value)
    case .ramp(var value):
      value.mend(nil, at: path, by: &mender)
      self = .ramp(value)
    }
  }
}

extension ColorValue {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    switch self {
    case .constant(var color):
      color.mend(bounds, at: path, by: &mender)
      self = .constant(color)
    case .varied(var value):
      value.mend(nil, at: path, by: &mender)
      self = .varied(value)
    case .range(var value):
      value.mend(nil, at: path, by: &mender)
      self = .range(value)
    case .gradient(var value):
      value.mend(nil, at: path, by: &mender)
      self = .gradient(value)
    case .choice(var value):
      value.mend(nil, at: path, by: &mender)
      self = .choice(value)
    }
  }
}

extension Track {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    if self == Track(from) {
      from.mend(bounds, at: path, by: &mender)
    } else {
      mendObject(at: path, by: &mender)
    }
  }
}

extension ColorTrack {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    if self == ColorTrack(from) {
      from.mend(bounds, at: path, by: &mender)
    } else {
      mendObject(at: path, by: &mender)
    }
  }
}

extension CurveKey {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    time.mend(nil, at: path.appending(0), by: &mender)
    value.mend(nil, at: path.appending(1), by: &mender)
    inSlope.leaveOut(at: path.appending(2), by: &mender)
    outSlope.leaveOut(at: path.appending(3), by: &mender)
  }
}

extension Double? {
  /// Leaves out a slope that is no number. Then the neighbours give one.
  fileprivate mutating func leaveOut(at path: JSONPath, by mender: inout Mender) {
    guard let number = self, !number.isFinite else { return }
    mender.note(.replacement, .range, at: path, "left out the slope \(number.plain)")
    self = nil
  }
}

extension GradientKey {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    time.mend(nil, at: path.appending(0), by: &mender)
    color.mend(nil, at: path.appending(1), by: &mender)
  }
}

extension ColorJitter {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mendComponents(.nonNegative, at: path, by: &mender)
  }
}

extension Interval {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mendComponents(bounds, at: path, by: &mender)
    guard lower > upper else { return }
    mender.note(.order, .range, at: path, "exchanged the ends of \(json.line)")
    (lower, upper) = (upper, lower)
  }
}

extension Rectangle {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mender.move(&x, to: .nonNegative, at: path.appending(0))
    mender.move(&y, to: .nonNegative, at: path.appending(1))
    mender.move(&width, to: .positive, at: path.appending(2))
    mender.move(&height, to: .positive, at: path.appending(3))
  }
}

extension Quaternion {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    let count = mender.changes.count
    mendComponents(bounds, at: path, by: &mender)
    guard mender.changes.count > count || !isUnit else { return }
    // Squares of the greatest numbers are infinite.
    let most = components.reduce(0) { max($0, $1.magnitude) }
    guard most > 0 else { return mender.loseNumber() }
    let parts = components.map { $0 / most }
    let length = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
    self = Quaternion(components: parts.map { $0 / length })
    mender.note(.bound, .range, at: path, "changed the length of the quaternion to 1")
  }
}

// Mending of what `checkWhole` checks: values that have to be in an order, or have to go together.

extension Value.Uniform {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard min > max else { return }
    mender.note(
      .order, .range, at: path.appending("max"), "exchanged min \(min.plain) and max \(max.plain)")
    (min, max) = (max, min)
  }
}

extension Value.Choice {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    mendWeights(&weights, of: numbers.count, at: path, by: &mender)
  }
}

extension ColorValue.Choice {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    mendWeights(&weights, of: colors.count, at: path, by: &mender)
  }
}

/// Makes weights equal that do not fit the elements of a choice.
private func mendWeights(
  _ weights: inout [Double], of count: Int, at path: JSONPath, by mender: inout Mender
) {
  guard count > 0 else { return mender.loseIncomplete() }
  guard !weights.isEmpty else { return }
  let isComplete = weights.count == count
  guard isComplete ? !weights.contains(where: { $0 > 0 }) : mender.extent == .all else { return }
  mender.note(
    .replacement, .range, at: path.appending("weights"), "made all elements equally likely")
  weights = []
}

extension Track {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard let domain, domain.lower == domain.upper else { return }
    mender.note(
      .replacement, .range, at: path.appending("domain"),
      "removed the empty domain \(domain.json.line)")
    self.domain = nil
  }
}

extension Curve {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard !keys.isEmpty else { return mender.loseIncomplete() }
    keys.sortByTime({ $0.time }, at: path.appending("keys"), by: &mender)
  }
}

extension Gradient {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard !keys.isEmpty || red != nil || green != nil || blue != nil || alpha != nil else {
      return mender.loseIncomplete()
    }
    keys.sortByTime({ $0.time }, at: path.appending("keys"), by: &mender)
  }
}

extension Array {
  fileprivate mutating func sortByTime(
    _ time: (Element) -> Double, at path: JSONPath, by mender: inout Mender
  ) {
    let times = map(time)
    guard zip(times, times.dropFirst()).contains(where: { $1 < $0 }) else { return }
    // The sort is stable.
    sort { time($0) < time($1) }
    mender.note(.order, .keys, at: path, "sorted the keys by time")
  }
}

extension SpriteGrid {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    let (places, isTooMany) = columns.multipliedReportingOverflow(by: rows)
    guard let count, columns > 0, rows > 0, !isTooMany, count > places else { return }
    mender.note(
      .bound, .range, at: path.appending("count"), "limited \(count) to \(places)",
      (Double(count), Double(places)))
    self.count = places
  }
}

extension ParticleSystem {
  /// Cuts regions of sprites to images of a known size.
  mutating func mendRegions(by mender: inout Mender) {
    for index in sprites.indices {
      guard let region = sprites[index].region, images.indices.contains(sprites[index].image),
        let width = images[sprites[index].image].width.map({ Double($0) }),
        let height = images[sprites[index].image].height.map({ Double($0) }),
        region.x + region.width > width || region.y + region.height > height
      else { continue }
      let path = JSONPath.root.appending("sprites").appending(index).appending("region")
      var inside = region
      (inside.width, inside.height) = (
        min(region.width, width - region.x), min(region.height, height - region.y)
      )
      // A difference may be too exact to be added again.
      let isPart =
        inside.isPartOfSomeImage && inside.x + inside.width <= width
        && inside.y + inside.height <= height
      mender.note(
        .replacement, .range, at: path,
        "cut the region \(region.json.line) to the image of \(width.plain) × \(height.plain)")
      sprites[index].region = isPart ? inside : nil
    }
  }
}

extension ImageReference {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard let sha256, !Self.isChecksum(sha256), mender.extent == .all else { return }
    mender.note(.replacement, .range, at: path.appending("sha256"), "removed the digest")
    self.sha256 = nil
  }
}

extension Mesh {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard uri == nil, primitive == nil, mender.extent == .all else { return }
    mender.note(.replacement, .range, at: path, "made the name the name of a primitive")
    primitive = name
  }
}

extension Softness {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard far < near else { return }
    mender.note(
      .order, .range, at: path.appending("far"),
      "exchanged near \(near.plain) and far \(far.plain)")
    (near, far) = (far, near)
  }
}

extension Direction {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    if mode == .vector, vector == .zero { mender.loseNumber() }
  }
}

extension Blend {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    if mode == .custom, source == nil || destination == nil { mender.loseIncomplete() }
  }
}

extension Shape {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard mender.extent == .all else { return }
    let isEmpty =
      switch kind {
      case .mesh: mesh == nil
      case .points: positions.isEmpty
      case .polyline: points.allSatisfy { $0.isEmpty }
      default: false
      }
    if isEmpty {
      mender.note(
        .replacement, .range, at: path.appending("type"),
        "replaced the empty shape \(kind.rawValue) by a point")
      kind = .point
    }
    if !normals.isEmpty, normals.count != positions.count {
      mender.note(.replacement, .range, at: path.appending("normals"), "removed the normals")
      normals = []
    }
    if !colors.isEmpty, colors.count != positions.count {
      mender.note(.replacement, .range, at: path.appending("colors"), "removed the colours")
      colors = []
    }
  }
}

extension ModelObject {
  package func isSound(_ bounds: Bounds?) -> Bool { isSoundObject }

  /// Whether checks of every property and of the object as a whole find no fault of a range or an order. Ends at the
  /// first one.
  var isSoundObject: Bool {
    var (root, standard) = (self, Self())
    return Self.properties.allSatisfy { $0.aspects.isSound(&root, &standard) }
      && [Diagnostic].isSound { checkWhole(at: .nowhere, into: &$0) }
  }
}

extension Track {
  package func isSound(_ bounds: Bounds?) -> Bool {
    self == Track(from) ? from.isSound(bounds) : isSoundObject
  }
}

extension ColorTrack {
  package func isSound(_ bounds: Bounds?) -> Bool {
    self == ColorTrack(from) ? from.isSound(bounds) : isSoundObject
  }
}

extension ParticleSystem {
  /// Whether ``diagnostics()`` has no fault of a range or an order.
  package var isSound: Bool {
    isSound(nil)
      && [Diagnostic].isSound { faults in
        for sprite in sprites { checkRegion(of: sprite, at: .nowhere, into: &faults) }
      }
  }
}

extension [Diagnostic] {
  /// Whether a check finds no fault of a range or an order.
  static func isSound(_ check: (inout [Diagnostic]) -> Void) -> Bool {
    var faults: [Diagnostic] = []
    check(&faults)
    return !faults.contains { $0.rule == .range || $0.rule == .keys }
  }
}

extension ModelObject {
  /// The object, as ``objectJSON`` writes it.
  package var json: JSONValue { objectJSON }

  /// The object. Properties at their defaults are left out. The additions follow.
  var objectJSON: JSONValue {
    var members: [JSONObject.Member] = []
    var root = self
    var standard = Self()
    for property in Self.properties {
      guard let value = property.aspects.write(&root, &standard) else { continue }
      members.append(.init(key: property.key, value: value))
    }
    if !additions.isEmpty {
      // The additions must not repeat a key of the table. The table wins.
      let known = Set(Self.properties.map { $0.key })
      members += additions.members.filter { !known.contains($0.key) }
    }
    return .object(JSONObject(members: members))
  }
}
