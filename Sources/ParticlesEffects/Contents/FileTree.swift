public import ParticlesContainer
public import ParticlesCore
internal import ParticlesModel

/// Any tree of files as the contents of a document: for programs that edit files without knowledge of their formats.
public struct FileTree: DocumentContent {
  /// The files. A directory, unless the document is one file.
  public var root: FileNode

  /// Creates the contents.
  public init(root: FileNode = .emptyDirectory) { self.root = root }

  /// Takes the files as they are.
  public init(contents: FileNode, limits: Limits) { root = contents }

  /// Returns the files.
  public func contents() -> FileNode { root }

  /// Takes the stored files.
  public mutating func adopt(_ stored: FileNode, writtenAs written: FileNode) {
    root = root.adopting(stored, writtenAs: written)
  }

  /// Returns the files that differ, and for small files, the bytes that differ.
  public static func change(from old: Self, to new: Self) -> DocumentChange<Self> {
    let difference = TreeDifference(from: old.root, to: new.root)
    return DocumentChange(cost: difference.cost) {
      (content: inout Self, direction) throws(Failure) in
      try difference.apply(&content.root, undoing: direction == .undo)
    }
  }

  /// Takes each file from the side that has changed it. A file that both have changed is a clash.
  public static func merge(base: Self, ours: Self, theirs: Self) throws(Failure) -> DocumentMerge<
    Self
  >? {
    var merge = TreeMerge()
    let root = try merge.merge(base: base.root, ours: ours.root, theirs: theirs.root)
    return DocumentMerge(Self(root: root), clashes: merge.clashes)
  }
}

extension EffectPackage: DocumentContent {
  /// Takes the files of a package. The document in it is decoded when it is needed.
  /// - Throws: ``ParticlesCore/Rule/signature`` if the contents are not a package.
  public init(contents: FileNode, limits: Limits) throws(Failure) {
    guard contents.isDirectory else { throw Diagnostic(.signature) }
    self.init(Container(root: contents))
  }

  /// Returns the files of the package.
  public func contents() -> FileNode { container.root }

  /// Takes the stored files.
  public mutating func adopt(_ stored: FileNode, writtenAs written: FileNode) {
    container.root = container.root.adopting(stored, writtenAs: written)
  }

  /// Whether both have equal files.
  public static func == (a: EffectPackage, b: EffectPackage) -> Bool {
    a.container.root == b.container.root
  }

  /// Returns the files that differ, and for the document, the bytes that differ.
  public static func change(from old: Self, to new: Self) -> DocumentChange<Self> {
    let difference = TreeDifference(from: old.container.root, to: new.container.root)
    return DocumentChange(cost: difference.cost) {
      (content: inout Self, direction) throws(Failure) in
      try difference.apply(&content.container.root, undoing: direction == .undo)
    }
  }

  /// The properties that differ, or the files if the properties are equal.
  public static func changedParts(from old: Self, to new: Self) throws(Failure) -> [String] {
    let keys = try old.system().differences(from: new.system()).map { $0.path }
    if !keys.isEmpty { return keys }
    return TreeDifference(from: old.container.root, to: new.container.root).paths
  }

  /// Merges the effects property by property, and takes each remaining file from the side that has changed it.
  /// Previews are taken from our side: they are drawn again.
  public static func merge(base: Self, ours: Self, theirs: Self) throws(Failure) -> DocumentMerge<
    Self
  >? {
    var merge = TreeMerge(
      documents: [documentPath], ours: ["\(previewDirectory)/"])
    var result = ours
    result.container.root = try merge.merge(
      base: base.container.root, ours: ours.container.root, theirs: theirs.container.root)
    return DocumentMerge(result, clashes: merge.clashes)
  }
}

/// The difference of two trees of files, for undo and redo. Small files are stored as the bytes that changed. Large
/// files are stored as nodes that share their contents with the trees.
struct TreeDifference: Sendable {
  private enum Change: Sendable {
    case splice(ByteSplice)
    case nodes(old: FileNode?, new: FileNode?)
  }

