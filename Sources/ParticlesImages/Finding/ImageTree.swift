internal import ParticlesCore

/// The files and asset catalogues in a folder and its subfolders.
///
/// Symbolic links and hidden entries are skipped. At most 20,000 entries are read, breadth first,
/// down to 8 levels.
struct ImageTree: Sendable {
  /// Where an image is.
  struct Place: Sendable {
    var path: String
    /// The name of the file.
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

  /// By lower-case name; image sets without their extension.
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

  /// Returns the place of an image: a file with the name of the last component, otherwise the
  /// largest image of an image set with that name, with or without extension. Of several, the one
  /// that shares the most parent folders with the reference is used, then the outermost.
  func place(of reference: String, exactly: Bool) -> Place? {
    let name = ImageFinder.baseName(of: reference)
    let folders = reference.split { $0 == "/" || $0 == "\\" }.dropLast().map(String.init)
    func best(_ entries: [Entry]?, _ isNamed: (Entry) -> Bool) -> [Entry] {
      (entries ?? []).filter { !exactly || isNamed($0) }
        .map { (likeness: Self.likeness($0.folders, folders), entry: $0) }
        .sorted {
          ($1.likeness, $0.entry.folders.count) < ($0.likeness, $1.entry.folders.count)
        }.map(\.entry)
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
