internal import ParticlesCore
internal import ParticlesSystem
internal import ParticlesTypes

/// The programs of MIME types on a machine, by the rules of GLib 2.74: the files `mimeapps.list` of
/// users and administrators (Association between MIME types and applications 1.0.1), and
/// `mimeinfo.cache`, which `update-desktop-database` generates from the desktop entries.
struct DesktopAssociations: Sendable {
  /// The associations of one folder.
  private struct Layer: Sendable {
    var defaults: [String: [String]] = [:]
    var added: [String: [String]] = [:]
    var removed: [String: [String]] = [:]
    /// The entries in the folder by their identifiers. Entries that cannot be started are nil.
    var programs: [String: DesktopProgram?] = [:]
  }

  /// The highest precedence first.
  private var layers: [Layer] = []
  private let mimeTypes: SharedMIMEDatabase

  /// Reads the files.
  /// - Parameters:
  ///   - desktops: the names of the running desktop (`XDG_CURRENT_DESKTOP`).
  ///   - programs: the installed programs in each folder of `directories.data`.
  ///   - mimeTypes: the types, for aliases and supertypes.
  init(
    _ directories: BaseDirectories, desktops: [String], programs: [[DesktopProgram]],
    mimeTypes: SharedMIMEDatabase, searchPath: [String], limits: Limits
  ) throws {
    self.mimeTypes = mimeTypes
    let prefixed = desktops.map { "\($0.lowercased())-mimeapps.list" }
    for folder in directories.config {
      var layer = Layer()
      for name in prefixed { try read(folder, name, nil, &layer, limits) }
      try read(folder, "mimeapps.list", .added, &layer, limits)
      layers.append(layer)
    }
    for (folder, programs) in zip(directories.data, programs) {
      let folder = Files.joined(folder, "applications")
      var layer = Layer()
      for name in prefixed { try read(folder, name, nil, &layer, limits) }
      try read(folder, "mimeapps.list", .added, &layer, limits)
      try read(folder, "defaults.list", nil, &layer, limits)
      try read(folder, "mimeinfo.cache", .cache, &layer, limits)
      for program in programs {
        layer.programs[program.identifier] = .some(
          program.canStart(searchPath: searchPath) ? program : nil)
      }
      layers.append(layer)
    }
  }

  private enum AddedGroup: String {
    case added = "Added Associations"
    case cache = "MIME Cache"
  }

  /// Adds the associations of a file.
  /// - Parameter group: the group of added associations. Nil if the file may specify defaults only.
  private func read(
    _ folder: String, _ name: String, _ group: AddedGroup?, _ layer: inout Layer, _ limits: Limits
  ) throws {
    let path = Files.joined(folder, name)
    guard try Files.status(path)?.kind == .file else { return }
    let file = KeyFile(String(decoding: try Files.read(path, limits: limits), as: UTF8.self))
    func add(
      _ group: String, to table: inout [String: [String]], except others: [String: [String]]
    ) {
      for key in file.keys(of: group) {
        let type = mimeTypes.canonical(key)
        let programs = file.list(key, in: group)
        // GLib takes the first list of a type unchanged. From later lists, it skips known programs and `others`.
        guard let known = table[type] else {
          table[type] = programs
          continue
        }
        table[type] = programs.reduce(into: known) { known, program in
          guard others[type]?.contains(program) != true, !known.contains(program) else { return }
          known.append(program)
        }
      }
    }
    if let group {
      add(group.rawValue, to: &layer.added, except: layer.removed)
      add("Removed Associations", to: &layer.removed, except: layer.added)
    }
    add("Default Applications", to: &layer.defaults, except: [:])
  }

  // MARK: Lookup

  /// Returns the default program of a type or, if it has none, of the nearest declared supertype.
  func defaultProgram(for type: String) -> DesktopProgram? {
    var removed: Set<String> = []
    for type in mimeTypes.declaredAncestry(of: type) {
      var names: [String] = []
      for layer in layers {
        for name in layer.defaults[type] ?? [] where !names.contains(name) { names.append(name) }
      }
      addPrograms(of: type, to: &names, removed: &removed)
      if let program = names.lazy.compactMap({ self.program($0) }).first { return program }
    }
    return nil
  }

  /// Returns the programs that open files of a type, in the order of preference.
  /// - Parameter includingSupertypes: whether to add the programs of the declared supertypes.
  func programs(for type: String, includingSupertypes: Bool) -> [DesktopProgram] {
    let types =
      includingSupertypes ? mimeTypes.declaredAncestry(of: type) : [mimeTypes.canonical(type)]
    var names: [String] = []
    var removed: Set<String> = []
    for type in types { addPrograms(of: type, to: &names, removed: &removed) }
    return names.compactMap { program($0) }.filter { !$0.isHidden }
  }

