/// A value that copies share until one copy changes it.
///
/// An effect is a large structure, and most of its properties are at their defaults. With the rare properties in shared
/// storage, a copy takes one reference for all of these. A diagnostic is one reference, so that functions that may throw
/// one stay small.
package struct CopyOnWrite<Contents: Sendable>: Sendable {
  /// Only a unique reference to it is changed.
  package final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) package var contents: Contents

    @inlinable package init(_ contents: Contents) { self.contents = contents }
  }

  /// The value whose properties are read. A coroutine that yields a large value would be shorter to call, but
  /// Swift 6.3 may use such a value after its end.
  package var storage: Storage

  @inlinable package init(_ contents: Contents) { storage = Storage(contents) }

  /// The contents, to be changed in place.
  @inlinable package var contents: Contents {
    get { storage.contents }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.contents) }
      yield &storage.contents
    }
  }
}

extension CopyOnWrite: Equatable where Contents: Equatable {
  @inlinable package static func == (a: CopyOnWrite, b: CopyOnWrite) -> Bool {
    a.storage === b.storage || a.storage.contents == b.storage.contents
  }
}

extension CopyOnWrite: Hashable where Contents: Hashable {
  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(storage.contents) }
}
