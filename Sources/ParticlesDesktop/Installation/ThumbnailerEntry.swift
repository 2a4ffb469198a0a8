internal import ParticlesTypes

/// A thumbnailer entry (`.thumbnailer`): how a desktop gets small pictures of documents.
public struct ThumbnailerEntry: Sendable, Hashable {
  /// How it is run: `%i` is the path, `%u` the URI, `%o` where the PNG goes, `%s` its size in pixels.
  public var command: String
  /// The program whose presence shows that it is installed.
  public var program: String?
  /// The MIME types that it makes pictures of.
  public var mimeTypes: [String]

  /// Creates an entry.
  public init(command: String, program: String? = nil, mimeTypes: [String]) {
    self.command = command
    self.program = program
    self.mimeTypes = mimeTypes
  }

  /// The file.
  public var text: String {
    var lines = ["[Thumbnailer Entry]"]
    if let program { lines.append("TryExec=\(program.inKeyFile)") }
    lines += ["Exec=\(command.inKeyFile)", "MimeType=\(DesktopEntry.list(mimeTypes))"]
    return lines.joined(separator: "\n") + "\n"
  }
}
