/// Edits the text of a JSON document in place. All other bytes are preserved. A text in the layout
/// of ``JSONValue/text`` keeps that layout.
package struct JSONText: Sendable {
  /// A step to the member of an object or the element of an array.
  package enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  package private(set) var bytes: [UInt8]

  /// The parsed text.
  package private(set) var value: JSONValue

  /// The limits of the next change.
  package var limits: Limits

  /// Parses a text.
  /// - Throws: the errors of ``JSONParser/parse(_:limits:)``.
  package init(_ bytes: [UInt8], limits: Limits = .standard) throws(Diagnostic) {
    value = try JSONParser.parse(bytes, limits: limits)
    self.bytes = bytes
    self.limits = limits
  }

  /// Returns the value at the end of the steps, or nil if there is none.
  package func value(at steps: [Step]) -> JSONValue? {
    steps.reduce(value as JSONValue?) { value, step in
      switch (value, step) {
      case (.object(let object), .key(let key)): object[key]
      case (.array(let array), .index(let index)) where array.indices.contains(index): array[index]
      default: nil
      }
    }
  }

  /// Sets the value at the end of the steps. If only the last step is missing, an element is
  /// appended to an array. In an object, a member is added after all members that precede it in
  /// `order`.
  /// - Returns: false if the parent does not exist or is of another kind.
  /// - Throws: ``Rule/limit`` if the text would exceed a limit.
  package mutating func set(_ new: JSONValue, at steps: [Step], order: [String] = [])
    throws(Diagnostic) -> Bool
  {
    if let range = range(of: steps) {
      let text = text(of: new, at: range.lowerBound)
      if let isDone = try replaceAlone(range, with: new, text, at: steps) { return isDone }
      return try replace(range, with: text)
    }
    guard let step = steps.last, let parent = range(of: steps.dropLast()) else { return false }
    let children = children(of: parent)
    let head: String
    switch (value(at: steps.dropLast()), step) {
    case (.object, .key(let key)): head = JSONValue.string(key).line
    case (.array(let elements), .index(let index)) where index == elements.count: head = ""
    default: return false
    }
    guard let first = children.first else {
      let whole: JSONValue =
        if case .key(let key) = step {
          .object(JSONObject(members: [.init(key: key, value: new)]))
        } else {
          .array([new])
        }
      return try replace(parent, with: text(of: whole, at: parent.lowerBound))
    }
    let place = place(of: step, among: children, order: order)
    // White space is copied from the first child.
    let lead = gap(from: parent.lowerBound + 1)
    let colon = first.key.map { bytes[$0.upperBound..<first.value.lowerBound] } ?? []
    let member = Array(head.utf8) + colon + text(of: new, at: first.start)
    let between = lead.isEmpty && !isDense ? [0x20] : lead
    if place == 0 {
      return try replace(first.start..<first.start, with: member + [comma] + between)
    }
    let before = children[place - 1].value.upperBound
    return try replace(before..<before, with: [comma] + between + member)
  }

  /// Removes the value at the end of the steps, with its key and comma.
  /// - Returns: whether it existed.
  package mutating func remove(at steps: [Step]) throws(Diagnostic) -> Bool {
    guard let range = range(of: steps), let parent = self.range(of: steps.dropLast()),
      steps.count > 0
    else { return false }
    let children = children(of: parent)
    guard let index = children.firstIndex(where: { $0.value == range }) else { return false }
    if children.count == 1 {
      return try replace(parent.lowerBound + 1..<parent.upperBound - 1, with: [])
    }
    return try index + 1 < children.count
      ? replace(children[index].start..<children[index + 1].start, with: [])
      : replace(children[index - 1].value.upperBound..<range.upperBound, with: [])
  }

  private mutating func replace(_ range: Range<Int>, with new: [UInt8]) throws(Diagnostic) -> Bool {
    // In our layout, line breaks depend on the members of an object, so the text is written again.
    let isOurs = Array(value.text.utf8) == bytes
    var changed = bytes
    changed.replaceSubrange(range, with: new)
    value = try JSONParser.parse(changed, limits: limits)
    bytes = isOurs ? Array(value.text.utf8) : changed
    return true
  }

  /// Replaces a value by one of equal shape. No line break around the value depends on it, so the text need not be
  /// read again.
  /// - Returns: nil if the new value has another shape, or is so large that a limit may be exceeded.
  private mutating func replaceAlone(
    _ range: Range<Int>, with new: JSONValue, _ text: [UInt8], at steps: [Step]
  ) throws(Diagnostic) -> Bool? {
    let size = bytes.count + text.count - range.count
    guard !steps.isEmpty, let old = value(at: steps), old.isScalar == new.isScalar,
      old.holdsObject == new.holdsObject, text.count < 4096, size < limits.objects,
      steps.count + new.depth < limits.nesting
    else { return nil }
    try limits.checkText(size, "bytes of JSON")
    _ = try JSONParser.parse(text, limits: limits)
    bytes.replaceSubrange(range, with: text)
    value.replace(at: steps[...], with: new)
    return true
  }

  private var comma: UInt8 { UInt8(ascii: ",") }

  /// Whether the text has no white space except a line feed at its end.
  private var isDense: Bool {
    var position = 0
    while position < bytes.count - 1 {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: return false
      case UInt8(ascii: "\""): position = endOfString(position)
      default: position += 1
      }
    }
    return true
  }

  /// Returns the text of a value for a position: on several lines if the document has several, with
  /// the indentation of the current line.
  private func text(of value: JSONValue, at place: Int) -> [UInt8] {
    if isDense { return Array(value.denseText.utf8) }
    guard bytes.dropLast().contains(0x0A) else { return Array(value.line.utf8) }
    let line = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let indent = bytes[line...].prefix { $0 == 0x20 || $0 == 0x09 }
    return Array(value.text(indent: String(decoding: indent, as: UTF8.self)).utf8)
  }

  private func place(of step: Step, among children: [Child], order: [String]) -> Int {
    guard case .key(let key) = step, let rank = order.firstIndex(of: key) else {
      return children.count
    }
    let earlier = Set(order[..<rank])
    let last = children.lastIndex { child in
      child.key.map { earlier.contains(name($0)) } ?? false
    }
    return last.map { $0 + 1 } ?? 0
  }
}

