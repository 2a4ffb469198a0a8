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
  package init(_ bytes: [UInt8], limits: Limits = .standard) throws {
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

  /// The same for a key by the index of its string.
  private func value(of key: Index?, in index: Index) -> Index? {
    key.flatMap { plist.value(of: $0, in: index) }.map(resolve)
  }

  /// The class of an object; nil if it is a bare value.
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

  /// The names of the class of an object and of its base classes; nil if it is a bare value, or the
  /// record of its class has further members.
  package func classNames(of index: Index) -> [String]? {
    value(of: "$class", in: resolve(index)).flatMap(classNames(ofRecord:))
  }

  /// The names in the record of a class; nil if it is not one, or has further members.
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
  /// The class of Foundation that it is or is derived from; nil for other classes.
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

  private mutating func check(_ index: Index, _ lists: inout [Index: FoundationClass?]) throws {
    switch plist[index] {
    case .uid(let uid):
      guard objects.indices.contains(uid) else {
        throw Self.failure(
          plist, index, "a reference", expected: "below \(objects.count)", found: "\(uid)")
      }
      // References to references could form a circle; no archiver writes one.
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
  ) throws {
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

  private func checkPairs(_ index: Index) throws {
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
