internal import ParticlesCore

/// Changes of a scene: values of sections, and new sections. Everything else stays as it is, byte by byte.
struct GodotEditor {
  private let scene: GodotScene
  private var file: GodotText { scene.file }

  /// A section of the file, or a new one.
  private enum Place: Hashable {
    case file(Int)
    case new(Int)
  }

  private struct NewSection {
    var type: String
    var id: String
    var properties: [(key: String, text: String)] = []
  }

  private var new: [NewSection] = []
  /// Files that the scene does not refer to yet.
  private var externals: [(path: String, type: String, id: String)] = []
  /// The paths of further files whose values are written into the scene.
  private(set) var copiedFiles: Set<String> = []
  /// The bytes that were copied from other files.
  private var copiedBytes = 0
  /// New values of sections of the file, or nil for removed values.
  private var changes: [Int: [(key: String, text: String?)]] = [:]
  /// Resources that a changed value refers to.
  private var links: [String: Int] = [:]

  private lazy var references = file.references("SubResource")

  init(_ scene: GodotScene) { self.scene = scene }

  // MARK: Changing values

  /// Sets the value at a path from a node. Missing resources on the way are made. Resources that
  /// other nodes use too, or that are in another file, are copied.
  mutating func set(_ path: String, _ value: GodotValue, of node: GodotNode) {
    guard let (place, key) = walk(path, of: node, makes: true) else { return }
    let text = self.text(value)
    if case .file(let section) = place, let old = file.property(key, in: section),
      let known = (try? file.value(old.value, limits: scene.limits)) ?? nil
    {
      guard !known.isSame(as: value) else { return }
      // Whole numbers stay whole.
      if case .integer = known, case .real(let number) = value, let whole = Int(exactly: number) {
        return change(place, key, "\(whole)")
      }
    }
    change(place, key, text)
  }

  /// Removes the value at a path, with resources that become empty.
  mutating func remove(_ path: String, of node: GodotNode, keeping kept: some Sequence<String>) {
    var steps = path.split(separator: "/").map(String.init)
    let kept = Array(kept)
    while steps.count > 1 {
      let above = steps.dropLast().joined(separator: "/")
      if kept.contains(where: { $0 == above || $0.hasPrefix(above + "/") }) { break }
      steps.removeLast()
    }
    guard let (place, key) = walk(steps.joined(separator: "/"), of: node, makes: false) else {
      return
    }
    change(place, key, nil)
  }

  private func text(_ value: GodotValue) -> String { value.text(scene.generation) }

  private mutating func change(_ place: Place, _ key: String, _ text: String?) {
    switch place {
    case .file(let section):
      changes[section, default: []].removeAll { $0.key == key }
      if text != nil || file.property(key, in: section) != nil {
        changes[section, default: []].append((key, text))
      }
    case .new(let index):
      let old = new[index].properties.firstIndex { $0.key == key }
      switch (old, text) {
      case (let old?, let text?): new[index].properties[old].text = text
      case (let old?, nil): new[index].properties.remove(at: old)
      case (nil, let text?): new[index].properties.append((key, text))
      case (nil, nil): break
      }
    }
  }

  /// The section and the key of a path.
  private mutating func walk(_ path: String, of node: GodotNode, makes: Bool) -> (Place, String)? {
    var steps = path.split(separator: "/").map(String.init)
    guard let start = node.section ?? node.resource, let key = steps.popLast() else { return nil }
    var place = Place.file(start)
    var done: [String] = []
    if node.section == nil {
      guard !steps.isEmpty else { return nil }
      done.append(steps.removeFirst())
    }
    for step in steps {
      done.append(step)
      let path = done.joined(separator: "/")
      if let index = links[name(place, step)] {
        place = .new(index)
      } else if case .file(let section) = place, let next = scene.resource(step, in: section) {
        let isElsewhere = scene.isElsewhere(next)
        if !isElsewhere, references[file.sections[next].id ?? "", default: 0] < 2 {
          place = .file(next)
          continue
        }
        guard makes else { return nil }
        if isElsewhere {
          var copies: [Int: Int] = [:]
          place = adopt(next, at: place, step, &copies)
        } else {
          place = make(scene.type(of: next), at: place, step, like: next)
        }
      } else {
        guard makes else { return nil }
        place = make(node.kind.type(at: path), at: place, step, like: nil)
      }
    }
    return (place, key)
  }