extension JSONText {
  /// The ranges of keys and values of the members of the root, in order. Empty if the root is not an object.
  package var members: [(key: Range<Int>, value: Range<Int>)] {
    children(of: root).compactMap { child in
      child.key.map { ($0, child.value) }
    }
  }

  /// The offsets of many members and elements. Each object and array on the way is read once.
  package struct Offsets {
    private let text: JSONText
    private let root: Range<Int>
    private var known: [Int: [Child]] = [:]

    package init(_ text: JSONText) {
      self.text = text
      root = text.root
    }

    /// Returns the offset of the member or element at the end of a path. If it does not exist, the last
    /// existing one on the way counts. The offset is where its key begins, or in an array its value. Nil
    /// if the first step does not exist.
    package mutating func offset(of steps: [Step]) -> Int? {
      var (place, range) = (nil as Int?, root)
      for step in steps {
        let children = known[range.lowerBound] ?? text.children(of: range)
        known[range.lowerBound] = children
        guard let child = text.child(step, of: range, among: children) else { break }
        (place, range) = (child.start, child.value)
      }
      return place
    }
  }

  /// The ranges of a member or an element.
  fileprivate struct Child {
    var key: Range<Int>?
    var value: Range<Int>
    var start: Int { key?.lowerBound ?? value.lowerBound }
  }

  fileprivate var root: Range<Int> {
    let start = afterSpace(0)
    return start..<end(of: start)
  }