  private var changes: [(path: String, change: Change)] = []

  /// The memory that it needs, in bytes.
  private(set) var cost = 64

  /// The changed paths, in order.
  var paths: [String] { changes.map { $0.path } }

  /// The size up to which a changed file is compared.
  private static let small = 1 << 20

  init(from old: FileNode, to new: FileNode) { compare(old, new, at: "") }

  /// Turns the new tree into the old tree, or the old tree into the new tree.
  func apply(_ tree: inout FileNode, undoing isUndoing: Bool) throws(Failure) {
    for (path, change) in isUndoing ? changes.reversed() : changes {
      switch change {
      case .nodes(let old, let new): try set(isUndoing ? old : new, at: path, of: &tree)
      case .splice(let splice):
        guard let node = path.isEmpty ? tree : tree[path],
          let bytes = try node.regularFileContents(),
          let changed = isUndoing ? splice.undone(bytes) : splice.redone(bytes)
        else { throw Diagnostic(.fileChanged, at: .entry(path)) }
        let result = FileNode(regularFileWithContents: changed, isExecutable: node.isExecutable)
        try set(result, at: path, of: &tree)
      }
    }
  }

  private func set(_ node: FileNode?, at path: String, of tree: inout FileNode) throws(Failure) {
    switch (node, path.isEmpty) {
    case (let node?, true): tree = node
    case (let node?, false): try tree.setFileNode(node, at: path)
    case (nil, _): tree.removeFileNode(at: path)
    }
  }

  private mutating func compare(_ old: FileNode, _ new: FileNode, at path: String) {
    guard let olds = old.children, let news = new.children else {
      return compareFiles(old, new, at: path)
    }
    if olds.isSame(as: news) { return }
    var (i, j) = (0, 0)
    while i < olds.count || j < news.count {
      if j == news.count || i < olds.count && olds[i].precedes(news[j]) {
        add(.nodes(old: olds[i].node, new: nil), at: Files.joined(path, olds[i].name))
        i += 1
      } else if i == olds.count || news[j].precedes(olds[i]) {
        add(.nodes(old: nil, new: news[j].node), at: Files.joined(path, news[j].name))
        j += 1
      } else {
        compare(olds[i].node, news[j].node, at: Files.joined(path, olds[i].name))
        (i, j) = (i + 1, j + 1)
      }
    }
  }

  private mutating func compareFiles(_ old: FileNode, _ new: FileNode, at path: String) {
    guard let a = old.contents, let b = new.contents else {
      if old != new { add(.nodes(old: old, new: new), at: path) }
      return
    }
    if a.isSame(as: b), old.isExecutable == new.isExecutable { return }
    if old.isExecutable == new.isExecutable, max(a.size, b.size) <= Self.small,
      let before = try? a.bytes(), let after = try? b.bytes()
    {
      if before == after { return }
      add(.splice(ByteSplice(from: before, to: after)), at: path)
    } else if old != new {
      add(.nodes(old: old, new: new), at: path)
    }
  }

  private mutating func add(_ change: Change, at path: String) {
    var change = change
    if case .nodes(let old, let new) = change {
      // A small file is kept in memory, so that the package that it was in need not stay open.
      change = .nodes(old: old?.loaded(Self.small), new: new?.loaded(Self.small))
    }
    changes.append((path, change))
    cost += 96 + path.utf8.count
    switch change {
    case .splice(let splice): cost += splice.old.count + splice.new.count
    // Contents in the file of the document need no memory.
    case .nodes(let old, let new): cost += (old?.memoryBytes ?? 0) + (new?.memoryBytes ?? 0)
    }
  }
}

