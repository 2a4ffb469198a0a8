internal import ParticlesCore

extension JSONValue {
  /// Reads the members of an object into the root at an address by the rows of its table. This is compiled once for
  /// all tables.
  /// - Returns: the members that are in no row, in document order; nil if there are none.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/type`` if it is no object, a required member is
  ///   missing, or a member has another type.
  @inline(never)
  func read(
    at path: JSONPath, into root: UnsafeMutableRawPointer, _ count: Int,
    _ row: (Int) -> PropertyReading, typeName: (Int) -> String
  ) throws(Diagnostic) -> JSONObject? {
    guard let object else { throw mismatch("an object", at: path) }
    let members = object.members
    var isRead = [Bool](repeating: false, count: members.count)
    // Most members are in the order of the table.
    var next = 0
    for index in 0..<count {
      let row = row(index)
      let isNext = next < members.count && members[next].key == row.key
      if let place = isNext ? next : members.firstIndex(where: { $0.key == row.key }) {
        isRead[place] = true
        next = place + 1
        try row.read(members[place].value, path.appending(row.key), row, root)
      } else if row.isRequired {
        throw Diagnostic(
          .type, at: path.appending(row.key).location, expected: typeName(index), found: "nothing")
      }
    }
    var rest: [JSONObject.Member] = []
    for (place, member) in members.enumerated() where !isRead[place] {
      guard member.key != "extensions" || member.value.object != nil else {
        throw member.value.mismatch("an object", at: path.appending("extensions"))
      }
      rest.append(member)
    }
    return rest.isEmpty ? nil : JSONObject(members: rest)
  }
}
