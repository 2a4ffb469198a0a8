internal import ParticlesCore

/// The part of an operation for one item: planned before anything is changed.
struct OperationStep {
  /// The kinds of work.
  enum Work {
    /// Moves an entry, also one in the trash, to a folder under a name.
    case move(path: String, to: Place, name: String)
    /// Copies a file of a provider to a folder under a name.
    case copy(path: String, to: Place, name: String)
    /// Copies or moves a file of this machine to a folder under a name.
    case bring(file: String, to: Place, name: String, isMoving: Bool)
    /// Moves an entry to the trash.
    case trash(path: String)
    /// Deletes an entry.
    case delete(path: String)
    /// Creates a folder.
    case makeFolder(in: Place, name: String)
  }

  /// A folder.
  struct Place {
    var id: BrowserItem.ID
    var provider: any BrowserProvider
    var path: String
  }

  /// The item, or the path of a file from outside.
  var source: String
  /// The name to show.
  var name: String
  /// The item; nil for a file from outside.
  var id: BrowserItem.ID?
  /// The provider that the item is of.
  var provider: (any BrowserProvider)?
  var work: Work?
  /// The path that it would make, where the work itself cannot be planned.
  var planned: String?
  /// Why it cannot be done.
  var fault: Diagnostic?

  /// The path that it makes.
  var target: String? {
    switch work {
    case .move(_, let place, let name), .copy(_, let place, let name),
      .bring(_, let place, let name, _), .makeFolder(let place, let name):
      Files.joined(place.path, name)
    case .trash, .delete, nil: planned
    }
  }

  func result(_ status: BrowserResult.Status, _ diagnostic: Diagnostic? = nil) -> BrowserResult {
    BrowserResult(
      source: source, name: name, status: status, target: target, diagnostic: diagnostic)
  }
}

/// Names in folders, those that a plan will use among them. Upper and lower case are not distinguished.
struct PlannedNames {
  /// The names that there are, in lower case.
  private var there: [BrowserItem.ID: Set<String>] = [:]
  /// Those that the plan adds and frees. The others may be many, and are not copied.
  private var added: [BrowserItem.ID: Set<String>] = [:]
  private var freed: [BrowserItem.ID: Set<String>] = [:]

  mutating func begin(_ folder: BrowserItem.ID, _ names: [String]) {
    begin(folder, lowered: Set(names.map { $0.lowercased() }))
  }

  mutating func begin(_ folder: BrowserItem.ID, lowered names: Set<String>) {
    if there[folder] == nil { there[folder] = names }
  }

  func knows(_ folder: BrowserItem.ID) -> Bool { there[folder] != nil }

  func isTaken(_ name: String, in folder: BrowserItem.ID) -> Bool {
    let name = name.lowercased()
    if added[folder]?.contains(name) ?? false { return true }
    if freed[folder]?.contains(name) ?? false { return false }
    return there[folder]?.contains(name) ?? false
  }

  /// The name is in use from now on.
  mutating func take(_ name: String, in folder: BrowserItem.ID) {
    added[folder, default: []].insert(name.lowercased())
  }

  /// The name is free from now on: its item moves away.
  mutating func free(_ name: String, in folder: BrowserItem.ID) {
    added[folder]?.remove(name.lowercased())
    freed[folder, default: []].insert(name.lowercased())
  }

  /// The name, or one with a number that is free, which is in use then.
  /// - Parameter comment: the word that is added first, as in `fire copy`; nil for none.
  mutating func unique(
    _ name: String, in folder: BrowserItem.ID, comment: String? = nil, hasExtension: Bool = true
  ) -> String {
    let suffix =
      hasExtension && !Files.pathExtension(of: name).isEmpty
      ? String(
        name.unicodeScalars.suffix(from: name.unicodeScalars.lastIndex(of: ".") ?? name.startIndex))
      : ""
    var stem = hasExtension && !suffix.isEmpty ? Files.stem(of: name) : name
    if let comment { stem += " \(comment)" }
    var number = 1
    while true {
      let ending = (number == 1 ? "" : " \(number)") + suffix
      // Still a valid name.
      var start = stem
      while start.utf8.count + ending.utf8.count > 255, !start.isEmpty {
        start.unicodeScalars.removeLast()
      }
      let candidate = start + ending
      if !isTaken(candidate, in: folder) {
        take(candidate, in: folder)
        return candidate
      }
      number += 1
    }
  }
}