  /// Returns the range of the value at the end of the steps.
  private func range(of steps: some Collection<Step>) -> Range<Int>? {
    steps.reduce(root as Range<Int>?) { range, step in
      range.flatMap { child(step, of: $0, among: children(of: $0))?.value }
    }
  }

  /// Returns the member or element of the object or array in a range.
  fileprivate func child(_ step: Step, of range: Range<Int>, among children: [Child]) -> Child? {
    switch (step, bytes[range.lowerBound]) {
    case (.key(let wanted), UInt8(ascii: "{")):
      return children.first { $0.key.map { isName($0, wanted) } ?? false }
    case (.index(let index), UInt8(ascii: "[")):
      return children.indices.contains(index) ? children[index] : nil
    default: return nil
    }
  }

  private func isName(_ key: Range<Int>, _ wanted: String) -> Bool {
    let spelled = bytes[key].dropFirst().dropLast()
    return spelled.contains(UInt8(ascii: "\\"))
      ? name(key) == wanted : spelled.elementsEqual(wanted.utf8)
  }

  /// Returns the members or elements of the object or array in a range.
  fileprivate func children(of range: Range<Int>) -> [Child] {
    let isObject = bytes[range.lowerBound] == UInt8(ascii: "{")
    guard isObject || bytes[range.lowerBound] == UInt8(ascii: "[") else { return [] }
    var children: [Child] = []
    var position = afterSpace(range.lowerBound + 1)
    while position < range.upperBound - 1 {
      var key: Range<Int>?
      if isObject {
        let name = position..<end(of: position)
        key = name
        position = afterSpace(afterSpace(name.upperBound) + 1)
      }
      let value = position..<end(of: position)
      children.append(Child(key: key, value: value))
      position = afterSpace(value.upperBound)
      if bytes[position] == comma { position = afterSpace(position + 1) }
    }
    return children
  }

  private func name(_ key: Range<Int>) -> String {
    (try? JSONParser.parse(Array(bytes[key]), limits: limits))?.string ?? ""
  }

  private func gap(from start: Int) -> [UInt8] { Array(bytes[start..<afterSpace(start)]) }

  private func afterSpace(_ start: Int) -> Int {
    bytes[start...].firstIndex { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } ?? bytes.count
  }

  /// Returns the end of the value that begins at `start`. The text is valid.
  private func end(of start: Int) -> Int {
    switch bytes[start] {
    case UInt8(ascii: "\""): return endOfString(start)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var (depth, position) = (0, start)
      repeat {
        switch bytes[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: "\""): position = endOfString(position) - 1
        default: break
        }
        position += 1
      } while depth > 0
      return position
    default:
      let ends = Array(",]} \n\r\t".utf8)
      return bytes[start...].firstIndex { ends.contains($0) } ?? bytes.count
    }
  }

  private func endOfString(_ start: Int) -> Int {
    var position = start + 1
    while bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return position + 1
  }
}

extension JSONValue {
  /// The levels of arrays and objects in it.
  fileprivate var depth: Int {
    switch self {
    case .array(let elements): 1 + (elements.lazy.map { $0.depth }.max() ?? 0)
    case .object(let object): 1 + (object.members.lazy.map { $0.value.depth }.max() ?? 0)
    default: 0
    }
  }

  /// Replaces the value at the end of the steps, which there is.
  fileprivate mutating func replace(at steps: ArraySlice<JSONText.Step>, with new: JSONValue) {
    guard let step = steps.first else {
      self = new
      return
    }
    switch (self, step) {
    case (.object(var object), .key(let key)):
      self = .null
      guard var member = object[key] else { return self = .object(object) }
      // The only reference, so that nothing is copied.
      object[key] = .null
      member.replace(at: steps.dropFirst(), with: new)
      object[key] = member
      self = .object(object)
    case (.array(var array), .index(let index)):
      self = .null
      array[index].replace(at: steps.dropFirst(), with: new)
      self = .array(array)
    default: break
    }
  }
}
