public import ParticlesCore

/// An image file.
public struct FoundImage: Sendable {
  /// The name of its file, without folders.
  public var name: String

  /// Its bytes.
  public var bytes: [UInt8]

  /// Pixels per point, if an asset catalogue states it.
  public var scale: Int?

  /// Creates an image.
  public init(name: String, bytes: [UInt8], scale: Int? = nil) {
    self.name = name
    self.bytes = bytes
    self.scale = scale
  }
}

/// Finds the images that a particle file references, and other files with values of its effect.
///
/// References are seldom valid on another computer: they are names, paths in a project, or absolute
/// paths on the author's disk. A path in a project of Godot or Defold is looked up from the root of the
/// project that the file is in, or from a folder of the caller that is such a root. Scenes and resources of Godot are found
/// there only: another one of the same name would be a wrong one. Otherwise the last component is searched beside the file, in the usual
/// subfolders for images, and in the folders of the caller with their subfolders and asset
/// catalogues. A reference never leads to a file elsewhere.
///
/// Each folder is listed once for names that differ in case, and the list is shared by copies of a
/// finder: files created later are found by their exact names only. The documents of a batch share
/// the lists and do not find them at all.
///
/// Files of Unity name others by the identifiers in their `.meta` files, as `guid:` and 32 digits. They are looked up beside the
/// file, in the project that it is in, and in the folders of the caller.
public struct ImageFinder: Sendable {
  /// The folder that the particle file is in.
  public var folder: String

  /// More folders to search.
  public var folders: [String]

  /// The root of the project of Godot, Defold or Unity that the file belongs to; nil, the default, for the nearest folder above
  /// the file that is one.
  public var project: String?

  /// Limits for reading an image.
  public var limits: Limits

  private let listings = SharedImages.listings()

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

  /// The folders that are searched, for messages: those that exist of the folder of the file and the
  /// usual ones in it, the root of its project, and those of the caller.
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
  public func find(_ reference: String) throws -> [UInt8]? { try image(reference)?.bytes }

  /// Returns an image with the name of its file, or nil if it is in none of the folders.
  /// - Throws: as ``find(_:)``.
  public func image(_ reference: String) throws -> FoundImage? {
    guard let place = try place(of: reference) else { return nil }
    return FoundImage(
      name: place.name, bytes: try Files.read(place.path, limits: limits), scale: place.scale)
  }

  /// Returns the path of an image, or nil if it is in none of the folders. An exact match of the
  /// name ranks above one that differs in case.
  public func path(of reference: String) throws -> String? { try place(of: reference)?.path }

  private func place(of reference: String) throws -> ImageTree.Place? {
    if reference.hasPrefix(UnityFiles.mark) { return unityPlace(of: reference) }
    let name = Self.baseName(of: reference)
    guard !name.isEmpty, name != ".", name != "..", !name.contains("\0"),
      name.utf8.count < 256, reference.utf8.count < 1024
    else { return nil }
    if let (file, steps) = ProjectFolder.steps(of: reference) {
      let given = folders.lazy.compactMap { ProjectFolder(at: $0, file: file) }
      let projects = [own(file)].compactMap(\.self) + given
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
    guard let guid = UnityFiles.guid(in: String(reference.dropLast(ending.count))) else {
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
      + ([own(ProjectFolder.unity)?.path].compactMap(\.self) + folders).map { ($0, true) }
  }

  private func unityFiles(_ folder: (path: String, isDeep: Bool)) -> UnityFiles {
    listings.unityFiles(below: folder.path, isDeep: folder.isDeep, limits: limits)
  }

  /// Returns the name of a file of Unity, which may be gone, if its `.meta` file is there.
  package func nameOfFile(_ reference: String) -> String? {
    guard let guid = UnityFiles.guid(in: reference) else { return nil }
    return unityFolders.lazy.compactMap { unityFiles($0).name(of: guid) }.first
  }

  /// Returns the identifier that a `.meta` file of Unity states; nil for another file.
  package static func guid(ofMeta bytes: [UInt8]) -> String? { UnityFiles.guid(ofMeta: bytes) }

  private func place(ofSubfoldersWith reference: String, exactly: Bool) -> ImageTree.Place? {
    for folder in folders {
      let tree = listings.tree(below: folder, limits: limits)
      if let place = tree.place(of: reference, exactly: exactly) { return place }
    }
    return nil
  }

  /// Returns the last component of a reference; both `/` and `\` separate components.
  public static func baseName(of reference: String) -> String {
    let component = reference.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    return reference.hasPrefix("file:") ? removingPercentEncoding(component) : component
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

  private func isFile(_ path: String) throws -> Bool { try Files.status(path)?.kind == .file }

  private static func removingPercentEncoding(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        rest.removeFirst(2)
        bytes.append(code)
      } else {
        bytes.append(byte)
      }
    }
    let decoded = String(decoding: bytes, as: UTF8.self)
    return decoded.contains("/") || decoded.contains("\\") ? text : decoded
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

  private let state = Lock(State())
  private let isShared: Bool

  /// - Parameter isShared: whether several finders use the listings, so that looking for files one
  ///   by one would take longer.
  init(isShared: Bool = false) { self.isShared = isShared }

  /// Returns whether a folder has an entry of this name, whose lower-case form is `lowercased`; true
  /// if the folder has not been listed yet, or the listings are not shared.
  func mayContain(_ name: String, _ lowercased: String, in folder: String) -> Bool {
    guard isShared else { return true }
    return state.withLock { state in
      state.folders[folder].map { $0[lowercased]?.contains(name) ?? false } ?? true
    }
  }

  /// Returns the names in a folder whose lower-case form is `name`. A folder that cannot be listed
  /// has none; names that are not UTF-8 are skipped.
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

  /// Returns the project that a folder is in.
  func project(around folder: String, file: String) -> ProjectFolder? {
    state.withLock {
      $0.projects.cached([folder, file]) { ProjectFolder(around: folder, file: file) }
    }
  }

  /// Returns the files in a folder, or also in those below, by their identifiers in Unity.
  func unityFiles(below folder: String, isDeep: Bool, limits: Limits) -> UnityFiles {
    func make() -> UnityFiles {
      UnityFiles(below: folder.isEmpty ? "." : folder, isDeep: isDeep, limits: limits)
    }
    return state.withLock { state in
      isDeep
        ? state.unityFiles.cached(folder, make) : state.unityNeighbours.cached(folder, make)
    }
  }

  /// Returns the images below a folder.
  func tree(below folder: String, limits: Limits) -> ImageTree {
    state.withLock { $0.trees.cached(folder) { ImageTree(below: folder, limits: limits) } }
  }
}

extension Dictionary {
  /// Returns the value of a key, which is made when it is needed first.
  fileprivate mutating func cached(_ key: Key, _ make: () -> Value) -> Value {
    if let known = self[key] { return known }
    let value = make()
    updateValue(value, forKey: key)
    return value
  }
}
