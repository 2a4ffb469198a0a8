internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

extension Validator {
  /// Makes the repairs that need no guess, and saves the document in its place and form:
  ///
  /// - sorts the keys of curves and gradients by time;
  /// - exchanges the ends of ranges whose first one is greater;
  /// - moves numbers that are out of range to the nearest allowed number, or, where there is none, resets the property;
  /// - corrects the stated type, size and digest of images;
  /// - removes duplicates of files that Apple's file wrappers made;
  /// - writes the document in canonical form;
  /// - removes an unfinished save after the last complete one, and temporary files of killed saves.
  ///
  /// In text files of other formats, decimal commas become points. Nothing else in them is changed, nor are damaged
  /// packages and unreadable documents.
  /// - Parameters:
  ///   - path: the package, in either form, or the file.
  ///   - isSaving: whether to save; false only lists the repairs.
  /// - Returns: the repairs; empty if none was needed.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`; then nothing was changed.
  public func repair(_ path: String, saving isSaving: Bool = true) throws -> [Diagnostic.Repair] {
    let place = Location(file: path)
    do {
      let opened = try Container(contentsOf: path, limits: limits)
      var package = EffectPackage(opened)
      guard try package.container.form == .directory || isSound(path) else { return [] }
      var repairs = try mend(&package)
      for warning in package.container.warnings where warning.rule == .torn {
        repairs.append(Repair(.torn, "removed an unfinished save"))
      }
      let leftovers = try SafeSave.leftovers(of: path)
      if isSaving {
        if !repairs.isEmpty {
          // As every change in place: a file with hard links keeps them. An unfinished save after the
          // last footer is cut off then, and no byte before it is touched.
          let storage = PathStorage(path, opened: opened)
          _ = try storage.write(package.container.root, replacing: 1, StorageOptions())
        }
        SafeSave.removeLeftovers(of: try Files.target(of: path))
      }
      // Temporary files of other users cannot be removed.
      let remaining = Set(isSaving ? try SafeSave.leftovers(of: path) : [])
      repairs += leftovers.filter { !remaining.contains($0) }.map {
        Repair(.fileLeftover, "removed '\(Files.lastComponent(of: $0))'")
      }
      return repairs.map { $0.inside(place) }
    } catch let diagnostic as Diagnostic {
      if diagnostic.rule.family == "file" { throw diagnostic.inside(place) }
      // `check(_:)` reports what is wrong with the package.
      return try mendText(path, saving: isSaving).map { $0.inside(place) }
    }
  }

  /// Replaces the decimal commas of a file of another format.
  private func mendText(_ path: String, saving isSaving: Bool) throws -> [Repair] {
    guard let bytes = try? Files.read(path, limits: limits),
      let mended = formats.withoutDecimalCommas(
        bytes, fileName: Files.lastComponent(of: path), limits: limits)
    else { return [] }
    if isSaving {
      try locating(Location(file: path)) {
        try SafeSave.file(path, replacing: true) { try $0.write(mended.bytes) }
      }
    }
    let commas = mended.count == 1 ? "decimal comma by a point" : "decimal commas by points"
    return [Repair(.decimalCommas, "replaced \(mended.count) \(commas)")]
  }

  private func isSound(_ path: String) throws -> Bool {
    try ContainerReader(.file(path), limits: limits).verify(.full, earlier: nil)
      .allSatisfy { $0.severity < .error }
  }

  /// Repairs the package in memory.
  package func mend(_ package: inout EffectPackage) throws -> [Repair] {
    let old = try package.document(limits: limits)
    var system = try package.system(limits: limits)
    var repairs = system.mend()
    repairs += refreshImages(of: &system, in: package)
    let new = system.encoded()
    if new != old {
      if repairs.isEmpty {
        repairs.append(Repair(.canonical, "rewrote the document in canonical form"))
      }
      try package.setDocument(new)
    }
    repairs = repairs.map { $0.inside(.entry(EffectPackage.documentPath)) }
    repairs += try removeCopies(&package)
    // If it cannot be drawn, the other repairs count, and it is reported as stale.
    if (try? package.refreshPreviews(limits: limits)) == true {
      repairs.append(
        Repair(
          .staleThumbnail, at: .entry(EffectPackage.thumbnailPath), "drew the thumbnail again"))
    }
    return repairs
  }

  private func refreshImages(
    of system: inout ParticleSystem, in package: EffectPackage
  ) -> [Repair] {
    var repairs: [Repair] = []
    for (index, image) in system.images.enumerated() {
      guard let file = package.container.root[image.uri]?.contents,
        file.size <= limits.fileBytes, let bytes = try? file.bytes()
      else { continue }
      var picture: Bitmap?
      do {
        picture = try Bitmap(decoding: bytes, limits: limits)
      } catch {
        // If an image is damaged, its metadata may be correct.
        guard (error as? Diagnostic)?.rule == .imageUnchecked else { continue }
      }
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

  /// Removes duplicates with equal contents. Of two different files, only the author can choose.
  private func removeCopies(_ package: inout EffectPackage) throws -> [Repair] {
    let root = package.container.root
    var copies: [Collision] = []
    try root.forEachDescendant { path, _ in
      if let collision = try Collision(at: path, in: root), collision.other == .same,
        // Entries of a removed folder are removed with it.
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
