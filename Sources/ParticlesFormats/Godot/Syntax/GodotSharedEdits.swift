internal import ParticlesCore

/// Changes of values in files that a scene refers to, and that other scenes may share. Everything else in them stays as it
/// is, byte by byte.
struct GodotSharedEdits {
  private let scene: GodotScene
  /// The changes, by the index of the file.
  private var edits: [Int: TextEdits] = [:]
  /// The new values by section and key: emitters may have one resource.
  private var done: [String: GodotValue?] = [:]

  init(_ scene: GodotScene) { self.scene = scene }

  /// The changed files by their paths in the project.
  var files: [String: [UInt8]] {
    let pairs = edits.compactMap { index, edits in
      scene.files[index].path.map { ($0, edits.bytes) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Sets or removes the value at a path from a node.
  /// - Returns: whether that is possible. The resource that the value belongs to has to be there, and emitters that share it
  ///   need the same value.
  mutating func set(_ path: String, _ value: GodotValue?, of node: GodotNode) -> Bool {
    guard let (section, key) = scene.resolve(path, from: node), section >= 0,
      scene.isElsewhere(section)
    else { return false }
    if case .call("Image", _)? = value { return false }
    if let known = done["\(section) \(key)"] { return known == value }
    done["\(section) \(key)"] = .some(value)
    let index = scene.fileIndex(of: section)
    let file = scene.files[index]
    let number = section - file.first
    var changed = edits[index] ?? TextEdits(file.text.bytes)
    let old = file.text.property(key, in: number)
    switch (old, value) {
    case (let old?, let value?):
      let known = (try? file.text.value(old.value, limits: scene.limits)) ?? nil
      var text = value.text(scene.generation)
      // Whole numbers stay whole.
      if case .integer? = known, case .real(let real) = value, let whole = Int(exactly: real) {
        text = "\(whole)"
      }
      changed.replace(old.value, with: Array(text.utf8))
    case (let old?, nil):
      changed.replace(old.key.lowerBound..<old.value.upperBound, with: [])
    case (nil, let value?):
      let isWindows = file.text.bytes.contains(0x0D)
      let line = "\(isWindows ? "\r\n" : "\n")\(key) = \(value.text(scene.generation))"
      changed.insert(Array(line.utf8), at: file.text.sections[number].end)
    case (nil, nil): break
    }
    edits[index] = changed
    return true
  }
}
