/// A value that copies share until one of them changes it.
///
/// An effect is a large structure, and most of its properties are at their defaults: with the rare ones
/// in shared storage, a copy takes a reference for all of them.
struct Shared<Contents: Sendable>: Sendable {
  /// Only a unique reference to it is changed.
  final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) fileprivate(set) var contents: Contents

    init(_ contents: Contents) { self.contents = contents }
  }

  /// The value whose properties are read. A coroutine that yields a large value would be shorter to call, but
  /// Swift 6.3 may use such a value after its end.
  private(set) var storage: Storage

  init(_ contents: Contents) { storage = Storage(contents) }

  /// The contents, to be changed in place.
  var contents: Contents {
    get { storage.contents }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.contents) }
      yield &storage.contents
    }
  }
}

extension Shared: Equatable where Contents: Equatable {
  static func == (a: Shared, b: Shared) -> Bool {
    a.storage === b.storage || a.storage.contents == b.storage.contents
  }
}

extension Shared: Hashable where Contents: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(storage.contents) }
}