extension FileNode {
  /// A regular file of at most `limit` bytes with its contents in memory. Larger and unreadable files stay as they
  /// are.
  fileprivate func loaded(_ limit: Int) -> FileNode {
    guard let contents, !contents.isInMemory, contents.size <= limit,
      let bytes = try? contents.bytes()
    else { return self }
    return FileNode(regularFileWithContents: bytes, isExecutable: isExecutable)
  }

  /// The bytes of contents that are held in memory.
  fileprivate var memoryBytes: Int {
    contents.map { $0.isInMemory ? $0.size : 64 }
      ?? children?.reduce(64) { $0 + $1.node.memoryBytes } ?? 64
  }
}

/// Merges two trees of files that were made from a third one.
struct TreeMerge {
  /// The paths of documents of effects, to be merged member by member.
  var documents: Set<String> = []
  /// The beginnings of paths whose files are taken from our side without a clash.
  var ours: [String] = []

  /// The paths and keys that both sides have changed.
  private(set) var clashes: [String] = []

  mutating func merge(base: FileNode, ours: FileNode, theirs: FileNode) throws(Failure) -> FileNode
  {
    try merge(base, ours, theirs, at: "") ?? .emptyDirectory
  }

  private mutating func merge(
    _ base: FileNode?, _ ours: FileNode?, _ theirs: FileNode?, at path: String
  ) throws(Failure) -> FileNode? {
    if ours == theirs || base == theirs { return ours }
    if base == ours { return theirs }
    if let a = ours?.children, let b = theirs?.children {
      var result = FileNode.emptyDirectory
      let old = base?.isDirectory == true ? base : nil
      for name in Set(a.map({ $0.name }) + b.map({ $0.name })).sorted() {
        let inner = Files.joined(path, name)
        guard let node = try merge(old?[name], ours?[name], theirs?[name], at: inner) else {
          continue
        }
        do throws(Failure) {
          try result.setFileNode(node, at: name)
        } catch {
          guard Diagnostic.of(error)?.rule == .twins else { throw error }
          // Each side has added one of two names that differ in case only.
          clashes.append(inner)
        }
      }
      return result
    }
    if self.ours.contains(where: { path.hasPrefix($0) }) { return ours }
    if documents.contains(path), let merged = try document(base, ours, theirs) { return merged }
    clashes.append(path.isEmpty ? "the contents" : path)
    return ours ?? theirs
  }

  private mutating func document(
    _ base: FileNode?, _ ours: FileNode?, _ theirs: FileNode?
  ) throws(Failure) -> FileNode? {
    guard let base = try base?.regularFileContents(), let ours = try ours?.regularFileContents(),
      let theirs = try theirs?.regularFileContents(), let old = try? JSONParser.parse(base),
      let mine = try? JSONParser.parse(ours), let other = try? JSONParser.parse(theirs)
    else { return nil }
    var merge = JSONMerge()
    var unsound = UnsoundMerge(ours: mine, theirs: other)
    let merged = unsound.settled(merge.merge(old, mine, other))
    clashes += merge.clashes + unsound.clashes.filter { !merge.clashes.contains($0) }
    var text = try JSONText(theirs)
    try text.change(from: other, to: merged)
    return FileNode(regularFileWithContents: text.bytes)
  }
}

/// Merges two JSON values with a common base: objects by key, arrays of equal length by index, arrays of objects with
/// names by name, other values as a whole.
struct JSONMerge {
  /// The keys that both sides have changed.
  private(set) var clashes: [String] = []

  mutating func merge(_ base: JSONValue, _ ours: JSONValue, _ theirs: JSONValue) -> JSONValue {
    merge(base, ours, theirs, at: "") ?? .null
  }

