public import ParticlesCore
public import ParticlesFormats
public import ParticlesImages
internal import ParticlesSystem

/// Finds the images that a particle file references, and other files with values of its effect.
///
/// References are seldom valid on another computer: they are names, paths in a project, or absolute paths on the
/// author's disk. A path in a project of Godot or Defold is looked up from the root of the file's project, or from a
/// folder of the caller that is such a root. Scenes and resources of Godot are found only there, because an equally
/// named file elsewhere would be wrong. Otherwise the last component is searched beside the file, in the usual
/// subfolders for images, and in the folders of the caller with their subfolders and asset catalogues. A reference
/// never leads to a file elsewhere.
///
/// Each folder is listed once for names that differ in case, and copies of a finder share the list.
/// Files created later are found by their exact names only. The documents of a batch share the
/// lists and do not find them at all.
///
/// Files of Unity name others by the identifiers in their `.meta` files, as `guid:` and 32 digits. They are looked up beside the
/// file, in the project that it is in, and in the folders of the caller.
public struct ImageFinder: Sendable {
  /// The folder that the particle file is in.
  public var folder: String

  /// More folders to search.
  public var folders: [String]

  /// The root of the file's project of Godot, Defold or Unity. With nil, the default, the nearest such root above the
  /// file.
  public var project: String?

  /// Limits for reading an image.
  public var limits: Limits

  private let listings = Listings.current ?? Listings()

  /// Creates a finder for the images of the particle file at `path`.
  public init(besides path: String, folders: [String] = [], limits: Limits = .standard) {
    folder = Files.folder(of: path)
    self.folders = folders
    self.limits = limits
  }

  /// Whether a folder is the root of a project of Godot, Defold or Unity.
  public static func isProject(_ folder: String) -> Bool { ProjectFolder.isRoot(folder) }

  /// The names of subfolders that are searched beside the particle file.
  public static let usualFolders = ["textures", "Textures", "images", "Images"]

  /// The searched folders, for messages: the folder of the file and its usual subfolders, as far as
  /// they exist, the root of its project, and the folders of the caller.
  public var searchedFolders: [String] {
    let usual = Self.usualFolders.map { Files.joined(folder, $0) }.filter {
      (try? Files.status($0))?.kind == .directory
    }
    return [folder.isEmpty ? "." : folder] + usual
      + (project.map { [$0] } ?? ProjectFolder.all(around: folder)).map { "the project \($0)" }
      + folders.map { "\($0) and its subfolders" }
  }

  /// Returns the bytes of an image, or nil if it is in none of the folders.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the image exists and cannot be read or exceeds the
  ///   limits.
  public func find(_ reference: String) throws(Failure) -> [UInt8]? {
    try image(reference)?.bytes
  }

  /// Returns an image with the name of its file, or nil if it is in none of the folders.
  /// - Throws: as ``find(_:)``.
  public func image(_ reference: String) throws(Failure) -> FoundImage? {
    guard let place = try place(of: reference) else { return nil }
    return FoundImage(
      name: place.name, bytes: try Files.read(place.path, limits: limits), scale: place.scale)
  }

  /// Returns the path of an image, or nil if it is in none of the folders. An exact match of the
  /// name ranks above a match that differs in case.
  public func path(of reference: String) throws(Failure) -> String? {
    try place(of: reference)?.path
  }

  private func place(of reference: String) throws(Failure) -> ImageTree.Place? {
    if reference.hasPrefix(UnityMeta.mark) { return unityPlace(of: reference) }
    let name = FoundImage.baseName(of: reference)
    guard !name.isEmpty, name != ".", name != "..", !name.contains("\0"),
      name.utf8.count < 256, reference.utf8.count < 1024
    else { return nil }
    if let (file, steps) = ProjectFolder.steps(of: reference) {
      let given = folders.lazy.compactMap { ProjectFolder(at: $0, file: file) }
      let projects = [own(file)].compactMap { $0 } + given
      if let path = projects.lazy.compactMap({ $0.file(steps) }).first {
        return ImageTree.Place(path: path, name: name)
      }
    }
    if ProjectFolder.isExact(reference) { return nil }
    let candidates = candidates(for: reference, name: name)
    let wanted = name.lowercased()
    for folder in candidates where listings.mayContain(name, wanted, in: folder) {
      let path = Files.joined(folder, name)
      if try isFile(path) { return ImageTree.Place(path: path, name: name) }
    }
    if let place = place(ofSubfoldersWith: reference, exactly: true) { return place }
    for folder in candidates {
      for entry in listings.names(in: folder, inLowerCase: wanted) {
        let path = Files.joined(folder, entry)
        if try isFile(path) { return ImageTree.Place(path: path, name: name) }
      }
    }
    return place(ofSubfoldersWith: reference, exactly: false)
  }

