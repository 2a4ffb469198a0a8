internal import ParticlesCore
internal import ParticlesDocuments

/// Plans of other names, for one item and for many.
extension Browser {
  /// A new name with the extension of the old one, if it has none.
  private static func completed(_ name: String, _ record: ItemTable.Record) -> String {
    guard record.kind != .folder, !Files.pathExtension(of: record.name).isEmpty,
      Files.pathExtension(of: name).isEmpty
    else { return name }
    return name + "." + (record.name.split(separator: ".").last.map(String.init) ?? "")
  }

  func renaming(
    _ id: BrowserItem.ID, _ name: String, _ names: inout PlannedNames
  ) async -> OperationStep {
    var (step, found) = step(id)
    guard let record = found, let parent = record.parent else { return step }
    do {
      let old = record.name
      let name = Self.completed(name, record)
      try DocumentNames.check(name)
      let place = try await place(parent, &names).get()
      if name == old { return step }
      if name.lowercased() == old.lowercased() { names.free(old, in: parent) }
      guard !names.isTaken(name, in: parent) else {
        throw Diagnostic(
          .fileExists, at: Location(file: Files.joined(place.path, name)),
          hint: "choose another name")
      }
      names.take(name, in: parent)
      step.work = .move(path: record.path, to: place, name: name)
    } catch {
      step.fault = Self.diagnostic(error)
    }
    return step
  }

  /// The steps of several renamings, each after the one that frees its name.
  func renaming(
    _ pairs: [BrowserOperation.Renaming], _ names: inout PlannedNames
  ) async -> [OperationStep] {
    var failed: Set<Int> = []
    var steps: [OperationStep] = []
    // A name stays taken if its item cannot be renamed, which may concern others.
    while true {
      var planned = names
      for (index, pair) in pairs.enumerated() where !failed.contains(index) {
        guard let record = table[pair.item], let parent = record.parent,
          Self.completed(pair.name, record) != record.name,
          case .success = await place(parent, &planned)
        else { continue }
        planned.free(record.name, in: parent)
      }
      steps = []
      for pair in pairs { steps.append(await renaming(pair.item, pair.name, &planned)) }
      let now = Set(steps.indices.filter { steps[$0].fault != nil })
      if now.isSubset(of: failed) { break }
      failed.formUnion(now)
    }
    return inOrder(steps)
  }

  /// Puts a renaming behind the one that frees its name.
  private func inOrder(_ steps: [OperationStep]) -> [OperationStep] {
    var steps = steps
    var owners: [String: Int] = [:]
    for (index, step) in steps.enumerated() {
      if case .move(let path, _, _) = step.work { owners[path.lowercased()] = index }
    }
    var order: [Int] = []
    var isPlaced = [Bool](repeating: false, count: steps.count)
    for start in steps.indices where !isPlaced[start] {
      // From one to the next that has its name.
      var chain: [Int] = []
      var next: Int? = start
      while let index = next, !isPlaced[index], !chain.contains(index) {
        chain.append(index)
        next = steps[index].target.flatMap { owners[$0.lowercased()] }.flatMap {
          $0 == index ? nil : $0
        }
      }
      if let last = next, !isPlaced[last] {
        for index in chain {
          steps[index].fault = Diagnostic(
            .fileExists, at: Location(file: steps[index].target),
            "names are exchanged in a circle", hint: "give one of them a third name first")
        }
      }
      for index in chain.reversed() {
        isPlaced[index] = true
        order.append(index)
      }
    }
    return order.map { steps[$0] }
  }
}
