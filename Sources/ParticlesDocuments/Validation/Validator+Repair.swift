internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

extension Validator {
  /// Repairs what can be repaired without guessing, and saves the package in its place and form:
  ///
  /// - keys of curves and gradients are sorted by time;
  /// - what the document says of an image becomes what is so;
  /// - copies that Apple's file wrappers made of a file go;
  /// - the document is written in canonical form;
  /// - an unfinished save behind the last finished one goes, and what killed saves left beside.
  ///
  /// Nothing is done to a package whose bytes are damaged, to a document that cannot be read, and to
  /// files of other formats.
  /// - Parameters:
  ///   - path: the package, in either form.
  ///   - isSaving: whether to do it, or only to say what would be done.
  /// - Returns: what was done; nothing if nothing had to be.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`. Then everything is as it was.
  public func repair(_ path: String, saving isSaving: Bool = true) throws -> [Diagnostic.Repair] {
    let place = Location(file: path)
    do {
      var package = EffectPackage(try Container(contentsOf: path, limits: limits))
      guard try package.container.form == .directory || isSound(path) else { return [] }
      var repairs = try mend(&package)
      for warning in package.container.warnings where warning.rule == .torn {
        repairs.append(Repair(.torn, "removed an unfinished save"))
      }
      let leftovers = try SafeSave.leftovers(of: path)
      if isSaving {
        if !repairs.isEmpty { try package.container.save(mode: .replace) }
        SafeSave.removeLeftovers(of: try Files.target(of: path))
      }
      // Those of other users stay where they are.
      let remaining = Set(isSaving ? try SafeSave.leftovers(of: path) : [])
      repairs += leftovers.filter { !remaining.contains($0) }.map {
        Repair(.fileLeftover, "removed '\(Files.lastComponent(of: $0))'")
      }
      return repairs.map { $0.inside(place) }
    } catch let diagnostic as Diagnostic {
      if diagnostic.rule.family == "file" { throw diagnostic.inside(place) }
      // What is wrong with it is what checking says.
      return []
    }
  }

  private func isSound(_ path: String) throws -> Bool {
    try ContainerReader(.file(path), limits: limits).verify(.full)
      .allSatisfy { $0.severity < .error }
  }

  /// Repairs the package in memory.
  private func mend(_ package: inout EffectPackage) throws -> [Repair] {
    let old = try package.document(limits: limits)
    var system = try package.system(limits: limits)
    var repairs = system.mend()
    repairs += refreshImages(of: &system, in: package)
    let new = system.encoded()
    if new != old {
      if repairs.isEmpty { repairs.append(Repair(.canonical, "wrote the document anew")) }
      try package.setDocument(new)
    }
    repairs = repairs.map { $0.inside(.entry(EffectPackage.documentPath)) }
    return try repairs + removeCopies(&package)
  }

  private func refreshImages(
    of system: inout ParticleSystem, in package: EffectPackage
  ) -> [Repair] {
    var repairs: [Repair] = []
    for (index, image) in system.images.enumerated() {
      guard let file = package.container.root[image.uri]?.contents,
        file.size <= limits.fileBytes, let bytes = try? file.bytes()
      else { continue }
      let format = ImageFormat(of: bytes)
      let picture = format == .png ? try? PNG.decode(bytes, limits: limits) : nil
      // An image that does not decode may be the fault, and not what is said of it.
      if format == .png, picture == nil { continue }
      let actual = ImageReference(describing: bytes, at: image.uri, picture: picture)
      for difference in image.differences(from: actual) {
        repairs.append(
          Repair(
            .imageMismatch, at: .key("images[\(index)].\(difference.key)"),
            "\(difference.key) is now \(difference.actual), as in the file; it was "
              + difference.stated))
        switch difference.key {
        case "mimeType": system.images[index].mimeType = actual.mimeType
        case "width": system.images[index].width = actual.width
        case "height": system.images[index].height = actual.height
        default: system.images[index].sha256 = actual.sha256
        }
      }
    }
    return repairs
  }

  /// Removes second files that are the same as the first. Which of two different ones is right,
  /// nobody can tell but the author.
  private func removeCopies(_ package: inout EffectPackage) throws -> [Repair] {
    let root = package.container.root
    var copies: [Collision] = []
    try root.forEachDescendant { path, _ in
      if let collision = try Collision(at: path, in: root), collision.other == .same,
        // What stands in a copy goes with it.
        !copies.contains(where: { path.hasPrefix($0.path + "/") })
      {
        copies.append(collision)
      }
    }
    for copy in copies { package.container.root.removeFileNode(at: copy.path) }
    return copies.map {
      Repair(.collision, at: .entry($0.path), "removed a copy of '\($0.plainPath)'")
    }
  }
}
