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
  private var externals: [(path: String, id: String)] = []
  /// New values of sections of the file; nil for those that are removed.
  private var changes: [Int: [(key: String, text: String?)]] = [:]
  /// Resources that a changed value refers to.
  private var links: [String: Int] = [:]

  private lazy var references = file.references

  init(_ scene: GodotScene) { self.scene = scene }

  // MARK: Changing values

  /// Sets the value at a path from a node. Resources on the way that are missing or in another file are
  /// made; those that others use too are copied.
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

  /// Removes the value at a path; with it, resources that nothing is left of.
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
      } else if case .file(let section) = place, let next = resource(step, in: section) {
        guard let id = file.sections[next].id, references[id, default: 0] > 1 else {
          place = .file(next)
          continue
        }
        guard makes else { return nil }
        place = make(scene.type(of: next), at: place, step, like: next)
      } else {
        guard makes else { return nil }
        place = make(node.kind.type(at: path), at: place, step, like: nil)
      }
    }
    return (place, key)
  }

  private func name(_ place: Place, _ key: String) -> String { "\(place) \(key)" }

  private func resource(_ key: String, in section: Int) -> Int? {
    scene.resource(scene.value(key, in: section))
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
    links[name(place, key)] = new.count - 1
    let argument: GodotValue =
      scene.generation == .three ? .integer(Int(section.id) ?? 0) : .text(section.id)
    change(place, key, text(.call("SubResource", [argument])))
    return .new(new.count - 1)
  }

  private func newID(_ type: String) -> String {
    let known = file.sections.filter { $0.tag == "sub_resource" }.compactMap(\.id)
    guard scene.generation == .three else {
      var number = new.count + 1
      while known.contains("\(type)_p\(number)") { number += 1 }
      return "\(type)_p\(number)"
    }
    return "\(min(known.compactMap { Int($0) }.max() ?? 0, 1 << 30) + new.count + 1)"
  }

  // MARK: Images

  /// Sets a property to an image file.
  mutating func setImage(_ path: String, _ image: String, of node: GodotNode) {
    guard let (place, key) = walk(path, of: node, makes: true) else { return }
    let id = external(image)
    let argument: GodotValue = scene.generation == .three ? .integer(Int(id) ?? 0) : .text(id)
    links[name(place, key)] = nil
    change(place, key, text(.call("ExtResource", [argument])))
  }

  /// The identifier of an image file in the scene.
  private mutating func external(_ path: String) -> String {
    let sections = file.sections.filter { $0.tag == "ext_resource" }
    if let known = sections.first(where: { $0.text("path") == path })?.id { return known }
    if let known = externals.first(where: { $0.path == path }) { return known.id }
    let numbers = sections.compactMap { $0.id.flatMap { Int($0.prefix { $0.isNumber }) } }
    let number = min(numbers.max() ?? 0, 1 << 30) + externals.count + 1
    let id = scene.generation == .three ? "\(number)" : "\(number)_image"
    externals.append((path, id))
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
      let lines = externals.map { path, id in
        let path = TextEscapes.godot.quoted(path)
        return isThree
          ? "[ext_resource path=\(path) type=\"Texture\" id=\(id)]"
          : "[ext_resource type=\"Texture2D\" path=\(path) id=\"\(id)\"]"
      }
      let gap = last == nil ? line + line : line
      edits.insert(
        Array((gap + lines.joined(separator: line)).utf8), at: last?.end ?? file.sections[0].end)
    }
    let place =
      file.sections.first { $0.tag == "node" || $0.tag == "resource" }?.header.lowerBound
      ?? file.bytes.count
    // Resources come before those that refer to them.
    for section in new.reversed() {
      let id = scene.generation == .three ? section.id : "\"\(section.id)\""
      var text = "[sub_resource type=\"\(section.type)\" id=\(id)]\(line)"
      for (key, value) in section.properties { text += "\(key) = \(value)\(line)" }
      edits.insert(Array((text + line).utf8), at: place)
    }
  }
}
