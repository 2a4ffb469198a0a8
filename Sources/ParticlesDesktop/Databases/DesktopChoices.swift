internal import ParticlesCore
internal import ParticlesTypes

/// The default applications and associations that users and administrators chose: the files
/// `mimeapps.list` that a desktop reads (Association between MIME types and applications 1.0.1).
struct DesktopChoices: Sendable {
  /// A file. The file of one desktop specifies defaults only, not associations.
  private struct Layer: Sendable {
    var file: MIMEAssociations
    var isOfDesktop: Bool
  }

  /// The highest precedence first.
  private let layers: [Layer]

  /// Reads the files.
  /// - Parameter desktops: the names of the running desktop (`XDG_CURRENT_DESKTOP`).
  init(_ directories: BaseDirectories, desktops: [String], limits: Limits) throws {
    let folders =
      directories.config + directories.data.map { Files.joined($0, "applications") }
    var layers: [Layer] = []
    for folder in folders {
      for name in desktops.map({ "\($0.lowercased())-" }) + [""] {
        let path = Files.joined(folder, "\(name)mimeapps.list")
        guard try Files.status(path)?.kind == .file else { continue }
        let text = String(decoding: try Files.read(path, limits: limits), as: UTF8.self)
        layers.append(Layer(file: MIMEAssociations(text), isOfDesktop: !name.isEmpty))
      }
    }
    self.layers = layers
  }

  /// Returns the chosen default programs of a type, the highest precedence first.
  func defaults(for type: String) -> [String] {
    layers.flatMap { $0.file.entries(for: type, in: .defaults) }
  }

  /// The types for which a default program is chosen.
  var chosenTypes: [String] {
    var seen: Set<String> = []
    return layers.flatMap { $0.file.mimeTypes(in: .defaults) }.filter { seen.insert($0).inserted }
  }

  /// Returns the programs that open files of a type: added associations, then the programs that
  /// declare the type, without those that a file of higher precedence removed.
  /// - Parameter declaring: the programs whose desktop entries declare the type.
  func programs(for type: String, declaring: [String]) -> [String] {
    var removed: Set<String> = []
    var programs: [String] = []
    for layer in layers where !layer.isOfDesktop {
      for program in layer.file.entries(for: type, in: .added)
      where !removed.contains(program) && !programs.contains(program) {
        programs.append(program)
      }
      removed.formUnion(layer.file.entries(for: type, in: .removed))
    }
    return programs
      + declaring.filter { !removed.contains($0) && !programs.contains($0) }
  }
}
