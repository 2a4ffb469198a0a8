public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore

// The functions of `particles.h` that save packages.

/// How a package is saved, by the arguments of a function.
struct SaveArguments {
  var mode = Container.SaveMode.automatic
  var form = Container.Form.flat
  var level = Container.CompressionLevel.standard
  var isReplacing: Bool
  /// Whether a copy is written, and the package stays where it is.
  var isCopy: Bool
  var isSynchronizing: Bool

  private let progress: particles_progress_fn?
  private let context: UnsafeMutableRawPointer?

  init(_ argument: UnsafePointer<particles_save_options>?) throws {
    let options = try optional(argument, "options") ?? particles_save_options()
    (progress, context) = (options.progress, options.context)
    let (mode, form) = (options.mode, options.form)
    switch Int(mode) {
    case PARTICLES_AUTOMATIC: self.mode = .automatic
    case PARTICLES_APPEND: self.mode = .append
    case PARTICLES_REPLACE: self.mode = .replace
    default: throw Diagnostic.argument("mode", expected: "0 to 2", found: "\(mode)")
    }
    switch Int(form) {
    case PARTICLES_FLAT: self.form = .flat
    case PARTICLES_FOLDER: self.form = .directory
    default: throw Diagnostic.argument("form", expected: "0 or 1", found: "\(form)")
    }
    level = try compressionLevel(options.level)
    let flags = try flags(
      options.flags, of: PARTICLES_OVERWRITE | PARTICLES_COPY | PARTICLES_NOSYNC)
    isReplacing = flags & PARTICLES_OVERWRITE != 0
    isCopy = flags & PARTICLES_COPY != 0
    isSynchronizing = flags & PARTICLES_NOSYNC == 0
  }

  /// Options of the work for a handle.
  func work(for handle: Handle) -> Container.WorkOptions {
    CallbackProgress(progress, context, for: handle).work
  }

  func save(_ container: inout Container, _ work: Container.WorkOptions) throws {
    try container.save(mode: mode, level: level, work: work, synchronizing: isSynchronizing)
  }

  func save(
    _ container: inout Container, to path: String, _ work: Container.WorkOptions
  ) throws {
    try container.save(to: path, as: form, replacing: isReplacing, options: packing(work))
  }

  func copy(_ container: Container, to path: String, _ work: Container.WorkOptions) throws {
    try container.write(to: path, as: form, replacing: isReplacing, options: packing(work))
  }

  private func packing(_ work: Container.WorkOptions) -> Container.PackingOptions {
    var options = Container.PackingOptions(level: level, work: work)
    options.synchronizing = isSynchronizing
    return options
  }
}

/// A handle whose contents are saved as a package.
protocol PackageOwner: Handle {
  /// The package.
  var container: Container { get throws }

  /// Saves the package by work that can be cancelled.
  func save(_ body: (inout Container) throws -> Void) throws
}

extension PackageHandle: PackageOwner {}
extension EffectHandle: PackageOwner {}

/// Saves the package of a handle at a path, or a copy of it; where it is if there is no path.
func save<Kind: PackageOwner>(
  _ pointer: OpaquePointer?, _ kind: Kind.Type, to path: UnsafePointer<CChar>?,
  _ options: UnsafePointer<particles_save_options>?
) -> CInt {
  call(pointer, kind) { owner in
    let arguments = try SaveArguments(options)
    let work = arguments.work(for: owner)
    guard let path = optionalPath(path) else {
      guard !arguments.isCopy else {
        throw Diagnostic.argument("path", expected: "the path of the copy", found: "0")
      }
      return try owner.save { try arguments.save(&$0, work) }
    }
    guard arguments.isCopy else {
      return try owner.save { try arguments.save(&$0, to: path, work) }
    }
    let container = try owner.container
    try owner.cancellable { try arguments.copy(container, to: path, work) }
  }
}

/// The level of an argument.
func compressionLevel(_ level: CInt) throws -> Container.CompressionLevel {
  switch Int(level) {
  case PARTICLES_STANDARD: return .standard
  case PARTICLES_FAST: return .fast
  case PARTICLES_BEST: return .best
  default: throw Diagnostic.argument("level", expected: "0 to 2", found: "\(level)")
  }
}

/// See `particles_package_save` in `particles.h`.
@_cdecl("particles_package_save")
public func savePackage(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ options: UnsafePointer<particles_save_options>?
) -> CInt {
  save(pointer, PackageHandle.self, to: path, options)
}
