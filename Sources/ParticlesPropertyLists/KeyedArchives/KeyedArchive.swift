package import ParticlesCore

/// The graph that `NSKeyedArchiver` leaves in a property list.
///
/// References, classes and the parallel arrays of dictionaries are checked once, when the archive is
/// opened. Accessors only have to expect values of other types.
package struct KeyedArchive: Sendable {
  /// A place in the property list.
  package typealias Index = BinaryPropertyList.Index

  package let plist: BinaryPropertyList

  /// The archived object, `$top.root`.
  package let root: Index

  private let objects: [Index]

  /// The class of each object that has one, by the record of the class.
  private var classes: [Index: ArchivedClass] = [:]

  /// The keys that every object is asked for.
  private let keys: (record: Index?, name: Index?, names: Index?)

  /// Opens an archive.
  /// - Throws: ``Rule/plist``, ``Rule/keyedArchive``, or ``Rule/limit``.
  package init(_ bytes: [UInt8], limits: Limits = .standard) throws(Diagnostic) {
    plist = try BinaryPropertyList(bytes, limits: limits)
    let top = plist.root
    guard let archiver = plist.value(of: "$archiver", in: top) else {
      throw Self.failure(
        plist, top, "the archive does not name its archiver", expected: "'$archiver'",
        found: plist[top].kind)
    }
    guard case .scalar(.string("NSKeyedArchiver")) = plist[archiver] else {
      throw Self.failure(plist, archiver, "written by another archiver")
    }
    guard let version = plist.value(of: "$version", in: top),
      case .scalar(.integer(100_000)) = plist[version]
    else { throw Self.failure(plist, top, "the version", expected: "'$version' 100000") }
    guard let list = plist.value(of: "$objects", in: top), case .array(let objects) = plist[list]
    else { throw Self.failure(plist, top, "no list of objects", expected: "'$objects'") }
    guard let first = objects.first, case .scalar(.string("$null")) = plist[first] else {
      throw Self.failure(plist, list, "the first object", expected: "'$null'")
    }
    guard let roots = plist.value(of: "$top", in: top),
      let root = plist.value(of: "root", in: roots), case .uid(let uid) = plist[root]
    else { throw Self.failure(plist, top, "no root", expected: "a reference '$top.root'") }
    self.objects = objects
    self.root = objects.indices.contains(uid) ? objects[uid] : root
    keys = (plist.index(of: "$class"), plist.index(of: "$classname"), plist.index(of: "$classes"))
    var lists: [Index: FoundationClass?] = [:]
    for index in plist.objects.indices { try check(Index(index), &lists) }
  }

  /// The members of `$top`: the root and, in some archives, others.
  package var top: [(key: String, index: Index)] {
    guard let top = plist.value(of: "$top", in: plist.root),
      case .dictionary(let keys, let values) = plist[top]
    else { return [] }
    return zip(keys, values).compactMap { key, value in
      guard case .scalar(.string(let name)) = plist[key] else { return nil }
      return (name, value)
    }
  }

  /// Follows a reference: returns the place of the object that it refers to, or the place itself.
  package func resolve(_ index: Index) -> Index {
    guard case .uid(let uid) = plist[index], objects.indices.contains(uid) else { return index }
    return objects[uid]
  }

  /// Whether a place holds nil, in any spelling.
  package func isNil(_ index: Index) -> Bool {
    let index = resolve(index)
    if case .scalar(.null) = plist[index] { return true }
    return index == objects.first
  }

  /// The value of a key of an object or dictionary, with references followed.
  package func value(of key: String, in index: Index) -> Index? {
    plist.value(of: key, in: index).map(resolve)
  }

  /// Finds a value like `value(of:in:)`, for a key by the index of its string.
  private func value(of key: Index?, in index: Index) -> Index? {
    key.flatMap { plist.value(of: $0, in: index) }.map(resolve)
  }

  /// The class of an object. Nil if it is a bare value.
  func archivedClass(of index: Index) -> ArchivedClass? {
    value(of: keys.record, in: resolve(index)).flatMap { classes[$0] }
  }

  /// The name of the class of an object, or nil if it is a bare value.
  package func className(of index: Index) -> String? { archivedClass(of: index)?.name }

  /// Whether an object is of a class or one derived from it. Mutable forms and private ones, such
  /// as `__NSCFDictionary`, name the public class among their own.
  package func object(_ index: Index, isA name: String) -> Bool {
    guard let record = value(of: keys.record, in: resolve(index)) else { return false }
    if classes[record]?.name == name { return true }
    guard let wanted = plist.index(of: name), let list = value(of: keys.names, in: record),
      case .array(let names) = plist[list]
    else { return false }
    // Equal names may be different strings: reading unifies keys, but not elements.
    return names.prefix(Self.classLevels).contains {
      let name = resolve($0)
      return name == wanted || plist[name] == plist[wanted]
    }
  }

  /// The names of the class of an object and of its base classes. Nil for a bare value, and if the record of its class
  /// has further members.
  package func classNames(of index: Index) -> [String]? {
    value(of: "$class", in: resolve(index)).flatMap(classNames(ofRecord:))
  }

  /// The names in the record of a class. Nil if it is no such record, or has further members.
  func classNames(ofRecord index: Index) -> [String]? {
    guard case .dictionary(let keys, _) = plist[index], keys.count == 2,
      let name = plist.value(of: "$classname", in: index),
      case .scalar(.string(let first)) = plist[name],
      let list = plist.value(of: "$classes", in: index), case .array(let elements) = plist[list]
    else { return nil }
    var names: [String] = []
    for element in elements.prefix(Self.classLevels) {
      guard case .scalar(.string(let name)) = plist[element] else { return nil }
      names.append(name)
    }
    return names.first == first && names.count == elements.count ? names : nil
  }

  /// More levels than any hierarchy of classes has.
  private static let classLevels = 32
}

