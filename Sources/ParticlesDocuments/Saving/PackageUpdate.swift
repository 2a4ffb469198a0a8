public import ParticlesContainer
public import ParticlesCore

/// Changes a package in place, while other programs may save it too.
///
///     let update = PackageUpdate("fire.particles")
///     let (_, outcome) = try update.run { package in
///       var system = try package.system()
///       system.seed = 7
///       try package.setSystem(system)
///     }
///     for warning in outcome.diagnostics { print(warning) }
///
/// If another program saves the package between opening and saving, it is opened again and the
/// change is made again, on the new state. So programs that change different properties do not
/// overwrite each other, and of two that change the same property the later one wins.
public struct PackageUpdate: Sendable {
  /// The path of the package, in either form. A symbolic link is followed.
  public var path: String

  /// For how many seconds to wait for other programs, and to try again after they have saved; 5 by
  /// default. 0 tries once.
  public var timeout = 5.0

  /// The digest that the package must have, in hexadecimal digits, at least the first eight; nil,
  /// the default, for any. See ``ParticlesContainer/FileNode/treeDigest()``.
  public var expectedDigest: String?

  /// Whether a read-only package is saved; false by default.
  public var isForced = false

  /// Whether a flat package of any size is written completely, without superseded data;
  /// false by default. See ``appendingSize``.
  public var isRewriting = false

  /// Whether to save; true by default. If false, ``run(from:_:)`` makes the change in memory only.
  public var isSaving = true

  /// Where to note the edit, so that it can be undone, and to keep the states before and after it as
  /// versions; nil, the default, for nowhere. Of packages above ``versionSize`` the changed files are
  /// noted only.
  public var versions: VersionStore?

  /// The name of the edit in ``versions``.
  public var editName = "Edit"

  /// The size of all files in bytes up to which whole states are kept (16 MiB).
  public static let versionSize = 16 << 20

  /// The limits for reading the package.
  public var limits: Limits

  /// The size in bytes from which a flat package is saved by appending (1 MiB).
  ///
  /// A smaller one is rewritten, so that no superseded data remain in the file. Up to this size the
  /// two flushes that every save needs take all of the time: on an ext4 disk, a rewrite takes 11 ms
  /// from 16 KiB to 1 MiB, 20 ms at 10 MiB and 45 ms at 30 MiB; appending always takes 4 to 10 ms.
  public static let appendingSize = 1 << 20

  /// The result of ``run(from:_:)``.
  public struct Outcome: Sendable {
    /// How the package was saved; nil if nothing was changed, or ``isSaving`` is false.
    public var mode: Container.SaveMode?
    /// How many times the package was opened; more than 1 if another program saved it meanwhile.
    public var attempts: Int
    /// The package after the change.
    public var package: EffectPackage
    /// Warnings: the owner of the file has changed, or other hard links have the old contents.
    public var diagnostics: [Diagnostic]
  }

  /// Creates an update of the package at a path.
  public init(_ path: String, limits: Limits = .standard) {
    self.path = path
    self.limits = limits
  }

  /// Opens the package, changes it and saves it in its form.
  /// - Parameters:
  ///   - opened: the package, if it is open already; it must have been opened at ``path``.
  ///   - change: changes the package. It is called again, with the new state, each time another
  ///     program has saved the package meanwhile.
  /// - Returns: the result of the last call of `change`, and how the package was saved.
  /// - Throws: ``ParticlesCore/Rule/fileChanged`` if the package does not have the
  ///   ``expectedDigest``, or if other programs saved it again and again until the ``timeout``;
  ///   ``ParticlesCore/Rule/fileBusy`` if another program held its lock for that long;
  ///   ``ParticlesCore/Rule/fileReadOnly``; others of the family `file`; the error of `change`. The
  ///   package is not changed then.
  @discardableResult
  public func run<Result>(
    from opened: EffectPackage? = nil, _ change: (inout EffectPackage) throws -> Result
  ) throws -> (result: Result, outcome: Outcome) {
    let deadline = Deadline(seconds: timeout)
    var (next, attempts) = (opened, 0)
    while true {
      attempts += 1
      do {
        let package = try next ?? EffectPackage(Container(contentsOf: path, limits: limits))
        return try attempt(package, attempts, deadline, change)
      } catch let fault as Diagnostic where isConflict(fault) {
        guard !deadline.isOver else { throw exhausted(fault, attempts) }
      }
      next = nil
      // Programs that failed together try again at different times.
      MonotonicClock.wait(seconds: Double.random(in: 0.001...0.02) * Double(min(attempts, 5)))
    }
  }

  private func attempt<Result>(
    _ opened: EffectPackage, _ number: Int, _ deadline: Deadline,
    _ change: (inout EffectPackage) throws -> Result
  ) throws -> (Result, Outcome) {
    let before = opened.container
    try checkDigest(before)
    let plan = try isSaving ? SavePlan(path, of: before, self) : nil
    var package = opened
    let result = try change(&package)
    var outcome = Outcome(attempts: number, package: package, diagnostics: [])
    if let plan, try !package.container.root.matchesContents(of: before.root) {
      outcome.mode = try package.container.save(mode: plan.mode, until: deadline)
      outcome.package = package
      outcome.diagnostics = try plan.changesOfFile()
      outcome.diagnostics += note(from: before.root, to: package.container.root)
    }
    return (result, outcome)
  }

  /// Notes an edit that was saved. The document is safe, so an error is a note.
  private func note(from old: FileNode, to new: FileNode) -> [Diagnostic] {
    guard let versions else { return [] }
    do {
      try versions.addEdit(editName, of: path, from: old, to: new)
      if new.size <= Self.versionSize {
        if try versions.versions(of: path).isEmpty {
          try versions.add(old, of: path, as: .opened)
        }
        try versions.add(new, of: path, as: .saved, comment: editName)
      }
      return []
    } catch {
      let reason = (error as? Diagnostic)?.description ?? "\(error)"
      return [
        Diagnostic(
          .fileVersion, at: Location(file: path), "the edit cannot be undone later: \(reason)",
          severity: .note)
      ]
    }
  }

  /// Whether another program has changed the package since it was opened. A directory that is
  /// exchanged while it is read lacks entries.
  private func isConflict(_ fault: Diagnostic) -> Bool {
    if fault.rule == .fileChanged { return fault.detailed as? DigestMismatch == nil }
    return fault.rule == .fileNotFound && (try? Files.status(path)) != nil
  }

  private func exhausted(_ fault: Diagnostic, _ attempts: Int) -> Diagnostic {
    guard fault.rule == .fileChanged, timeout > 0 else { return fault }
    return Diagnostic(
      .fileChanged, at: Location(file: path),
      "other programs saved it \(attempts) times in \(JSONNumber(timeout).text) s",
      hint: "try again, or wait longer")
  }

  private func checkDigest(_ container: Container) throws {
    guard let expectedDigest else { return }
    let digest = try container.root.treeDigest().description
    let wanted = expectedDigest.lowercased()
    guard wanted.utf8.count >= 8, digest.hasPrefix(wanted) else {
      var fault = Diagnostic(
        .fileChanged, at: Location(file: path), expected: "digest \(wanted)",
        found: "digest \(digest)", hint: "look at the document again, and repeat the change")
      fault.detailed = DigestMismatch()
      throw fault
    }
  }
}

/// Marks a difference from ``PackageUpdate/expectedDigest``, after which no other attempt is made.
private struct DigestMismatch: DiagnosticDetail {
  static let key = "digest"
  var json: JSONValue { .bool(true) }
}
