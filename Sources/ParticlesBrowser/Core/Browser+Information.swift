public import ParticlesCore
internal import ParticlesDesktop
internal import ParticlesDocuments

extension Browser {
  /// The facts about an item: path, type, conformances, size, dates, tags, versions, programs that open it.
  public func information(about id: BrowserItem.ID) async throws -> JSONValue {
    let item = try await item(id)
    guard case .object(var object) = item.json else { return item.json }
    object["conformsTo"] = .array(types.supertypes(of: item.type).map(JSONValue.string))
    guard let path = item.path else { return .object(object) }
    if let status = try Files.status(path, followingLinks: false) {
      object["mode"] = .int(Int(status.mode))
      object["hardLinks"] = .int(status.links)
      if status.kind == .symbolicLink {
        object["target"] = .string(try Files.destination(ofLink: path))
      }
    }
    if item.kind == .package || item.isFolder {
      let (size, files) = Self.size(of: path)
      object["size"] = .int(size)
      object["files"] = .int(files)
    }
    if let folder = environment.directories.dataHome, !item.isFolder {
      let versions = try? VersionStore(dataFolder: folder).versions(of: path)
      object["versions"] = .array(
        (versions ?? []).map { version in
          [
            "number": .int(version.number), "kind": .string("\(version.kind)"),
            "seconds": .double(version.seconds),
          ]
        })
    }
    if !item.isFolder, let programs = try? Desktop(environment: environment.variables) {
      let type = types.info(item.name, item.kind).mimeType
      object["opensIn"] = .array(
        programs.programs(for: type, includingSupertypes: true).map {
          ["id": .string($0.identifier), "name": .string($0.name)]
        })
    }
    return .object(object)
  }

  /// The bytes and the number of the files in a folder; of very many, those of the first.
  private static func size(of path: String) -> (bytes: Int, files: Int) {
    var (bytes, files, seen, waiting) = (0, 0, 0, [path])
    while let folder = waiting.popLast(), seen < 100_000 {
      guard let reader = try? FolderReader(folder, followingLinks: folder == path) else { continue }
      try? reader.forEachEntry { entry in
        seen += 1
        guard let status = entry.status else { return }
        if status.kind == .directory {
          if let name = String(validating: entry.name, as: UTF8.self) {
            waiting.append(Files.joined(folder, name))
          }
        } else {
          bytes += status.size
          files += 1
        }
      }
    }
    return (bytes, files)
  }
}
