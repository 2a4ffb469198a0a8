/// Writes keyed archives in the order of `NSKeyedArchiver`: an object, the objects that it refers to,
/// then its class; each class once.
///
/// It can keep parts of an archive that was read. They are copied with all objects that they refer to,
/// so that data which is not understood survives an edit.
package struct KeyedArchiver {
  private let source: KeyedArchive?
  private var objects: [PropertyListBuilder.Value] = [.scalar(.string("$null"))]
  private var shared: [BinaryPropertyList.Object.Identity: Int] = [:]
  private var classes: [[String]: Int] = [:]

  /// The numbers that kept objects have here, by their place in the source.
  private var numbers: [KeyedArchive.Index: Int] = [:]
  /// Kept objects that were not searched for references yet.
  private var waiting: [KeyedArchive.Index] = []
  private var visited: Set<KeyedArchive.Index> = []

  /// The objects that are written in place of kept ones.
  private let replacements: [KeyedArchive.Index: ArchivableObject]

  private init(
    keeping source: KeyedArchive?, replacing replacements: [KeyedArchive.Index: ArchivableObject]
  ) {
    self.source = source
    self.replacements = replacements
  }

  /// The bytes of an archive.
  /// - Parameters:
  ///   - root: the archived value.
  ///   - top: further members of `$top`.
  ///   - source: the archive that the places of ``Archivable/kept(_:)`` are in.
  ///   - replacements: by the places of objects in the source, the objects that replace them in kept
  ///     parts.
  package static func encode(
    _ root: Archivable, top: [ArchivableObject.Member] = [], keeping source: KeyedArchive? = nil,
    replacing replacements: [KeyedArchive.Index: ArchivableObject] = [:]
  ) -> [UInt8] {
    var archiver = KeyedArchiver(keeping: source, replacing: replacements)
    var tops = [(key: "root", value: archiver.value(root))]
    for member in top { tops.append((member.key, archiver.value(member.value))) }
    archiver.finishKept()
    var builder = PropertyListBuilder(source: source, numbers: archiver.numbers)
    return builder.encoded(
      .dictionary([
        ("$version", .scalar(.integer(100_000))),
        ("$archiver", .scalar(.string("NSKeyedArchiver"))),
        ("$top", .dictionary(tops)),
        ("$objects", .array(archiver.objects)),
      ]))
  }

  // MARK: New

  private mutating func value(_ value: Archivable) -> PropertyListBuilder.Value {
    switch value {
    case .null: .uid(0)
    case .inline(let scalar): .scalar(scalar)
    case .shared(let scalar): .uid(number(of: scalar))
    case .list(let elements): .array(elements.map { self.value($0) })
    case .object(let object): .uid(number(of: object))
    case .kept(let index): kept(index)
    }
  }

  private mutating func add(_ object: PropertyListBuilder.Value) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  private mutating func number(of scalar: PropertyListScalar) -> Int {
    let identity = BinaryPropertyList.Object.scalar(scalar).identity
    if let known = shared[identity] { return known }
    let number = add(.scalar(scalar))
    shared[identity] = number
    return number
  }

  private mutating func number(of object: ArchivableObject) -> Int {
    let number = add(.scalar(.null))
    write(object, at: number)
    return number
  }

  private mutating func write(_ object: ArchivableObject, at number: Int) {
    var members = object.members.map { (key: $0.key, value: value($0.value)) }
    members.append(("$class", .uid(self.number(ofClass: object.classes))))
    objects[number] = .dictionary(members)
  }

  private mutating func number(ofClass names: [String]) -> Int {
    if let known = classes[names] { return known }
    let number = add(
      .dictionary([
        ("$classname", .scalar(.string(names[0]))),
        ("$classes", .array(names.map { .scalar(.string($0)) })),
      ]))
    classes[names] = number
    return number
  }

  // MARK: Kept

  private mutating func kept(_ index: KeyedArchive.Index) -> PropertyListBuilder.Value {
    guard let source else { return .uid(0) }
    if case .uid = source.plist[index] { return .uid(number(ofKept: source.resolve(index))) }
    waiting.append(index)
    return .copy(index)
  }

  private mutating func number(ofKept index: KeyedArchive.Index) -> Int {
    guard let source else { return 0 }
    if let known = numbers[index] { return known }
    let number: Int
    if let replacement = replacements[index] {
      number = add(.scalar(.null))
      // Registered before it is written, since it may refer to itself.
      numbers[index] = number
      write(replacement, at: number)
    } else if source.isNil(index) {
      number = 0
    } else if case .scalar(let scalar) = source.plist[index] {
      number = self.number(of: scalar)
    } else if let names = source.classNames(ofRecord: index) {
      number = self.number(ofClass: names)
    } else {
      number = add(.copy(index))
      waiting.append(index)
    }
    numbers[index] = number
    return number
  }

  /// Numbers the objects that kept objects refer to. Iterative, since a file may nest them without
  /// limit.
  private mutating func finishKept() {
    guard let source else { return }
    while let index = waiting.popLast() {
      guard visited.insert(index).inserted else { continue }
      switch source.plist[index] {
      case .uid: _ = number(ofKept: source.resolve(index))
      case .array(let elements), .set(let elements): waiting += elements.reversed()
      case .dictionary(_, let values): waiting += values.reversed()
      default: break
      }
    }
  }
}
