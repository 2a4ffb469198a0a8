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

  /// The name.
  package var name: String

  /// The attributes, in the order of the file. Names are unique.
  package var attributes: [Attribute]

  /// The child elements.
  package var children: [XMLElement] = []

  /// The text directly in this element, without that of its children.
  package var text = ""

  /// The place of its start tag.
  package var place: XMLPlace?

  /// The byte ranges of its tags; nil if the document is not UTF-8, or the element was not read.
  package var span: XMLSpan?

  /// Creates an element.
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
  /// The end tag; empty after an empty-element tag.
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
