internal import ParticlesCore

/// An element of an XML document with its contents, without comments and processing instructions.
package struct XMLElement: Sendable, Hashable {
  /// A name and a text.
  package struct Attribute: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var name: String

  /// The attributes, in the order of the file. Names are unique.
  package var attributes: [Attribute]

  package var children: [XMLElement] = []

  /// The text directly in this element, without its children's text.
  package var text = ""

  /// The place of its start tag.
  package var place: XMLPlace?

  /// The byte ranges of its tags. Nil if the document is not UTF-8, or the element was not read.
  package var span: XMLSpan?

  package init(
    _ name: String, _ attributes: [Attribute] = [], children: [XMLElement] = [], text: String = ""
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
  }

  /// The value of an attribute, or nil if there is none.
  package subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }
}

/// A place in a text.
package struct XMLPlace: Sendable, Hashable {
  /// Bytes from the beginning.
  package var offset: Int
  /// The line, counted from 1.
  package var line: Int
  /// The column, counted from 1.
  package var column: Int

  /// `line 3, column 5`, for messages.
  package var description: String { "line \(line), column \(column)" }
}

/// The bytes of an element.
package struct XMLSpan: Sendable, Hashable {
  /// The start tag, or the empty-element tag.
  package var tag: Range<Int>
  /// The end tag. Empty after an empty-element tag.
  package var end: Range<Int>

  /// The whole element.
  package var range: Range<Int> { tag.lowerBound..<end.upperBound }
}

// MARK: - Writing

extension XMLElement {
  /// The element as the root of a document, a line for each element, indented.
  /// - Parameters:
  ///   - head: the text between the XML declaration and the root, ending in a line feed.
  ///   - indent: the indentation of each level.
  ///   - indentsRoot: whether the children of the root are indented.
  package func document(
    head: String = "", indent: String = "  ", indentsRoot: Bool = true
  ) -> String {
    var document = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + head
    write(to: &document, level: indentsRoot ? 0 : -1, indent: indent)
    return document
  }

  private func write(to document: inout String, level: Int, indent: String) {
    let space = String(repeating: indent, count: max(level, 0))
    guard !children.isEmpty else {
      document += "\(space)\(leaf())\n"
      return
    }
    document += "\(space)\(tag(quote: "\""))>\n"
    for child in children { child.write(to: &document, level: level + 1, indent: indent) }
    document += "\(space)</\(name)>\n"
  }

  /// The element without its children.
  func leaf(quote: Unicode.Scalar = "\"", closing: String = "/>") -> String {
    tag(quote: quote)
      + (text.isEmpty ? closing : ">\(text.escapingMarkup(inside: nil))</\(name)>")
  }

  private func tag(quote: Unicode.Scalar) -> String {
    attributes.reduce("<\(name)") {
      $0 + " \($1.name)=\(quote)\($1.value.escapingMarkup(inside: quote))\(quote)"
    }
  }
}

