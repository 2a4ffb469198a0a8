package import ParticlesCore
internal import ParticlesDatabase

/// A JSON value of a program in the store of the user, which several programs read and change: settings, a session, a list of
/// documents.
///
/// One that is damaged gets the name `NAME.damaged`, and the program begins with nothing.
package struct StoredState: Sendable {
  private let name: String
  private let store: UserStore
  /// The file in which earlier versions of this program kept the value; nil for none.
  private let file: String?

  /// - Parameters:
  ///   - name: the name of the value, unique in the store.
  ///   - file: the path of the file in which earlier versions of this program kept it.
  package init(_ name: String, in store: UserStore, insteadOf file: String? = nil) {
    (self.name, self.store, self.file) = (name, store, file)
  }

  /// The value; nil if there is none.
  /// - Throws: the errors of the store.
  package func read() throws -> JSONValue? {
    if let text = try store.read({ try text(in: $0) }) ?? nil {
      if let value = try? JSONParser.parse(Array(text.utf8)) { return value }
      try store.write(setAside)
      return nil
    }
    return try takeOver()
  }

  private func text(in database: SQLite) throws -> String? {
    var text: String?
    try database.run("SELECT value FROM states WHERE name = ?", [.text(name)]) {
      text = $0.text(0)
      return false
    }
    return text
  }

  private func setAside(in database: SQLite) throws {
    try database.run(
      "UPDATE OR REPLACE states SET name = ? WHERE name = ?",
      [.text("\(name).damaged"), .text(name)])
  }

  /// Changes the value, while no other program does.
  /// - Parameter change: gets the value, nil if there is none; returns the new one, or nil to leave it alone. It must not use
  ///   the store.
  /// - Throws: the errors of the store; those of `change`.
  package func change(_ change: (JSONValue?) throws -> JSONValue?) throws {
    _ = try read()
    try store.write { database in
      let old = try text(in: database).flatMap { try? JSONParser.parse(Array($0.utf8)) }
      if let new = try change(old) { try write(new, in: database) }
    }
  }

  /// Replaces the value.
  package func write(_ value: JSONValue) throws {
    try store.write { try write(value, in: $0) }
  }

  private func write(_ value: JSONValue, in database: SQLite) throws {
    try database.run(
      "INSERT OR REPLACE INTO states VALUES(?, ?)", [.text(name), .text(value.denseText)])
  }

  /// The value of the file of earlier versions, which is removed then. One that is no JSON is left alone.
  private func takeOver() throws -> JSONValue? {
    guard let file, let bytes = try Files.readRegular(file),
      let value = try? JSONParser.parse(bytes)
    else { return nil }
    try store.write(durably: true) { database in
      if try text(in: database) == nil { try write(value, in: database) }
    }
    for path in [file, "\(file).lock"] where try Files.status(path) != nil {
      try Files.removeAll(path)
    }
    return value
  }
}