/// The class of archived objects.
struct ArchivedClass: Sendable {
  let name: String
  /// The class itself, or its base class, if that is a class of Foundation. Nil for other classes.
  let foundation: FoundationClass?
}

/// The classes of Foundation that archives are read with. Of several, the first one counts.
enum FoundationClass: String, CaseIterable, Comparable {
  case array = "NSArray"
  case set = "NSSet"
  case orderedSet = "NSOrderedSet"
  case arrayProxy = "LKNSArrayCodingProxy"
  case dictionary = "NSDictionary"
  case data = "NSData"
  case string = "NSString"
  case url = "NSURL"
  case number = "NSNumber"
  case date = "NSDate"

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  static func < (first: FoundationClass, second: FoundationClass) -> Bool {
    first.rank < second.rank
  }
}

// MARK: - Checks on opening

extension KeyedArchive {
  private static func failure(
    _ plist: BinaryPropertyList, _ index: Index, _ detail: String, expected: String? = nil,
    found: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      .keyedArchive, at: plist.location(of: index), detail, expected: expected, found: found)
  }

  private mutating func check(_ index: Index, _ lists: inout [Index: FoundationClass?])
    throws(Diagnostic)
  {
    switch plist[index] {
    case .uid(let uid):
      guard objects.indices.contains(uid) else {
        throw Self.failure(
          plist, index, "a reference", expected: "below \(objects.count)", found: "\(uid)")
      }
      // References to references could form a circle. No archiver writes them.
      if case .uid = plist[objects[uid]] {
        throw Self.failure(plist, index, "a reference to a reference")
      }
    case .dictionary:
      if let key = keys.record, let record = plist.value(of: key, in: index) {
        try checkClass(record, &lists)
      }
      try checkPairs(index)
    default: break
    }
  }

  private mutating func checkClass(
    _ index: Index, _ lists: inout [Index: FoundationClass?]
  ) throws(Diagnostic) {
    let record = resolve(index)
    guard classes[record] == nil else { return }
    guard case .dictionary = plist[record] else {
      throw Self.failure(
        plist, index, "a class", expected: "a dictionary", found: plist[record].kind)
    }
    guard let name = value(of: keys.name, in: record), case .scalar(.string(let text)) = plist[name]
    else { throw Self.failure(plist, record, "a class without name", expected: "'$classname'") }
    try checkName(text, at: plist.location(of: record))
    var foundation = FoundationClass(rawValue: text)
    if let list = value(of: keys.names, in: record) {
      // Many records may share one list of names.
      let inherited = lists[list] ?? foundationClass(inNames: list)
      lists[list] = .some(inherited)
      foundation = [foundation, inherited].compactMap { $0 }.min()
    }
    classes[record] = ArchivedClass(name: text, foundation: foundation)
  }

  /// The class of Foundation among the names of a class and its base classes.
  private func foundationClass(inNames list: Index) -> FoundationClass? {
    guard case .array(let names) = plist[list] else { return nil }
    return names.prefix(Self.classLevels).compactMap { name -> FoundationClass? in
      guard case .scalar(.string(let text)) = plist[resolve(name)] else { return nil }
      return FoundationClass(rawValue: text)
    }.min()
  }

  private func checkPairs(_ index: Index) throws(Diagnostic) {
    guard let keys = value(of: "NS.keys", in: index), case .array(let keyList) = plist[keys]
    else { return }
    guard let values = value(of: "NS.objects", in: index), case .array(let list) = plist[values],
      list.count == keyList.count
    else {
      throw Self.failure(
        plist, index, "a dictionary", expected: "as many 'NS.objects' as 'NS.keys'")
    }
  }
}

