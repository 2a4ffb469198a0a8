extension ArchivedObject {
  /// Its keys and their kept values.
  package var fields: [(key: String, value: Archivable)] {
    keys.compactMap { key in place(of: key).map { (key, .kept($0)) } }
  }
}

extension KeyedArchive {
  /// A new value in the spelling of the old one: inline or behind a reference, integer or real, with the
  /// same width.
  package func adapt(_ new: Archivable, to old: Archivable) -> Archivable {
    guard case .kept(let index) = old else { return new }
    var scalar: PropertyListScalar
    switch new {
    case .inline(let value), .shared(let value): scalar = value
    default: return new
    }
    switch (plist[resolve(index)], scalar) {
    case (.scalar(.real(_, let width)), .real(let value, _)):
      scalar = .real(width == 4 ? Double(Float(value)) : value, width: width)
    case (.scalar(.real(_, let width)), .integer(let value)):
      scalar = .real(Double(value), width: width)
    case (.scalar(.integer), .real(let value, _)):
      if let whole = Int(exactly: value) { scalar = .integer(whole) }
    default: break
    }
    if case .uid = plist[index] { return .shared(scalar) }
    return .inline(scalar)
  }
}
