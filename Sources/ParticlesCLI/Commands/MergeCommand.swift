internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesSystem

extension Command {
  /// Merges two packages that were made from a third one.
  static let merge = Command(
    name: "merge", group: .documents,
    summary: "Merge two packages that were made from a third one.",
    discussion: """
      Effects are merged property by property, lists of emitters and sprites by name, and other files as a whole. \
      Previews are drawn again. Changes of only one side are taken from that side. A property or a file that both have \
      changed is a conflict, and so are changes that are allowed alone and not together, such as changes of both \
      ends of a range: it is listed with the value of the base, ours and theirs, the result has our value, and the \
      status is 1. With --favor, the result has the value of the named side, and the status is 0.

      If the merged effect has an error that neither side has, such as a reference to an emitter that one side has \
      removed, nothing is written, and the status is 1.

      An empty file as the base means that there is none: files that differ are then conflicts. The result has the \
      form of ours unless --form states another form. With --force, it may replace one of the three. As a merge \
      driver, git needs 'git config merge.particles.driver "particles merge %O %A %B -o %A -f"' and the line \
      '*.particles merge=particles' in .gitattributes. It takes the exit statuses as they are: 0 if everything was \
      merged, 1 and above for a conflict.
      """,
    arguments: [
      Argument(.file("base"), "The package that both were made from."),
      Argument(.file("ours"), "The package with our changes."),
      Argument(.file("theirs"), "The package with their changes."),
    ],
    options: [.output, .favor, .form, .force, .dryRun, .json],
    examples: [
      Example(
        "particles merge old.particles ours.particles theirs.particles -o new.particles",
        "Merge the changes of two people."),
      Example(
        "particles merge old.particles a.particles b.particles -o a.particles -f",
        "Add their changes to a package."),
      Example(
        "particles merge --favor theirs old ours theirs -o merged",
        "Take their value where both have changed one."),
    ],
    run: { try PackageMerge($0).run() })
}

extension Option {
  fileprivate static let favor = Option(
    "favor", value: .choice("side", PackageMerge.Side.allCases.map(\.rawValue)),
    "Take the value of this side where both have changed one.")
}

/// A run of `merge`.
private struct PackageMerge {
  enum Side: String, CaseIterable {
    case ours, theirs
  }

