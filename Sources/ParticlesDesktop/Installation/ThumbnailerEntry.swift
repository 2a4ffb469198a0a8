internal import ParticlesTypes

/// A thumbnailer entry (`.thumbnailer`): the command by which a desktop makes thumbnails.
public struct ThumbnailerEntry: Sendable, Hashable {
  /// The command line: `%i` is the path of the document, `%u` its URI, `%o` the path of the PNG to
  /// write, `%s` its size in pixels.
  public var command: String
  /// The program that must be installed for the entry to be used.
  public var program: String?
  /// The MIME types of the documents.
  public var mimeTypes: [String]

  /// Creates an entry.
  public init(command: String, program: String? = nil, mimeTypes: [String]) {
    self.command = command
    self.program = program
    self.mimeTypes = mimeTypes
  }

  /// The text of the file.
  public var text: String {
    var lines = ["[Thumbnailer Entry]"]
    if let program { lines.append("TryExec=\(program.inKeyFile)") }
    lines += ["Exec=\(command.inKeyFile)", "MimeType=\(DesktopEntry.list(mimeTypes))"]
    return lines.joined(separator: "\n") + "\n"
  }
}
