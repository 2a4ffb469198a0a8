internal import ParticlesArchives
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Packages of Unity: tar archives in gzip with a folder for each asset, which is named by its identifier. The folder has the file as
/// `asset`, its settings as `asset.meta`, and its path in the project in `pathname`.
enum UnityPackage {
  /// The longest file with a path.
  private static let pathBytes = 4096

  static func isPackage(_ bytes: [UInt8], _ fileName: String) -> Bool {
    Files.pathExtension(of: fileName).lowercased() == "unitypackage" && Tar.isArchive(bytes)
  }

  // MARK: Reading

  /// Opens a package: the files of the project at their paths, each with its `.meta` file.
  /// - Throws: ``ParticlesCore/Rule/name`` for a path that leaves the project, ``ParticlesCore/Rule/link`` for an asset that is a link,
  ///   ``ParticlesCore/Rule/duplicate`` for a path that two assets have, ``ParticlesCore/Rule/limit``; the errors of tar archives.
  static func unpack(_ source: ByteSource, limits: Limits) throws -> Container {
    let archive = try Tar.unpack(source, limits: limits)
    return try locating(Location(file: source.name)) {
      var root = FileNode.emptyDirectory
      for folder in archive.root.children ?? [] where folder.node.isDirectory {
        guard let path = try path(of: folder.node, folder.name, limits) else { continue }
        for (name, target) in [("asset", path), ("asset.meta", path + ".meta")] {
          guard let node = folder.node[name], !node.isDirectory else { continue }
          let place = "\(folder.name)/\(name)"
          guard node.isRegularFile else { throw Diagnostic(.link, at: .entry(place)) }
          guard root[target] == nil else { throw Diagnostic(.duplicate, at: .entry(target)) }
          try locating(.entry(place)) { try root.setFileNode(node, at: target) }
        }
      }
      guard root.children?.isEmpty == false else {
        throw Diagnostic(
          .tar, "an archive without assets of Unity",
          expected: "folders with 'asset' and 'pathname'")
      }
      return Container(root: root, warnings: archive.warnings)
    }
  }

  /// The path of an asset in the project; nil for a folder without one.
  private static func path(of folder: FileNode, _ name: String, _ limits: Limits) throws -> String?
  {
    guard let contents = folder["pathname"]?.contents else { return nil }
    let location = Location.entry("\(name)/pathname")
    guard contents.size <= pathBytes else {
      throw Diagnostic(.limit, at: location, "bytes of a path", expected: "at most \(pathBytes)")
    }
    // A second line has a number that means nothing.
    let line = try contents.bytes().prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    return try EntryPath.validated(Array(line), limits: limits, at: location)
  }

  // MARK: Writing

  /// Writes files as a package: those of an effect as a prefab with its materials and pictures, or any other tree as it is.
  static func pack(
    _ root: FileNode, _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [Diagnostic] {
    let (files, losses) =
      try root["document.json"] == nil ? (self.files(of: root), []) : prefab(root)
    var tree = FileNode.emptyDirectory
    for (path, contents) in files where !path.hasSuffix(".meta") {
      let bytes = try contents.bytes()
      let meta = try files[path + ".meta"]?.bytes()
      let guid = meta.flatMap(ImageFinder.guid) ?? UnityNewFile.guid(of: bytes)
      let isInside = path.hasPrefix("Assets/") || path.hasPrefix("Packages/")
      let parts = [
        ("asset", bytes), ("asset.meta", meta ?? UnityNewFile.meta(of: path, guid: guid)),
        ("pathname", Array((isInside ? path : "Assets/\(path)").utf8)),
      ]
      guard tree[guid] == nil else {
        throw Diagnostic(.duplicate, at: .entry(path), "two assets with the identifier \(guid)")
      }
      for (name, bytes) in parts {
        try tree.setFileNode(FileNode(regularFileWithContents: bytes), at: "\(guid)/\(name)")
      }
    }
    var archive: [UInt8] = []
    _ = try Tar.pack(tree) { archive += $0 }
    try Deflate(level: 9).gzip(archive).withUnsafeBytes(sink)
    return losses
  }

  private static func files(of root: FileNode) throws -> [String: FileContents] {
    var files: [String: FileContents] = [:]
    root.forEachDescendant { path, node in files[path] = node.contents }
    return files
  }

  /// The files of a new prefab for the effect of a package.
  private static func prefab(_ root: FileNode) throws -> ([String: FileContents], [Diagnostic]) {
    let document = try root["document.json"]?.regularFileContents() ?? []
    let system = try ParticleSystem(decoding: document)
    let name = ImportedImage.packageName(system.asset.name ?? "")
    let stem = name.isEmpty ? "effect" : name
    let context = EncodingContext(fileName: "\(stem).prefab") {
      try root[$0]?.regularFileContents()
    }
    let exported = try ParticleFormat.unity.export(system, context)
    var files = exported.beside
    for part in exported.parts { files[part.name] = part.bytes }
    let paths = files.map { ("Assets/\(stem)/\($0.key)", FileContents($0.value)) }
    return (Dictionary(paths, uniquingKeysWith: { first, _ in first }), exported.losses)
  }
}

extension ParticleFormat {
  /// Packages of Unity: prefabs with their materials and pictures in one file.
  public static let unityPackage = ParticleFormat(
    name: "unitypackage", title: "Unity package", extensions: ["unitypackage"],
    recognise: { UnityPackage.isPackage($0, $1) }, unpack: UnityPackage.unpack,
    pack: UnityPackage.pack
  ).declaring(.unityPackage)
}
