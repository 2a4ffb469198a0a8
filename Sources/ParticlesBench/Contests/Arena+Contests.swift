internal import ParticlesContainer
internal import ParticlesCore

extension Arena {
  /// The contest of an operation; nil where there is nothing to learn from it on this shape.
  func contest(_ operation: Operation, peers: [Peer]) throws -> Contest? {
    if !operation.isAboutPackages, shape != .tiny { return nil }
    if operation == .appendSynced, shape != .tiny, shape != .many { return nil }
    if operation == .batch { return try batch() }
    if operation.particleCount != nil { return try simulation(operation) }
    if operation.isPicture { return try pictures(operation) }
    if let format = operation.exportFormat { return try exports(operation, to: format) }
    if let contest = try live(operation) { return contest }
    let ours: Contestant
    switch operation {
    case .append, .appendSynced: ours = try saveInProcess(.append, operation)
    case .replace: ours = try saveInProcess(.replace, operation)
    case .read: ours = try readInProcess()
    case .decode: ours = Self.decode
    case .encode: ours = Self.encode
    case .typesLoad: ours = loadTypes()
    case .typeOfExtension: ours = typeOfExtension()
    case .conforms: ours = conforms()
    default:
      guard let contestant = try contestant(operation, Peer.ours) else { return nil }
      ours = contestant
    }
    var others = try peers.compactMap { try contestant(operation, $0) }
    switch operation {
    case .replace: others.append(try copy())
    case .read: others.append(try readWholeFile())
    case .decode: others.append(Self.parseJSON)
    case .encode: others.append(Self.printJSON)
    case .list, .extract, .verify, .start, .info, .convert:
      if shape == .tiny { others.append(nothing()) }
    default: break
    }
    return Contest(operation: operation, shape: shape, ours: ours, peers: others)
  }

  private func contestant(_ operation: Operation, _ peer: Peer) throws -> Contestant? {
    guard let recipe = peer.recipes[operation] else { return nil }
    switch operation {
    case .pack:
      return packing(recipe, to: archivePath(of: peer), isOurs: peer.name == Peer.ours.name)
    case .packFast:
      let path = path("archives/fast.\(peer.fileExtension)")
      return packing(recipe, to: path, isOurs: peer.name == Peer.ours.name)
    case .unpack: return try unpacking(recipe, peer)
    case .append, .appendSynced, .replace: return try updating(recipe, peer, operation)
    case .info:
      let document = path("document.particles")
      try Files.clear(document)
      _ = try ChildProcess(words: [tool, "new", document]).run()
      return Contestant(label: recipe.label, work: .process(process(recipe, archive: "")))
    case .convert:
      try writeEffect(to: path("effect.sks"))
      return Contestant(label: recipe.label, work: .process(process(recipe, archive: "")))
    case .list, .extract, .verify, .verifyQuick, .read, .start:
      let process = process(recipe, archive: try archive(of: peer))
      return Contestant(
        label: recipe.label, work: .process(process),
        check: { [self] in try check(operation, process) })
    default: return nil
    }
  }

  private func packing(_ recipe: Peer.Recipe, to path: String, isOurs: Bool) -> Contestant {
    Contestant(
      label: recipe.label, prepare: { try Files.clear(path) },
      work: .process(process(recipe, archive: path, folder: source)),
      // Packages of peers are checked when they are unpacked.
      check: { [self] in if isOurs { try expectSource(in: path) } },
      size: { try Files.status(path)?.size })
  }

  private func unpacking(_ recipe: Peer.Recipe, _ peer: Peer) throws -> Contestant {
    let archive = try archive(of: peer)
    return Contestant(
      label: recipe.label,
      prepare: { [output] in
        try Files.clear(output)
        if recipe.isInside { try Files.makeDirectory(output) }
      },
      work: .process(process(recipe, archive: archive, folder: output)),
      check: { [self] in try expectSource(in: output) })
  }

  private func nothing() -> Contestant {
    let recipe = Peer.nothing
    return Contestant(label: recipe.label, work: .process(process(recipe, archive: "")))
  }

  /// Checks the output of a program, as far as all programs have it in common.
  private func check(_ operation: Operation, _ process: ChildProcess) throws {
    switch operation {
    case .extract:
      let expected = try Files.read(Files.joined(source, shape.entry))
      guard try process.output() == expected else {
        throw ChildProcess.Failure(text: "the extracted file is another one")
      }
    case .list:
      let lines = try process.output().count { $0 == UInt8(ascii: "\n") }
      guard lines >= fileCount else {
        throw ChildProcess.Failure(text: "\(lines) lines for \(fileCount) files")
      }
    default: break
    }
  }
}
