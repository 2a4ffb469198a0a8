internal import ParticlesContainer
internal import ParticlesCore

/// Contests that run inside this process, and their peers.
extension Arena {
  /// Saves an open document, of which 4 KB have changed, in place.
  func saveInProcess(_ mode: SaveMode, _ operation: Operation) throws -> Contestant {
    let path = Files.joined(saves(operation), "\(mode).particles")
    try copy(try archive(of: Peer.ours), to: path)
    var container = Container()
    var changes = 0
    return Contestant(
      label: "library",
      prepare: { [shape] in
        container = try Container(contentsOf: path)
        changes += 1
        let node = FileNode(regularFileWithContents: Shape.change(changes))
        try container.root.setFileNode(node, at: shape.entry)
      },
      work: .call { try container.save(mode: mode) },
      check: {
        guard try Container(contentsOf: path).root.treeDigest() == container.root.treeDigest()
        else {
          throw ChildProcess.Failure(text: "the saved package is not the one that was changed")
        }
      },
      size: { try Files.status(path)?.size })
  }

  /// Makes the same change in the package of a peer.
  func updating(
    _ recipe: Peer.Recipe, _ peer: Peer, _ operation: Operation
  ) throws -> Contestant {
    let path = Files.joined(saves(operation), "update.\(peer.fileExtension)")
    try copy(try archive(of: peer), to: path)
    let place = Files.joined(saves(operation), peer.name)
    let file = Files.joined(place, shape.entry)
    try Files.clear(place)
    var folder = place
    try Files.makeDirectory(folder)
    for name in shape.entry.split(separator: "/").dropLast() {
      folder = Files.joined(folder, String(name))
      try Files.makeDirectory(folder)
    }
    var changes = 0
    return Contestant(
      label: recipe.label,
      prepare: {
        changes += 1
        try Files.clear(file)
        try Files.create(file, Shape.change(changes))
      },
      work: .process(process(recipe, archive: path, insideOf: place)))
  }

  /// Copies the package.
  func copy() throws -> Contestant {
    let recipe = Peer.copy
    return Contestant(
      label: recipe.label, prepare: { [self] in try Files.clear(path("saves/copy")) },
      work: .process(process(recipe, archive: try archive(of: Peer.ours))))
  }

  /// Opens a package and reads one file, as an application does that shows a thumbnail.
  func readInProcess() throws -> Contestant {
    let path = try archive(of: Peer.ours)
    let name = shape.entry
    let expected = try Files.read(Files.joined(source, name))
    func contents() throws -> [UInt8]? {
      let reader = try ContainerReader(.file(path))
      return try reader.entry(name).map { try reader.contents(of: $0).bytes() }
    }
    return Contestant(
      label: "library", work: .shortCall { _ = try contents() },
      check: {
        guard try contents() == expected else {
          throw ChildProcess.Failure(text: "the file that was read is another one")
        }
      })
  }

  /// Reads the whole package into memory without parsing it.
  func readWholeFile() throws -> Contestant {
    let path = try archive(of: Peer.ours)
    let size = try Files.status(path)?.size ?? 0
    var buffer = [UInt8](repeating: 0, count: min(size, 256 << 10))
    return Contestant(
      label: "read(2)",
      work: .shortCall {
        let file = try OpenFile(reading: path)
        for offset in stride(from: 0, to: size, by: buffer.count) {
          try buffer.withUnsafeMutableBytes {
            let count = min($0.count, size - offset)
            try file.read(
              at: offset, into: UnsafeMutableRawBufferPointer(rebasing: $0.prefix(count)))
          }
        }
      })
  }

  private func copy(_ from: String, to: String) throws {
    try Files.clear(to)
    _ = try ChildProcess(words: ["cp", from, to]).run()
  }
}