  /// The project that the file belongs to.
  private func own(_ file: String) -> ProjectFolder? {
    project.map { ProjectFolder(at: $0, file: file) }
      ?? listings.project(around: folder, file: file)
  }

  private func unityPlace(of reference: String) -> ImageTree.Place? {
    // The settings of a file are beside it.
    let ending = reference.hasSuffix(".meta") ? ".meta" : ""
    guard let guid = UnityMeta.guid(in: String(reference.dropLast(ending.count))) else {
      return nil
    }
    let path = unityFolders.lazy.compactMap { unityFiles($0).path(of: guid) }.first
    return path.map {
      ImageTree.Place(path: $0 + ending, name: Files.lastComponent(of: $0) + ending)
    }
  }

  /// Where files of Unity are looked up: beside the file, in its project, in the folders of the caller.
  private var unityFolders: [(path: String, isDeep: Bool)] {
    [(folder, false)]
      + ([own(ProjectFolder.unity)?.path].compactMap { $0 } + folders).map { ($0, true) }
  }

  private func unityFiles(_ folder: (path: String, isDeep: Bool)) -> UnityFiles {
    listings.unityFiles(below: folder.path, isDeep: folder.isDeep, limits: limits)
  }

  /// Returns the name of a file of Unity, which may be gone, if its `.meta` file is there.
  package func nameOfFile(_ reference: String) -> String? {
    guard let guid = UnityMeta.guid(in: reference) else { return nil }
    return unityFolders.lazy.compactMap { unityFiles($0).name(of: guid) }.first
  }

  private func place(ofSubfoldersWith reference: String, exactly: Bool) -> ImageTree.Place? {
    for folder in folders {
      let tree = listings.tree(below: folder, limits: limits)
      if let place = tree.place(of: reference, exactly: exactly) { return place }
    }
    return nil
  }

  private func candidates(for reference: String, name: String) -> [String] {
    var places = [folder]
    let components = reference.split(separator: "/", omittingEmptySubsequences: false)
    let staysInside =
      components.count > 1 && !reference.contains(":")
      && components.allSatisfy { !$0.isEmpty && $0 != ".." }
    if staysInside {
      places.append(Files.joined(folder, components.dropLast().joined(separator: "/")))
    }
    return places + folders + Self.usualFolders.map { Files.joined(folder, $0) }
  }

  private func isFile(_ path: String) throws(Failure) -> Bool {
    try Files.status(path)?.kind == .file
  }
}

/// A cache of folder listings.
final class Listings: Sendable {
  private struct State {
    /// The names in each folder, by their lower-case form.
    var folders: [String: [String: [String]]] = [:]
    var trees: [String: ImageTree] = [:]
    /// By the folder of a file, and the file at the root of the project.
    var projects: [[String]: ProjectFolder?] = [:]
    var unityFiles: [String: UnityFiles] = [:]
    /// Of each folder alone.
    var unityNeighbours: [String: UnityFiles] = [:]
  }

  /// Those of the batch that the current task belongs to.
  @TaskLocal static var current: Listings?

  private let state = Lock(State())
  private let isShared: Bool

  /// - Parameter isShared: whether several finders use the listings, so that looking for files one
  ///   by one would take longer.
  init(isShared: Bool = false) { self.isShared = isShared }

  /// Returns whether a folder has an entry of this name, whose lower-case form is `lowercased`. True
  /// if the folder has not been listed yet, or the listings are not shared.
  func mayContain(_ name: String, _ lowercased: String, in folder: String) -> Bool {
    guard isShared else { return true }
    return state.withLock { state in
      state.folders[folder].map { $0[lowercased]?.contains(name) ?? false } ?? true
    }
  }

