/// A value that copies share until one of them changes it.
///
/// An effect is a large structure, and most of its properties are at their defaults: with the rare ones
/// in shared storage, a copy takes a reference for all of them.
struct Shared<Contents: Sendable & Hashable>: Sendable, Hashable {
  /// Only a unique reference to it is changed.
  private final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) var contents: Contents

    init(_ contents: Contents) { self.contents = contents }
  }

  private var storage: Storage

  init(_ contents: Contents) { storage = Storage(contents) }

  var contents: Contents {
    _read { yield storage.contents }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.contents) }
      yield &storage.contents
    }
  }

  static func == (a: Shared, b: Shared) -> Bool {
    a.storage === b.storage || a.contents == b.contents
  }

  func hash(into hasher: inout Hasher) { hasher.combine(contents) }
}