  private func name(_ place: Place, _ key: String) -> String {
    switch place {
    case .file(let index): "file \(index) \(key)"
    case .new(let index): "new \(index) \(key)"
    }
  }

  /// Adds a resource and refers to it.
  private mutating func make(
    _ type: String, at place: Place, _ key: String, like source: Int?
  ) -> Place {
    var section = NewSection(type: type, id: newID(type))
    if let source {
      section.properties = file.sections[source].properties.map {
        (file.text($0.key), file.text($0.value))
      }
    }
    new.append(section)
    return refer(from: place, key, to: new.count - 1)
  }

  /// Makes a property refer to a new resource.
  private mutating func refer(from place: Place, _ key: String, to index: Int) -> Place {
    links[name(place, key)] = index
    change(place, key, reference("SubResource", new[index].id))
    return .new(index)
  }

  private func reference(_ kind: String, _ id: String) -> String {
    text(.call(kind, [scene.generation == .three ? .integer(Int(id) ?? 0) : .text(id)]))
  }

  private lazy var knownIDs = Set(
    file.sections.lazy.filter { $0.tag == "sub_resource" }.compactMap { $0.id })

  private mutating func newID(_ type: String) -> String {
    guard scene.generation == .three else {
      let name = String(type.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
      var number = new.count + 1
      while knownIDs.contains("\(name)_p\(number)") { number += 1 }
      return "\(name)_p\(number)"
    }
    return "\(min(knownIDs.compactMap { Int($0) }.max() ?? 0, 1 << 30) + new.count + 1)"
  }

  // MARK: Other files

  /// Writes the resources of other files that were read into the scene, so that it does without these files.
  mutating func adoptFiles() throws(Failure) {
    guard scene.files.count > 1 else { return }
    var copies: [Int: Int] = [:]
    for (index, section) in file.sections.enumerated() {
      let referring = section.properties.filter {
        !file.references(["ExtResource"], in: $0.value).isEmpty
      }
      for key in Set(referring.map { file.text($0.key) }).sorted() {
        guard let source = scene.resource(key, in: index), scene.isElsewhere(source),
          changes[index]?.contains(where: { $0.key == key }) != true
        else { continue }
        _ = adopt(source, at: .file(index), key, &copies)
      }
    }
    try scene.limits.checkText(copiedBytes, "bytes of text that are copied from other files")
  }

  /// Makes a property refer to the copy of a resource of another file.
  /// - Parameter copies: the copies that may be shared, by their sections.
  private mutating func adopt(
    _ source: Int, at place: Place, _ key: String, _ copies: inout [Int: Int]
  ) -> Place {
    refer(from: place, key, to: copy(source, level: 0, &copies))
  }

  /// Copies a resource of another file with the resources that it refers to.
  private mutating func copy(_ source: Int, level: Int, _ copies: inout [Int: Int]) -> Int {
    if let known = copies[source] { return known }
    let part = scene.files[scene.fileIndex(of: source)]
    if let path = part.path { copiedFiles.insert(path) }
    let type = scene.type(of: source)
    let index = new.count
    copies[source] = index
    new.append(NewSection(type: type, id: newID(type)))
    for property in part.text.sections[source - part.first].properties {
      copiedBytes += property.key.count + property.value.count
      // The limit is checked at the end.
      guard copiedBytes <= scene.limits.textBytes else { break }
      let key = part.text.text(property.key)
      var (text, start) = ("", property.value.lowerBound)
      let references = part.text.references(["SubResource", "ExtResource"], in: property.value)
      for found in references {
        text += part.text.text(start..<found.range.lowerBound)
        start = found.range.upperBound
        text += adopted(found.kind, found.id, of: part, index, key, level, &copies)
      }
      text += part.text.text(start..<property.value.upperBound)
      new[index].properties.append((key, text))
    }
    return index
  }

  /// The text of a reference in another file.
  private mutating func adopted(
    _ kind: String, _ id: String, of part: GodotFile, _ owner: Int, _ key: String, _ level: Int,
    _ copies: inout [Int: Int]
  ) -> String {
    let section = kind == "SubResource" ? part.subResources[id] : part.externals[id]
    guard let section, level < 32 else { return "null" }
    var source = section
    if kind == "ExtResource" {
      guard case .success(let other)? = scene.loads[section],
        let resource = scene.files[other].resource
      else {
        guard let path = scene.path(of: section) else { return "null" }
        return reference(
          kind, external(path, type: scene.section(section).text("type") ?? "Resource"))
      }
      source = resource
    }
    let copy = copy(source, level: level + 1, &copies)
    links[name(.new(owner), key)] = copy
    return reference("SubResource", new[copy].id)
  }

  /// Sets a property to an image file.
  mutating func setImage(_ path: String, _ image: String, of node: GodotNode) {
    guard let (place, key) = walk(path, of: node, makes: true) else { return }
    let id = external(image, type: scene.generation == .three ? "Texture" : "Texture2D")
    links[name(place, key)] = nil
    change(place, key, reference("ExtResource", id))
  }

  /// The identifier of another file in the scene.
  private mutating func external(_ path: String, type: String) -> String {
    let sections = file.sections.filter { $0.tag == "ext_resource" }
    if let known = sections.first(where: { $0.text("path") == path })?.id { return known }
    if let known = externals.first(where: { $0.path == path }) { return known.id }
    let numbers = sections.compactMap { $0.id.flatMap { Int($0.prefix { $0.isNumber }) } }
    let number = min(numbers.max() ?? 0, 1 << 30) + externals.count + 1
    let id = scene.generation == .three ? "\(number)" : "\(number)_image"
    externals.append((path, type, id))
    return id
  }

  // MARK: The result

  var bytes: [UInt8] {
    guard !changes.isEmpty || !new.isEmpty || !externals.isEmpty else { return file.bytes }
    let line = file.bytes.contains(0x0D) ? "\r\n" : "\n"
    var edits = TextEdits(file.bytes)
    addSections(to: &edits, line)
    for (section, values) in changes.sorted(by: { $0.key < $1.key }) {
      let place = file.sections[section]
      var added = values.compactMap { key, text in
        file.property(key, in: section) == nil ? text.map { "\(key) = \($0)" } : nil
      }
      for (key, text) in values {
        guard let property = file.property(key, in: section) else { continue }
        if let text {
          edits.replace(property.value, with: text.utf8)
        } else if property.value.upperBound == place.end, !added.isEmpty {
          // New lines follow the last one: if that is removed, they replace it.
          edits.replace(
            property.key.lowerBound..<place.end, with: added.joined(separator: line).utf8)
          added = []
        } else {
          edits.replace(wholeLine(property), with: [])
        }
      }
      if !added.isEmpty {
        let text = added.map { line + $0 }.joined() + (isEndOfLine(place.end) ? "" : line)
        edits.insert(text.utf8, at: place.end)
      }
    }
    return withoutUnusedFiles(edits.bytes)
  }

  /// The scene without the lines of files that it no longer refers to, because it has their values.
  /// If such a file were missing, the engine would not open a scene with its line.
  private func withoutUnusedFiles(_ bytes: [UInt8]) -> [UInt8] {
    guard !copiedFiles.isEmpty, let text = try? GodotText(bytes, limits: scene.limits) else {
      return bytes
    }
    let counts = text.references("ExtResource")
    var edits = TextEdits(bytes)
    for section in text.sections where section.tag == "ext_resource" {
      guard let id = section.id, counts[id] == nil, let path = section.text("path"),
        copiedFiles.contains(path)
      else { continue }
      let end = bytes[section.header.upperBound...].firstIndex {
        !TextEdits.isSpace($0) || $0 == 0x0A
      }
      edits.replace(
        section.header.lowerBound..<min((end ?? bytes.count) + 1, bytes.count), with: [])
    }
    return edits.bytes
  }

  /// Whether nothing but a comment follows on the line.
  private func isEndOfLine(_ place: Int) -> Bool {
    let next = file.bytes[place...].first { $0 == 0x0A || !TextEdits.isSpace($0) }
    return next == nil || next == 0x0A || next == UInt8(ascii: ";")
  }

  /// A property with the end of its line.
  private func wholeLine(_ property: GodotText.Property) -> Range<Int> {
    var start = property.key.lowerBound
    while start > 0, file.bytes[start - 1] == 0x20 || file.bytes[start - 1] == 0x09 { start -= 1 }
    var end = property.value.upperBound
    while end < file.bytes.count, file.bytes[end] != 0x0A, TextEdits.isSpace(file.bytes[end]) {
      end += 1
    }
    if end < file.bytes.count, file.bytes[end] == 0x0A { end += 1 }
    return start..<end
  }

  private func addSections(to edits: inout TextEdits, _ line: String) {
    if !externals.isEmpty {
      let last = file.sections.last { $0.tag == "ext_resource" }
      let isThree = scene.generation == .three
      let lines = externals.map { external in
        let quoted = TextEscapes.godot.quoted
        let (path, type) = (quoted(external.path), quoted(external.type))
        return isThree
          ? "[ext_resource path=\(path) type=\(type) id=\(external.id)]"
          : "[ext_resource type=\(type) path=\(path) id=\"\(external.id)\"]"
      }
      let gap = last == nil ? line + line : line
      edits.insert(
        Array((gap + lines.joined(separator: line)).utf8), at: last?.end ?? file.sections[0].end)
    }
    let (order, places) = arrangement
    for index in order {
      let section = new[index]
      let id = scene.generation == .three ? section.id : "\"\(section.id)\""
      let type = TextEscapes.godot.quoted(section.type)
      var text = "[sub_resource type=\(type) id=\(id)]\(line)"
      for (key, value) in section.properties { text += "\(key) = \(value)\(line)" }
      edits.insert(Array((text + line).utf8), at: places[index])
    }
  }

  /// The order of the new resources, and their places in the file. Resources come before their references.
  private var arrangement: (order: [Int], places: [Int]) {
    let numbers = Dictionary(first: new.enumerated().map { ($0.element.id, $0.offset) })
    func references(_ text: String) -> [Int] {
      var (found, rest) = ([Int](), text[...])
      while let mark = rest.firstRange(of: "SubResource(") {
        rest = rest[mark.upperBound...]
        let id = rest.prefix { $0 != ")" }.filter { $0 != "\"" && $0 != " " }
        if let number = numbers[id] { found.append(number) }
      }
      return found
    }
    let inside = new.map { $0.properties.flatMap { references($0.text) } }
    var order: [Int] = []
    var seen: Set<Int> = []
    func visit(_ index: Int) {
      guard seen.insert(index).inserted else { return }
      inside[index].forEach(visit)
      order.append(index)
    }
    new.indices.reversed().forEach(visit)
    let first =
      file.sections.first { $0.tag == "node" || $0.tag == "resource" }?.header.lowerBound
      ?? file.bytes.count
    var places = new.map { _ in first }
    for (section, values) in changes {
      for index in values.compactMap({ $0.text }).flatMap(references) {
        places[index] = min(places[index], file.sections[section].header.lowerBound)
      }
    }
    for index in order.reversed() {
      for other in inside[index] { places[other] = min(places[other], places[index]) }
    }
    return (order, places)
  }
}

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
    return Dictionary(first: pairs)
  }

  /// Sets or removes the value at a path from a node.
  /// - Returns: whether that is possible. The resource that the value belongs to has to be there,
  ///   and emitters that share it need equal values.
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
