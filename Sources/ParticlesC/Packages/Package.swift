internal import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore

/// A package behind a handle. Of a flat package only the end is read until all of the tree is needed.
final class PackageHandle: Handle {
  override class var kind: UInt32 { 1 }

  private enum Contents {
    /// A flat package that is read entry by entry.
    case reader(ContainerReader, ByteSource, path: String?)
    case whole(Container)
  }

  private var contents = Contents.whole(Container())
  private var limits = Limits.standard

  /// All of the package.
  var container: Container {
    get throws {
      switch contents {
      case .whole(let container): return container
      case .reader(_, let source, let path):
        let container =
          try path.map { try Container(opening: source, at: $0, limits: limits) }
          ?? Container(decoding: source, limits: limits)
        contents = .whole(container)
        return container
      }
    }
  }

  /// Changes the package. `body` must leave it as it was if it fails.
  func change<Result>(_ body: (inout Container) throws -> Result) throws -> Result {
    var container = try container
    // Released, because a change copies what is shared.
    contents = .whole(Container())
    defer { contents = .whole(container) }
    return try body(&container)
  }

  /// The same for work that can be cancelled.
  func save(_ body: (inout Container) throws -> Void) throws {
    var container = try container
    contents = .whole(Container())
    defer { contents = .whole(container) }
    try cancellable { try body(&container) }
  }

  func take(_ container: Container, limits: Limits = .standard) {
    (contents, self.limits) = (.whole(container), limits)
  }

  /// Opens what is at a path.
  func open(_ path: String, _ limits: Limits) throws {
    self.limits = limits
    if try SafeSave.status(of: path)?.kind == .directory {
      contents = .whole(try Container(contentsOf: path, limits: limits))
    } else {
      let source = try ByteSource.file(path)
      contents = .reader(try ContainerReader(source, limits: limits), source, path: path)
    }
  }

  func open(_ source: ByteSource, _ limits: Limits) throws {
    self.limits = limits
    contents = .reader(try ContainerReader(source, limits: limits), source, path: nil)
  }

  func copy(to other: PackageHandle) {
    (other.contents, other.limits) = (contents, limits)
  }

  // MARK: Reading

  var path: String? {
    switch contents {
    case .reader(_, _, let path): path
    case .whole(let container): container.path
    }
  }

  var form: Container.Form? {
    switch contents {
    case .reader: .flat
    case .whole(let container): container.form
    }
  }

  var count: Int {
    switch contents {
    case .reader(let reader, _, _): return reader.entryCount
    case .whole(let container):
      var count = 0
      container.root.forEachDescendant { _, _, _ in count += 1 }
      return count
    }
  }

  /// An entry and its contents.
  struct Found {
    var kind: Container.Entry.Kind
    var size: Int
    var contents: FileContents?
  }

  func find(_ path: String) throws -> Found {
    switch contents {
    case .reader(let reader, _, _):
      guard let entry = try reader.entry(path) else {
        throw Diagnostic(.noEntry, at: .entry(path))
      }
      return Found(
        kind: entry.kind, size: entry.size,
        contents: entry.isFile ? reader.contents(of: entry) : nil)
    case .whole(let container):
      guard !path.isEmpty, let node = container.root[path] else {
        throw Diagnostic(.noEntry, at: .entry(path))
      }
      return Found(kind: node.entryKind, size: node.contents?.size ?? 0, contents: node.contents)
    }
  }

  var warnings: [Diagnostic] {
    switch contents {
    case .reader(let reader, _, _): reader.warnings
    case .whole(let container): container.warnings
    }
  }

  func verify(_ depth: ContainerReader.Depth) throws -> [Diagnostic] {
    switch contents {
    case .reader(let reader, _, _): try reader.verify(depth)
    case .whole(let container): try container.verify(depth)
    }
  }

  /// Writes the files into a folder. A new folder appears when it is complete.
  func extract(
    to folder: String, replacing isReplacing: Bool, synchronizing isSynchronizing: Bool,
    _ work: Container.WorkOptions
  ) throws {
    guard try Files.status(folder) == nil else {
      return try container.root.extract(into: folder, replacing: isReplacing, work: work)
    }
    if case .reader(let reader, _, _) = contents {
      try reader.unpack(toDirectory: folder, synchronizing: isSynchronizing, work: work)
    } else {
      try container.root.write(toDirectory: folder, synchronizing: isSynchronizing, work: work)
    }
  }

  /// The contents of a file.
  func file(_ path: String) throws -> FileContents {
    guard let contents = try find(path).contents else {
      throw Diagnostic(.noEntry, at: .entry(path), "this is not a file")
    }
    return contents
  }

  /// Calls `body` with each entry below a folder.
  func forEach(
    below folder: String, recursively: Bool, _ body: (String, FileNode) throws -> Void
  ) throws {
    let root = try container.root
    guard let start = folder.isEmpty ? root : root[folder] else {
      throw Diagnostic(.noEntry, at: .entry(folder))
    }
    let prefix = folder.isEmpty ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    if recursively {
      try start.forEachDescendant { try body(prefix + $0, $1) }
    } else {
      for child in start.children ?? [] { try body(prefix + child.name, child.node) }
    }
  }
}

extension FileNode {
  var entryKind: Container.Entry.Kind {
    switch kind {
    case .directory: .directory
    case .file: .file(isExecutable: isExecutable)
    case .link: .symbolicLink(symbolicLinkDestination ?? "")
    }
  }
}

extension particles_entry {
  init(_ path: String, _ kind: Container.Entry.Kind, bytes: Int, _ strings: Strings) {
    self.init()
    size = MemoryLayout<Self>.size
    self.path = strings.add(path)
    switch kind {
    case .directory: self.kind = CInt(PARTICLES_DIRECTORY)
    case .file(let isExecutable):
      (self.kind, executable) = (CInt(PARTICLES_FILE), isExecutable ? 1 : 0)
      self.bytes = Int64(bytes)
    case .symbolicLink(let destination):
      self.kind = CInt(PARTICLES_LINK)
      target = strings.add(destination)
    }
  }
}