  /// Returns the names in a folder whose lower-case form is `name`. A folder that cannot be listed
  /// has none. Names that are not UTF-8 are skipped.
  func names(in folder: String, inLowerCase name: String) -> [String] {
    state.withLock { state in
      let names = state.folders.cached(folder) {
        let isFolder = (try? Files.status(folder))?.kind == .directory
        let entries = isFolder ? (try? Files.list(folder, passingOver: { _ in })) ?? [] : []
        return Dictionary(grouping: entries) { $0.lowercased() }
      }
      return names[name] ?? []
    }
  }

  func project(around folder: String, file: String) -> ProjectFolder? {
    state.withLock {
      $0.projects.cached([folder, file]) { ProjectFolder(around: folder, file: file) }
    }
  }

  /// Returns the files in a folder, or also in its subfolders, by their identifiers in Unity.
  func unityFiles(below folder: String, isDeep: Bool, limits: Limits) -> UnityFiles {
    func make() -> UnityFiles {
      UnityFiles(below: folder.isEmpty ? "." : folder, isDeep: isDeep, limits: limits)
    }
    return state.withLock { state in
      isDeep
        ? state.unityFiles.cached(folder, make) : state.unityNeighbours.cached(folder, make)
    }
  }

  func tree(below folder: String, limits: Limits) -> ImageTree {
    state.withLock { $0.trees.cached(folder) { ImageTree(below: folder, limits: limits) } }
  }
}

/// Shared work of the documents of a batch: listings of folders, and decoded and compressed images.
package final class BatchFiles: Sendable {
  private let images = SharedImages()
  private let listings = Listings(isShared: true)

  package init() {}

  /// Runs `body` with the shared work.
  package func share<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Listings.$current.withValue(listings) { try images.share(body) }
  }
}

extension DecodingContext {
  /// Creates a context with the images that a finder finds. Without a finder, no image is found.
  public init(fileName: String, limits: Limits = .standard, images finder: ImageFinder?) {
    self.init(fileName: fileName, limits: limits)
    guard let finder else { return }
    findImage = { try finder.image($0) }
    nameOfFile = { finder.nameOfFile($0) }
    searchedFolders = { finder.searchedFolders }
  }
}

extension Dictionary {
  /// Returns the value of a key, which the first call makes.
  fileprivate mutating func cached(_ key: Key, _ make: () -> Value) -> Value {
    if let known = self[key] { return known }
    let value = make()
    updateValue(value, forKey: key)
    return value
  }
}

/// The files and asset catalogues in a folder and its subfolders.
///
/// Symbolic links and hidden entries are skipped. At most 20,000 entries are read, breadth first,
/// down to 8 levels.
struct ImageTree: Sendable {
  /// Where an image is.
  struct Place: Sendable {
    var path: String
    var name: String
    /// Pixels per point, if a catalogue states it.
    var scale: Int?
  }

  private struct Entry {
    var folder: String
    var name: String
    /// The names of its parent folders below the root, outer ones first.
    var folders: [String]
    var path: String { Files.joined(folder, name) }
  }

  /// By lower-case name. Image sets are listed without their extension.
  private var files: [String: [Entry]] = [:]
  private var imageSets: [String: [Entry]] = [:]
  private let limits: Limits

  private static let (depth, entries) = (8, 20_000)
  private static let imageSet = "imageset"

  init(below root: String, limits: Limits) {
    self.limits = limits
    var waiting = [(path: root, folders: [String]())][...]
    var rest = min(Self.entries, limits.entries)
    while let (path, folders) = waiting.popFirst() {
      guard let reader = try? FolderReader(path, followingLinks: folders.isEmpty),
        let names = try? reader.names(passingOver: { _ in })
      else { continue }
      for name in names where !name.hasPrefix(".") {
        guard rest > 0 else { return }
        rest -= 1
        let entry = Entry(folder: path, name: name, folders: folders)
        switch (try? reader.status(name))?.kind {
        case .file?: files[name.lowercased(), default: []].append(entry)
        case .directory? where Files.pathExtension(of: name) == Self.imageSet:
          imageSets[Files.stem(of: name).lowercased(), default: []].append(entry)
        case .directory? where folders.count < min(Self.depth, limits.depth):
          waiting.append((entry.path, folders + [name]))
        default: break
        }
      }
    }
  }