extension ArchivedObject {
  /// Its keys and their kept values.
  package var fields: [(key: String, value: Archivable)] {
    keys.compactMap { key in place(of: key).map { (key, .kept($0)) } }
  }
}

extension KeyedArchive {
  /// A new value in the spelling of the old value: inline or behind a reference, integer or real, with equal width.
  package func adapt(_ new: Archivable, to old: Archivable) -> Archivable {
    guard case .kept(let index) = old else { return new }
    var scalar: PropertyListScalar
    switch new {
    case .inline(let value), .shared(let value): scalar = value
    default: return new
    }
    switch (plist[resolve(index)], scalar) {
    case (.scalar(.real(_, let width)), .real(let value, _)):
      scalar = .real(width == 4 ? Double(Float(value)) : value, width: width)
    case (.scalar(.real(_, let width)), .integer(let value)):
      scalar = .real(Double(value), width: width)
    case (.scalar(.integer), .real(let value, _)):
      if let whole = Int64(exactly: value) { scalar = .integer(whole) }
    default: break
    }
    if case .uid = plist[index] { return .shared(scalar) }
    return .inline(scalar)
  }
}

/// Opens the archives of one file, including archives inside archives, and collects findings.
///
/// All archives share one budget, so archives that contain each other, or an object many times, cannot run forever. A
/// class, because all readers of the file share the findings and the budget.
package final class ArchiveReader {
  /// The findings so far.
  package private(set) var diagnostics: [Diagnostic] = []

  package let limits: Limits
  private var bytesLeft: Int
  private let nodeLimit: Int
  private var nodesLeft: Int

  /// Creates a reader for one file.
  package init(limits: Limits = .standard) {
    self.limits = limits
    bytesLeft = limits.fileBytes
    nodeLimit = limits.objects
    nodesLeft = nodeLimit
  }

  /// Opens an archive and returns its root object.
  /// - Parameters:
  ///   - path: the keys that lead to the bytes, for messages. Empty for the file itself.
  ///   - level: the number of archives around this one.
  package func open(
    _ bytes: [UInt8], path: String = "", level: Int = 0
  ) throws(Diagnostic) -> ArchivedObject {
    let location = path.isEmpty ? Location.unknown : .key(path)
    try limits.check(level, { $0.archives }, "archives inside archives", at: location)
    // The file itself has its own limit. The budget is for the archives inside.
    if level > 0 { try spend(bytes: bytes.count, at: location) }
    let archive =
      level == 0
      ? try OpenKeyedArchives.archive(bytes, limits: limits)
      : try KeyedArchive(bytes, limits: limits)
    try spend(archive.plist.objects.count, at: location)
    return try ArchivedObject(archive, archive.root, path: path, level: level, reader: self)
  }

  /// Adds a finding. After ``diagnosticsKept`` findings, a last finding reports that the rest is not listed.
  package func report(_ diagnostic: Diagnostic) {
    if diagnostics.count < Self.diagnosticsKept {
      diagnostics.append(diagnostic)
    } else if diagnostics.count == Self.diagnosticsKept {
      diagnostics.add(
        .limit, "findings in an archive", expected: "at most \(Self.diagnosticsKept)",
        found: "more, which are not listed", severity: .warning)
    }
  }

  /// Charges the budget for reading values.
  package func spend(_ nodes: Int, at location: @autoclosure () -> Location) throws(Diagnostic) {
    nodesLeft -= nodes
    guard nodesLeft >= 0 else {
      throw exhausted("values of archives", nodeLimit, location())
    }
  }

  /// Charges the budget for reading or copying bytes.
  package func spend(bytes: Int, at location: @autoclosure () -> Location) throws(Diagnostic) {
    bytesLeft -= bytes
    guard bytesLeft >= 0 else {
      throw exhausted("bytes of archives", limits.fileBytes, location())
    }
  }

  private func exhausted(_ what: String, _ limit: Int, _ location: Location) -> Diagnostic {
    Diagnostic(
      .limit, at: location, what, expected: "at most \(limit)", found: "more, counting repeats")
  }

  /// The greatest number of findings about one file.
  private static let diagnosticsKept = 1000
}

/// Writes keyed archives in the order of `NSKeyedArchiver`: an object, the objects that it refers to, then its class.
/// Each class is written once.
///
/// It can keep parts of an archive that was read. They are copied with all objects that they refer to, so that unknown
/// data survives an edit.
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