  private let invocation: Invocation
  private let paths: [String]
  private let output: String?
  private let favored: Side?

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    paths = try ["base", "ours", "theirs"].map(invocation.argument)
    guard paths.count(where: { $0 == Invocation.standardStream }) < 2 else {
      throw UsageError("only one of the three can be standard input")
    }
    output = invocation.flag(.dryRun) ? invocation.value(.output) : try invocation.requiredOutput()
    favored = invocation.value(.favor).flatMap(Side.init)
  }

  func run() throws -> ExitStatus {
    let base = try isEmpty(paths[0]) ? Container() : invocation.container(at: paths[0])
    let ours = try invocation.container(at: paths[1])
    let theirs = try invocation.container(at: paths[2])
    let form = invocation.form ?? ours.form ?? .flat
    if let output { try invocation.check(placeOfPackage: output, as: form) }
    let sides = [base, ours, theirs].map(EffectPackage.init)

    let clashing = try merged(sides[0], sides[1], sides[2])
    let clashes = clashing.clashes.sorted()
    var package = clashing.content
    if favored == .theirs, !clashes.isEmpty {
      package = try merged(sides[0], sides[2], sides[1]).content
    }
    let faults = newErrors(of: package, besides: sides)
    var isSaved = false
    if faults.isEmpty {
      redrawPreviews(of: &package, since: ours)
      if let output, !invocation.flag(.dryRun) {
        try invocation.save(package.container, to: output, as: form)
        isSaved = true
      }
    }
    let conflicts = clashes.map { Conflict($0, of: sides) }
    tell(conflicts, faults, isSaved: isSaved)
    try printJSON(conflicts, faults, isSaved: isSaved)
    return faults.isEmpty && (conflicts.isEmpty || favored != nil) ? .done : .answerNo
  }

  private func merged(
    _ base: EffectPackage, _ ours: EffectPackage, _ theirs: EffectPackage
  ) throws -> DocumentMerge<EffectPackage> {
    // There always is a merge of packages.
    try EffectPackage.merge(base: base, ours: ours, theirs: theirs) ?? DocumentMerge(ours)
  }

  /// Whether there is nothing at a path: git passes an empty file if both sides have added one.
  private func isEmpty(_ path: String) throws -> Bool {
    guard path != Invocation.standardStream, let status = try Files.status(path) else {
      return false
    }
    return status.kind != .directory && status.size == 0
  }

  /// The errors of the merged effect that none of the three has.
  private func newErrors(
    of package: EffectPackage, besides sides: [EffectPackage]
  ) -> [Diagnostic] {
    func errors(_ package: EffectPackage) -> [Diagnostic] {
      do {
        return try Validator().check(package).filter { $0.severity == .error }
      } catch {
        return [error as? Diagnostic ?? Diagnostic(.fileUnreadable, "\(error)")]
      }
    }
    let found = errors(package)
    guard !found.isEmpty else { return [] }
    let known = Set(sides.flatMap(errors).map(\.message))
    return found.filter { !known.contains($0.message) }
      .map { $0.inside(Location(file: paths[1])) }
  }

  /// A thumbnail that cannot be drawn is no reason not to save.
  private func redrawPreviews(of package: inout EffectPackage, since ours: Container) {
    guard package.container.root != ours.root else { return }
    do {
      try package.refreshPreviews()
    } catch {
      let reason = (error as? Diagnostic)?.message ?? "\(error)"
      let place = Location(file: paths[1], entry: EffectPackage.thumbnailPath)
      invocation.note([Diagnostic(.staleThumbnail, at: place, "it cannot be drawn: \(reason)")])
    }
  }

  /// A part that both sides have changed, with its values if it is a property.
  private struct Conflict {
    let key: String
    /// The values of base, ours and theirs. Nil for a file.
    let values: [JSONValue?]?

    init(_ key: String, of sides: [EffectPackage]) {
      self.key = key
      let found = sides.map { try? EffectEditor($0).value(key) }
      values = found.contains { $0 != nil } ? found : nil
    }

    /// `emitters[Smoke].emission.rate: 95 -> 120 in ours, 60 in theirs`
    var line: String {
      guard let values else { return "\(key): both sides have changed it" }
      return "\(key): \(values[0].valueText) -> \(values[1].valueText) in ours, "
        + "\(values[2].valueText) in theirs"
    }

    var json: JSONValue {
      var object: JSONObject = ["key": .string(key)]
      for (name, value) in zip(["base", "ours", "theirs"], values ?? []) { object[name] = value }
      return .object(object)
    }
  }

  private func tell(_ conflicts: [Conflict], _ faults: [Diagnostic], isSaved: Bool) {
    for conflict in conflicts { invocation.console.inform("\(conflict.line)") }
    for fault in faults { invocation.reportFailure(fault) }
    if !faults.isEmpty {
      return invocation.console.complain(
        "nothing was written: the merged effect would have \(faults.count.of("error"))",
        hint: "take one side as it is, and make the changes of the other with 'particles edit'")
    }
    let count = conflicts.count.of("conflict")
    if !conflicts.isEmpty, favored == nil {
      invocation.console.complain(
        "\(count); the result has our values",
        hint: "change it with 'particles edit', or merge again with --favor ours or theirs")
    }
    // A user who replaces ours knows where the result is. A name that git gives means nothing to the user.
    guard !isSaved || output != paths[1] else { return }
    let written: Phrase? =
      isSaved ? output.map { "wrote \($0)" as Phrase } : "nothing was written (--dry-run)"
    if let written, output != Invocation.standardStream { invocation.console.inform(written) }
  }

  private func printJSON(
    _ conflicts: [Conflict], _ faults: [Diagnostic], isSaved: Bool
  ) throws {
    var members: JSONObject = [
      "saved": .bool(isSaved), "conflicts": .array(conflicts.map(\.json)),
    ]
    members["path"] = output.map(JSONValue.string)
    members["favor"] = favored.map { .string($0.rawValue) }
    try invocation.answer(members)
  }
}