  /// Returns the place of an image: a file with the name of the last component, or else the largest
  /// image of an image set with that name, with or without extension. Of several, the place that
  /// shares the most parent folders with the reference is used, then the outermost.
  func place(of reference: String, exactly: Bool) -> Place? {
    let name = FoundImage.baseName(of: reference)
    let folders = reference.split { $0 == "/" || $0 == "\\" }.dropLast().map(String.init)
    func best(_ entries: [Entry]?, _ isNamed: (Entry) -> Bool) -> [Entry] {
      (entries ?? []).filter { !exactly || isNamed($0) }
        .map { (likeness: Self.likeness($0.folders, folders), entry: $0) }
        .sorted {
          ($1.likeness, $0.entry.folders.count) < ($0.likeness, $1.entry.folders.count)
        }.map { $0.entry }
    }
    if let file = best(files[name.lowercased()], { $0.name == name }).first {
      return Place(path: file.path, name: name)
    }
    for stem in [name, Files.stem(of: name)] {
      let sets = best(imageSets[stem.lowercased()]) { Files.stem(of: $0.name) == stem }
      for set in sets {
        if let place = largest(in: set, for: name) { return place }
      }
    }
    return nil
  }

  /// Returns the number of folders that two paths have in common, from the innermost outwards.
  private static func likeness(_ a: [String], _ b: [String]) -> Int {
    zip(a.reversed(), b.reversed()).prefix { $0.lowercased() == $1.lowercased() }.count
  }

  /// Returns the file of an image set that has the most pixels per point.
  private func largest(in set: Entry, for name: String) -> Place? {
    guard let reader = try? FolderReader(set.path, followingLinks: false),
      (try? reader.status("Contents.json"))?.kind == .file,
      let bytes = try? Files.read(Files.joined(set.path, "Contents.json"), limits: limits),
      let images = try? JSONParser.parse(bytes, limits: limits).object?["images"]?.array
    else { return nil }
    let variants = images.compactMap { image -> (file: String, scale: Int)? in
      guard let file = image.object?["filename"]?.string, !file.isEmpty,
        !file.contains("/"), !file.contains("\0"),
        (try? reader.status(file))?.kind == .file
      else { return nil }
      return (file, Int(image.object?["scale"]?.string?.prefix { $0 != "x" } ?? "") ?? 1)
    }
    guard let best = variants.max(by: { $0.scale < $1.scale }) else { return nil }
    let kind = Files.pathExtension(of: best.file)
    let isNamedRight = kind.isEmpty || Files.pathExtension(of: name) == kind
    return Place(
      path: Files.joined(set.path, best.file),
      name: isNamedRight ? name : "\(Files.stem(of: set.name)).\(kind)", scale: best.scale)
  }
}

/// The root of a project of an engine: the nearest folder above a file that has the file of a project in it, for Unity the folder
/// `Assets`.
///
/// Files of Godot name others by `res://` and their path from there, files of Defold by `/` and this path, files of Unity by
/// identifiers: see ``UnityFiles``.
struct ProjectFolder: Sendable {
  /// Its path, absolute and without symbolic links.
  let path: String

  /// How references into projects begin, and the files that projects have at their root.
  private static let kinds = [("res://", "project.godot"), ("/", "game.project")]
  /// The folder at the root of a project of Unity.
  static let unity = "Assets"
  private static let entries = kinds.map { $0.1 } + [unity]
  /// The folders above a file that are looked at, with its own one.
  private static let mostFolders = 32

  /// The file at the root of projects, and the steps from there that a reference names. Nil for a reference of another
  /// kind, or if it leaves the project.
  static func steps(of reference: String) -> (file: String, path: String)? {
    guard let (mark, file) = kinds.first(where: { reference.hasPrefix($0.0) }) else { return nil }
    let path = String(reference.dropFirst(mark.count))
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    let isInside = steps.allSatisfy { !["", ".", ".."].contains($0) && !$0.contains("\\") }
    return isInside ? (file, path) : nil
  }

  /// The endings of scenes and resources of Godot.
  private static let resources = [".tscn", ".scn", ".tres", ".res", ".material", ".mesh"]

