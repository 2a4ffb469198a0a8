public import Foundation
public import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
public import ParticlesDocuments
public import ParticlesEffects

extension URL {
  /// The path of a file URL.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` for any other URL.
  fileprivate var filePath: String {
    get throws {
      guard isFileURL else {
        throw Diagnostic(
          .fileUnreadable, "'\(absoluteString)' is not on this machine", expected: "a file URL",
          hint: "download it first")
      }
      return path
    }
  }
}

extension Container {
  /// Opens a package of either form, see ``ParticlesContainer/Container/init(contentsOf:limits:)``.
  public init(contentsOf url: URL, limits: Limits = .standard) throws {
    try self.init(contentsOf: url.filePath, limits: limits)
  }

  /// Opens a flat package in memory.
  public init(decoding data: Data, limits: Limits = .standard) throws {
    try self.init(decoding: [UInt8](data), limits: limits)
  }

  /// Returns the flat form as data.
  public func data(_ options: PackingOptions = PackingOptions()) throws -> Data {
    Data(try encoded(options))
  }

  /// Writes a copy of the package.
  public func write(
    to url: URL, as form: Form, replacing: Bool = false, options: PackingOptions = PackingOptions()
  ) throws {
    try write(to: url.filePath, as: form, replacing: replacing, options: options)
  }

  /// Writes the package to a place, and continues there.
  public mutating func save(to url: URL, as form: Form = .flat, replacing: Bool = false) throws {
    try save(to: url.filePath, as: form, replacing: replacing)
  }
}

extension FileNode {
  /// Creates a regular file.
  public init(regularFileWithContents data: Data, isExecutable: Bool = false) {
    self.init(regularFileWithContents: [UInt8](data), isExecutable: isExecutable)
  }

  /// Returns the contents of a regular file, or nil for other kinds.
  public func regularFileData() throws -> Data? { try regularFileContents().map { Data($0) } }
}

extension OpenedEffect {
  /// Opens a file or directory of any format.
  public init(url: URL, limits: Limits = .standard) throws {
    try self.init(path: url.filePath, limits: limits)
  }
}

extension Document {
  /// Creates a document at a file URL. Nothing is read.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` if it is not a file URL.
  public init(
    url: URL, creating form: Container.Form = .flat,
    configuration: DocumentConfiguration = DocumentConfiguration()
  ) throws {
    self.init(path: try url.filePath, creating: form, configuration: configuration)
  }

  /// The file URL of the document, or nil.
  public nonisolated var url: URL? { path.map { URL(fileURLWithPath: $0) } }

  /// Moves the document, see ``ParticlesDocuments/Document/move(to:)``.
  public func move(to url: URL) async throws { try await move(to: url.filePath) }
}

extension DocumentVersion {
  /// When the version was kept.
  public var date: Date { Date(timeIntervalSince1970: seconds) }
}

#if canImport(System)
  public import System

  extension Document {
    /// Creates a document at a path. Nothing is read.
    public init(
      path: FilePath, creating form: Container.Form = .flat,
      configuration: DocumentConfiguration = DocumentConfiguration()
    ) {
      self.init(path: path.string, creating: form, configuration: configuration)
    }
  }

  extension Container {
    /// Opens a package of either form.
    public init(contentsOf path: FilePath, limits: Limits = .standard) throws {
      try self.init(contentsOf: path.string, limits: limits)
    }
  }
#endif

extension Diagnostic: LocalizedError {
  /// The message with its location, as an alert shows it.
  public var errorDescription: String? {
    let place = location.description
    return place.isEmpty ? message : "\(place): \(message)"
  }

  /// The summary of the rule that was broken.
  public var failureReason: String? { rule.summary }

  /// The next step, or nil.
  public var recoverySuggestion: String? { hint }
}

extension Diagnostic: CustomNSError {
  /// The domain of all errors of the library.
  public static var errorDomain: String { "org.particles-format.particles" }

  /// The code of the rule is in the user info as `rule`, because the numbers of `NSError` are not stable.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = ["rule": rule.code]
    info[NSLocalizedDescriptionKey] = errorDescription
    info[NSLocalizedFailureReasonErrorKey] = failureReason
    info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
    return info
  }
}
