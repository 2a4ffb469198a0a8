internal import ParticlesContainer
internal import ParticlesCore

/// Merges two trees of files that were made from a third one.
struct TreeMerge {
  /// The paths of documents of effects, which are merged member by member.
  var documents: Set<String> = []
  /// The beginnings of paths whose files are taken from our side without a clash.
  var ours: [String] = []

  /// The paths and keys that both sides have changed.
  private(set) var clashes: [String] = []

  init(documents: Set<String> = [], ours: [String] = []) {
    (self.documents, self.ours) = (documents, ours)
  }

  mutating func merge(base: FileNode, ours: FileNode, theirs: FileNode) throws -> FileNode {
    try merge(base, ours, theirs, at: "") ?? .emptyDirectory
  }

  private mutating func merge(
    _ base: FileNode?, _ ours: FileNode?, _ theirs: FileNode?, at path: String
  ) throws -> FileNode? {
    if ours == theirs || base == theirs { return ours }
    if base == ours { return theirs }
    if let a = ours?.children, let b = theirs?.children {
      var result = FileNode.emptyDirectory
      let old = base?.isDirectory == true ? base : nil
      for name in Set(a.map(\.name) + b.map(\.name)).sorted() {
        let inner = Files.joined(path, name)
        guard let node = try merge(old?[name], ours?[name], theirs?[name], at: inner) else {
          continue
        }
        do {
          try result.setFileNode(node, at: name)
        } catch Rule.twins {
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
  ) throws -> FileNode? {
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

/// Merges two JSON values that were made from a third one: objects by key, arrays of the same length by
/// index, arrays of objects with names by name, other values as a whole.
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

  /// Merges arrays of objects with unique names: theirs in their order, then those that we added.
  /// References by index would not fit any more, so nothing is merged where both sides have added or
  /// removed elements.
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
  /// Changes the members that differ between two values, the first of which is that of this text. The
  /// rest of the text keeps its bytes.
  mutating func change(from old: JSONValue, to new: JSONValue, at steps: [Step] = []) throws {
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