  /// The types for which a default program is chosen, with the chosen programs that are installed.
  var choices: [(type: String, programs: [DesktopProgram])] {
    var types: [String] = []
    var seen: Set<String> = []
    for layer in layers {
      types += layer.defaults.keys.sorted().filter { seen.insert($0).inserted }
    }
    return types.map { type in
      (type, layers.flatMap { $0.defaults[type] ?? [] }.compactMap { program($0) })
    }
  }

  /// A folder may remove associations of folders of lower precedence, not its own.
  private func addPrograms(
    of type: String, to names: inout [String], removed: inout Set<String>
  ) {
    for (index, layer) in layers.enumerated() {
      for name in layer.added[type] ?? []
      where !isMasked(name, index) && !removed.contains(name) && !names.contains(name) {
        names.append(name)
      }
      for name in layer.removed[type] ?? []
      where !isMasked(name, index) && !names.contains(name) {
        removed.insert(name)
      }
    }
  }

  /// Whether a folder of higher precedence has an entry with this identifier.
  private func isMasked(_ name: String, _ index: Int) -> Bool {
    layers[..<index].contains { $0.programs[name] != nil }
  }

  private func program(_ name: String) -> DesktopProgram? {
    for layer in layers {
      if let program = layer.programs[name], let program { return program }
    }
    return nil
  }
}

/// A file `mimeapps.list`: associations between MIME types and programs.
///
/// Lines that are not edited keep their text, comments and unknown groups included. Undoing an edit
/// restores the file, except for a group that was empty before.
package struct MIMEAssociations: Sendable, Hashable {
  /// The kind of an association.
  package enum Group: String, Sendable, CaseIterable {
    /// The default program of the type. Of several, the first that is installed.
    case defaults = "Default Applications"
    /// The program is offered for the type.
    case added = "Added Associations"
    /// The program is not offered, although its entry declares the type.
    case removed = "Removed Associations"
  }

  private var lines: [String]

  /// Parses a file. An empty text is an empty file.
  package init(_ text: String = "") {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
  }

  /// The text of the file.
  package var text: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

  /// Returns the desktop entries of a MIME type, in order.
  package func entries(for mimeType: String, in group: Group) -> [String] {
    line(of: mimeType, in: group).map { Self.entries(in: lines[$0]) } ?? []
  }

  /// Puts a desktop entry before all others of a MIME type.
  package mutating func prepend(_ entry: String, for mimeType: String, in group: Group) {
    set([entry] + entries(for: mimeType, in: group).filter { $0 != entry }, mimeType, group)
  }

  /// Appends a desktop entry to the entries of a MIME type, unless it is there.
  package mutating func append(_ entry: String, for mimeType: String, in group: Group) {
    let entries = entries(for: mimeType, in: group)
    if !entries.contains(entry) { set(entries + [entry], mimeType, group) }
  }

  /// Removes a desktop entry from a MIME type.
  package mutating func remove(_ entry: String, for mimeType: String, in group: Group) {
    let entries = entries(for: mimeType, in: group)
    if entries.contains(entry) { set(entries.filter { $0 != entry }, mimeType, group) }
  }

  // MARK: Lines

  private static func entries(in line: String) -> [String] {
    let value = line[line.index(after: line.firstIndex(of: "=") ?? line.startIndex)...]
    return value.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      .filter { !$0.isEmpty }
  }

  /// Returns the lines of a group without its header, or nil if there is no such group.
  private func range(of group: Group) -> Range<Int>? {
    guard let head = lines.firstIndex(of: "[\(group.rawValue)]") else { return nil }
    let rest = lines[(head + 1)...]
    return head + 1..<(rest.firstIndex { $0.hasPrefix("[") } ?? lines.endIndex)
  }

  private func line(of mimeType: String, in group: Group) -> Int? {
    range(of: group)?.first { index in
      let name = lines[index].prefix { $0 != "=" }
      return name.count < lines[index].count
        && String(name.filter { !$0.isWhitespace }).caseFolded == mimeType.caseFolded
    }
  }

  private mutating func set(_ entries: [String], _ mimeType: String, _ group: Group) {
    let text = "\(mimeType)=" + entries.map { "\($0);" }.joined()
    if let line = line(of: mimeType, in: group) {
      if entries.isEmpty { lines.remove(at: line) } else { lines[line] = text }
      if entries.isEmpty { removeHead(of: group) }
    } else if !entries.isEmpty, let range = range(of: group) {
      // Before the empty lines that separate the group from the next one.
      let end = lines[range].lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? range.lowerBound
      lines.insert(text, at: end)
    } else if !entries.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines += ["[\(group.rawValue)]", text]
    }
  }

  /// Removes the header of an empty group, and the empty lines before the next one.
  private mutating func removeHead(of group: Group) {
    guard let range = range(of: group), lines[range].allSatisfy(\.isEmpty) else { return }
    let isLast = range.upperBound == lines.endIndex
    lines.removeSubrange(range.lowerBound - 1..<range.upperBound)
    if isLast, lines.last == "" { lines.removeLast() }
  }
}