  private mutating func merge(
    _ base: JSONValue?, _ ours: JSONValue?, _ theirs: JSONValue?, at key: String
  ) -> JSONValue? {
    if ours == theirs || base == theirs { return ours }
    if base == ours { return theirs }
    switch (base, ours, theirs) {
    case (let base, .object(let a)?, .object(let b)?):
      var result = JSONObject()
      let old = base?.object
      for member in b.members {
        let inner = key.isEmpty ? member.key : "\(key).\(member.key)"
        result[member.key] = merge(old?[member.key], a[member.key], member.value, at: inner)
      }
      for member in a.members where b[member.key] == nil {
        let inner = key.isEmpty ? member.key : "\(key).\(member.key)"
        result[member.key] = merge(old?[member.key], member.value, nil, at: inner)
      }
      return .object(result)
    case (.array(let old)?, .array(let a)?, .array(let b)?):
      if old.count == a.count, a.count == b.count {
        return .array(
          old.indices.compactMap { merge(old[$0], a[$0], b[$0], at: "\(key)[\($0)]") })
      }
      if let merged = mergeByName(old, a, b, at: key) { return .array(merged) }
    default: break
    }
    clashes.append(key.isEmpty ? "the document" : key)
    return ours ?? theirs
  }

  /// Merges arrays of objects with unique names: theirs in their order, then our additions. References by index would
  /// not fit any more, so nothing is merged where both sides have added or removed elements.
  private mutating func mergeByName(
    _ old: [JSONValue], _ ours: [JSONValue], _ theirs: [JSONValue], at key: String
  ) -> [JSONValue]? {
    guard let olds = Self.names(old), let mine = Self.names(ours), let others = Self.names(theirs),
      mine == olds || others == olds
    else { return nil }
    let order = mine == olds ? others : mine
    func element(_ name: String, _ names: [String], _ values: [JSONValue]) -> JSONValue? {
      names.firstIndex(of: name).map { values[$0] }
    }
    let all = order + olds.filter { !order.contains($0) }
    return all.compactMap { name in
      merge(
        element(name, olds, old), element(name, mine, ours), element(name, others, theirs),
        at: "\(key)[\(name)]")
    }
  }

  private static func names(_ values: [JSONValue]) -> [String]? {
    let names = values.compactMap { $0.object?["name"]?.string }
    return names.count == values.count && Set(names).count == names.count ? names : nil
  }
}

extension JSONText {
  /// Changes the members that differ between the value of this text and a new value. The rest of the text keeps its
  /// bytes.
  mutating func change(from old: JSONValue, to new: JSONValue, at steps: [Step] = [])
    throws(Failure)
  {
    if old == new { return }
    guard let a = old.object, let b = new.object else {
      if case .array(let a) = old, case .array(let b) = new, a.count == b.count {
        for index in a.indices {
          try change(from: a[index], to: b[index], at: steps + [.index(index)])
        }
      } else if steps.isEmpty {
        self = try JSONText(new.bytes)
      } else {
        _ = try set(new, at: steps)
      }
      return
    }
    for member in a.members where b[member.key] == nil {
      _ = try remove(at: steps + [.key(member.key)])
    }
    for member in b.members {
      let place = steps + [.key(member.key)]
      if let before = a[member.key] {
        try change(from: before, to: member.value, at: place)
      } else {
        _ = try set(member.value, at: place)
      }
    }
  }
}

/// The values of a merged document that are allowed on each side, but not together: for example, each side has
/// changed one end of a range. Such a value is taken from our side, and is a clash.
struct UnsoundMerge {
  private let ours: JSONValue
  /// The messages of values that are invalid on either side already.
  private let known: Set<String>

  /// The keys of the values that were taken from our side.
  private(set) var clashes: [String] = []

  /// - Parameters:
  ///   - ours: our document.
  ///   - theirs: their document.
  init(ours: JSONValue, theirs: JSONValue) {
    self.ours = ours
    known = Set((Self.faults(of: ours) + Self.faults(of: theirs)).map { $0.message })
  }

  /// Returns the merged document with an allowed value in each place.
  package mutating func settled(_ merged: JSONValue) -> JSONValue {
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
  /// This value with a new value at a place in it, or without a member. Nil if there is no such place, or if an
  /// element would have to be removed.
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
