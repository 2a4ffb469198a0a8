internal import CParticlesExpat
package import ParticlesCore

/// Reads XML with expat.
///
/// External entities are never read. Documents that declare entities or attributes are rejected, since a few bytes of
/// declarations can expand to very many.
package enum XMLParser {
  /// Parses a document and returns its root element.
  /// - Parameter report: called if the bytes do not fit the declared encoding and are read in another encoding. Without
  ///   it, they are an error.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/xml``,
  ///   ``ParticlesCore/Rule/xmlDeclarations`` or ``ParticlesCore/Rule/limit``, with offset, line and
  ///   column.
  package static func parse(
    _ bytes: [UInt8], limits: Limits = .standard, reporting report: ((Diagnostic) -> Void)? = nil
  ) throws -> XMLElement {
    try limits.checkText(bytes.count, "bytes of XML")
    guard let count = Int32(exactly: bytes.count) else {
      throw Diagnostic(
        .limit, "bytes of XML", expected: "at most \(Int32.max)", found: "\(bytes.count)")
    }
    let builder = XMLBuilder(
      encoding: try XMLEncoding(of: bytes, reporting: report), limits: limits)
    let status = bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // In one call: for a tag in several pieces, expat scans the tag again with each piece.
        XML_Parse(builder.parser, $0.baseAddress, count, 1)
      }
    }
    if let fault = builder.fault { throw fault }
    guard status == XML_STATUS_OK, let root = builder.root else {
      let message = XML_ErrorString(XML_GetErrorCode(builder.parser)).map { String(cString: $0) }
      throw Diagnostic(
        .xml, at: .offset(builder.place.offset),
        "\(message ?? "no element") at \(builder.place.description)")
    }
    return root
  }
}

/// Builds the tree of elements from expat's callbacks. A class, because expat holds a pointer to it.
private final class XMLBuilder {
  let parser: XML_Parser
  private(set) var root: XMLElement?
  /// The reason why this class stopped the parser. Nil if expat was not stopped.
  private(set) var fault: Diagnostic?

  private let limits: Limits
  private let isUTF8: Bool
  private var count = 0
  /// The number of elements and attributes from which on the next are to be paid for.
  private var paid = WorkBudget.valuesOfPayment
  /// The elements that are open at the current place.
  private var open: [(element: XMLElement, text: [UInt8])] = []

  init(encoding: XMLEncoding, limits: Limits) {
    // Expat then ignores the declaration, which may name another encoding.
    guard let parser = XML_ParserCreate(encoding.rawValue) else { fatalError("out of memory") }
    self.parser = parser
    isUTF8 = encoding == .utf8
    self.limits = limits
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { XMLBuilder.at($0)?.begin($1, $2) }, { builder, _ in XMLBuilder.at(builder)?.end() })
    XML_SetCharacterDataHandler(parser) { XMLBuilder.at($0)?.add($1, Int($2)) }
    let fill: XML_UnknownEncodingHandler = { _, _, encoding in
      guard let encoding else { return 0 }
      _ = withUnsafeMutableBytes(of: &encoding.pointee.map) {
        $0.bindMemory(to: Int32.self).update(fromContentsOf: XMLEncoding.windowsCodePoints)
      }
      encoding.pointee.data = nil
      encoding.pointee.convert = nil
      encoding.pointee.release = nil
      return 1
    }
    XML_SetUnknownEncodingHandler(parser, fill, nil)
    XML_SetStartDoctypeDeclHandler(parser) { builder, _, _, _, hasDeclarations in
      if hasDeclarations != 0 { XMLBuilder.at(builder)?.refuse("an internal DTD subset") }
    }
    XML_SetSkippedEntityHandler(parser) { builder, name, _ in
      let name = name.map { String(cString: $0).excerpt } ?? ""
      XMLBuilder.at(builder)?.refuse("the entity '\(name)'")
    }
  }

  deinit { XML_ParserFree(parser) }

  /// The current place of the parser.
  var place: XMLPlace {
    XMLPlace(
      // Without any input, Expat returns −1.
      offset: max(0, Int(XML_GetCurrentByteIndex(parser))),
      line: Int(XML_GetCurrentLineNumber(parser)),
      column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
  }

  /// The bytes of the current event.
  private var range: Range<Int> {
    let start = Int(XML_GetCurrentByteIndex(parser))
    return start..<start + Int(XML_GetCurrentByteCount(parser))
  }

  private static func at(_ address: UnsafeMutableRawPointer?) -> XMLBuilder? {
    address.map { Unmanaged<XMLBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  private func stop(_ diagnostic: Diagnostic) {
    fault = fault ?? diagnostic
    XML_StopParser(parser, 0)
  }

  private func refuse(_ found: String) {
    stop(
      Diagnostic(
        .xmlDeclarations, at: .offset(place.offset), "at \(place.description)", found: found))
  }

  private func begin(
    _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard let name, fault == nil else { return }
    var element = XMLElement("")
    element.place = place
    if isUTF8 { element.span = XMLSpan(tag: range, end: range) }
    do {
      element.name = try word(name)
      var next = attributes
      while let pair = next, let name = pair[0], let value = pair[1] {
        element.attributes.append(.init(try word(name), try text(value)))
        next = pair + 2
      }
      count += 1 + element.attributes.count
      try limits.check(count, \.objects, "elements of XML", at: .offset(place.offset))
      while paid <= count {
        try WorkBudget.spend(onValues: 2, memory: 256, at: .offset(place.offset))
        paid += WorkBudget.valuesOfPayment
      }
      try limits.check(open.count, \.nesting, "levels of XML", at: .offset(place.offset))
    } catch {
      return stop(error)
    }
    open.append((element, []))
  }

  private func word(_ name: UnsafePointer<CChar>) throws(Diagnostic) -> String {
    let name = String(cString: name)
    try limits.checkWord(name.utf8.count, at: .offset(place.offset))
    return name
  }

  private func text(_ value: UnsafePointer<CChar>) throws(Diagnostic) -> String {
    let value = String(cString: value)
    try limits.checkScalar(value.utf8, at: .offset(place.offset))
    return value
  }

  private func add(_ text: UnsafePointer<CChar>?, _ count: Int) {
    guard let text, let last = open.indices.last, fault == nil else { return }
    text.withMemoryRebound(to: UInt8.self, capacity: count) {
      open[last].text += UnsafeBufferPointer(start: $0, count: count)
    }
  }

  private func end() {
    guard fault == nil, let last = open.popLast() else { return }
    var element = last.element
    element.span?.end = range
    // White space between elements is layout.
    let isLayout = !element.children.isEmpty && last.text.allSatisfy { $0 <= 0x20 }
    if !isLayout {
      do {
        // Data of property lists may be of any kind.
        if element.name != "data" {
          try limits.checkScalar(last.text, at: .offset(place.offset))
        }
      } catch {
        return stop(error)
      }
      element.text = String(decoding: last.text, as: UTF8.self)
    }
    if let parent = open.indices.last {
      open[parent].element.children.append(element)
    } else {
      root = element
    }
  }
}