  /// Whether a reference is the path in a project of a file that has no other name.
  static func isExact(_ reference: String) -> Bool {
    let name = reference.lowercased()
    return name.hasPrefix("res://") && resources.contains { name.hasSuffix($0) }
  }

  /// A folder, if it is the root of a project. Nil otherwise.
  init?(at folder: String, file: String) {
    guard let folder = try? Files.resolve(folder.isEmpty ? "." : folder),
      let entry = try? Files.status(Files.joined(folder, file)),
      entry.kind == (file == Self.unity ? .directory : .file)
    else { return nil }
    path = folder
  }

  /// The root of the project that a folder is in, or nil if there is none.
  init?(around folder: String, file: String) {
    guard var folder = try? Files.resolve(folder.isEmpty ? "." : folder) else { return nil }
    for _ in 0..<Self.mostFolders {
      if let project = ProjectFolder(at: folder, file: file) {
        self = project
        return
      }
      let above = Files.folder(of: folder)
      guard !above.isEmpty, above != folder else { return nil }
      folder = above
    }
    return nil
  }

  /// Whether a folder is the root of a project of any engine.
  static func isRoot(_ folder: String) -> Bool {
    entries.contains { ProjectFolder(at: folder, file: $0) != nil }
  }

  /// The roots of the projects that a folder is in.
  static func all(around folder: String) -> [String] {
    entries.compactMap { ProjectFolder(around: folder, file: $0)?.path }
  }

  /// Returns the path of a file. Nil if there is none, or if a symbolic link leads out of the project.
  func file(_ steps: String) -> String? {
    let joined = Files.joined(path, steps)
    guard (try? Files.status(joined))?.kind == .file, let real = try? Files.resolve(joined),
      path == "/" || real.hasPrefix(path + "/")
    else { return nil }
    return joined
  }
}

/// The files of a project of Unity by the identifiers that their `.meta` files state.
///
/// Symbolic links, hidden entries and the folder `Library` are skipped. At most 100,000 entries are read, breadth first, down to 16
/// levels.
struct UnityFiles: Sendable {
  private var paths: [String: String] = [:]
  /// The names of files that are gone.
  private var missing: [String: String] = [:]

  private static let (depth, entries) = (16, 100_000)
  /// Folders with files that Unity derives, and with settings of a user.
  private static let skipped: Set<String> = ["Library", "Logs", "Temp", "obj", "UserSettings"]

  /// - Parameter isDeep: whether folders below it are looked at, too.
  init(below root: String, isDeep: Bool = true, limits: Limits) {
    let deepest = isDeep ? min(Self.depth, limits.depth) : 0
    var waiting = [(path: root, depth: 0)][...]
    var rest = min(Self.entries, limits.entries)
    while let (path, depth) = waiting.popFirst() {
      guard let reader = try? FolderReader(path, followingLinks: depth == 0),
        let names = try? reader.names(passingOver: { _ in })
      else { continue }
      let known = Set(names)
      for name in names where !name.hasPrefix(".") {
        guard rest > 0 else { return }
        rest -= 1
        let kind = (try? reader.status(name))?.kind
        if kind == .directory, depth < deepest, !Self.skipped.contains(name) {
          waiting.append((Files.joined(path, name), depth + 1))
        }
        guard kind == .file, name.hasSuffix(".meta") else { continue }
        add(
          Files.joined(path, name), isThere: known.contains(String(name.dropLast(5))), limits)
      }
    }
  }

  private mutating func add(_ path: String, isThere: Bool, _ limits: Limits) {
    guard let bytes = try? Files.read(path, limits: limits),
      let guid = UnityMeta.guid(ofMeta: bytes)
    else { return }
    let file = String(path.dropLast(5))
    if isThere {
      paths[guid] = paths[guid] ?? file
    } else {
      missing[guid] = missing[guid] ?? Files.lastComponent(of: file)
    }
  }

  /// Returns the name of a file, which may be gone, if its `.meta` file is there.
  func name(of guid: String) -> String? {
    paths[guid].map(Files.lastComponent) ?? missing[guid]
  }

  /// Returns the path of a file, or nil if there is none.
  func path(of guid: String) -> String? {
    guard let path = paths[guid], (try? Files.status(path))?.kind == .file else { return nil }
    return path
  }
}