/// The text of an XML document in UTF-8, for local edits that preserve all other bytes.
package struct XMLText: Sendable {
  private var edits: TextEdits

  /// Creates the text of a document.
  /// - Parameter root: the root element of `bytes`. Edits are made to its elements, and may not
  ///   overlap. The initializer returns nil if they have no spans.
  package init?(_ bytes: [UInt8], root: XMLElement) {
    guard root.span != nil else { return nil }
    edits = TextEdits(bytes)
  }

  /// The text after the edits.
  package var bytes: [UInt8] { edits.bytes }

  /// Replaces an element, or only its text if nothing else differs.
  /// - Parameter isTrimmed: whether the white space around the text is preserved.
  package mutating func replace(
    _ element: XMLElement, with new: XMLElement, isTrimmed: Bool = false
  ) {
    guard let span = element.span else { return }
    guard element.name == new.name, !span.end.isEmpty, element.children.isEmpty,
      new.children.isEmpty
    else { return edits.replace(span.range, with: new.leaf().utf8) }
    var contents = span.tag.upperBound..<span.end.lowerBound
    if isTrimmed, let last = source[contents].lastIndex(where: { !TextEdits.isSpace($0) }) {
      contents = edits.afterSpace(contents.lowerBound)..<last + 1
    }
    edits.replace(contents, with: new.text.escapingMarkup(inside: nil).utf8)
  }

  /// Removes adjacent elements, the content between them and the white space before them.
  package mutating func remove(_ elements: [XMLElement]) {
    guard let first = elements.first?.span, let last = elements.last?.span else { return }
    let start = edits.gap(before: first.tag.lowerBound).lowerBound
    edits.replace(start..<last.end.upperBound, with: [])
  }

  /// Inserts elements without children, in the layout of others.
  /// - Parameters:
  ///   - siblings: adjacent elements of the document, one for each new element.
  ///   - isBefore: whether the new elements are inserted before. Otherwise, they follow a comment on the line of the
  ///     last sibling.
  package mutating func insert(
    _ new: [XMLElement], besides siblings: [XMLElement], isBefore: Bool = false
  ) {
    let spans = siblings.compactMap { $0.span }
    guard let first = spans.first, let last = spans.last else { return }
    var text: [UInt8] = []
    for (index, element) in new.enumerated() {
      if index > 0 { text += source[edits.gap(before: spans[index].tag.lowerBound)] }
      text +=
        element.leaf(quote: quote(of: siblings[index]), closing: closing(of: spans[index]))
        .utf8
    }
    let gap = source[edits.gap(before: first.tag.lowerBound)]
    if isBefore {
      edits.insert(text + gap, at: first.tag.lowerBound)
    } else {
      edits.insert(gap + text, at: lineEnd(after: last.end.upperBound))
    }
  }

  // MARK: Attributes

  package mutating func setAttribute(_ index: Int, of element: XMLElement, to value: String) {
    let range = attributes(of: element)[index].value
    let quote = Unicode.Scalar(source[range.upperBound])
    edits.replace(range, with: value.escapingMarkup(inside: quote).utf8)
  }

  /// Adds an attribute as the last.
  package mutating func add(_ attribute: XMLElement.Attribute, to element: XMLElement) {
    guard let span = element.span else { return }
    let last = attributes(of: element).last?.range
    let gap = last.map { source[edits.gap(before: $0.lowerBound)] } ?? [0x20]
    let quote = quote(of: element)
    let text = "\(attribute.name)=\(quote)\(attribute.value.escapingMarkup(inside: quote))\(quote)"
    let nameEnd = span.tag.lowerBound + 1 + element.name.utf8.count
    edits.insert(gap + text.utf8, at: last?.upperBound ?? nameEnd)
  }

  /// Removes an attribute and the white space before it.
  package mutating func removeAttribute(_ index: Int, of element: XMLElement) {
    let range = attributes(of: element)[index].range
    edits.replace(edits.gap(before: range.lowerBound).lowerBound..<range.upperBound, with: [])
  }

  // MARK: Scanning

  private var source: [UInt8] { edits.source }

  /// The ranges of the attributes of an element, and of their values without quotes.
  private func attributes(of element: XMLElement) -> [(range: Range<Int>, value: Range<Int>)] {
    guard let tag = element.span?.tag else { return [] }
    var found: [(range: Range<Int>, value: Range<Int>)] = []
    var start = edits.afterSpace(tag.lowerBound + 1 + element.name.utf8.count)
    while let equals = source[start..<tag.upperBound].firstIndex(of: UInt8(ascii: "=")) {
      let open = edits.afterSpace(equals + 1)
      guard let close = source[(open + 1)..<tag.upperBound].firstIndex(of: source[open]) else {
        break
      }
      found.append((start..<close + 1, open + 1..<close))
      start = edits.afterSpace(close + 1)
    }
    return found
  }

  private func quote(of element: XMLElement) -> Unicode.Scalar {
    attributes(of: element).last.map { Unicode.Scalar(source[$0.value.upperBound]) } ?? "\""
  }

  /// The end of an empty-element tag: `/>`, or ` />` if the tag of the sibling ends with it.
  private func closing(of span: XMLSpan) -> String {
    span.end.isEmpty && source[span.tag.upperBound - 3] == 0x20 ? " />" : "/>"
  }

  /// The end of the line if only comments follow the offset on it, otherwise the offset.
  private func lineEnd(after offset: Int) -> Int {
    var position = offset
    while position < source.count {
      switch source[position] {
      case 0x0A, 0x0D: return position
      case 0x20, 0x09: position += 1
      default:
        let rest = source[position...]
        guard rest.starts(with: "<!--".utf8) else { return offset }
        position += 4
        while !source[position...].starts(with: "-->".utf8) {
          if source[position] == 0x0A || source[position] == 0x0D { return offset }
          position += 1
        }
        position += 3
      }
    }
    return offset
  }
}
