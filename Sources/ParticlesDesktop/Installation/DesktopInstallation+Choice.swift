internal import ParticlesCore

extension DesktopInstallation {
  /// Makes the program the default one of the MIME types that it opens; earlier choices remain as
  /// fallbacks.
  /// - Parameter config: the folder of settings that contains `mimeapps.list`.
  /// - Throws: errors of reading and writing that file.
  public func choose(in config: String) throws {
    let path = Files.joined(config, "mimeapps.list")
    let old = try Files.status(path) == nil ? nil : Files.read(path)
    var choices = MIMEAssociations(String(decoding: old ?? [], as: UTF8.self))
    var record = try InstallationRecord(in: data)
    // The record has room for one file, so the choice in an earlier one is undone.
    if record.choices != path { try revokeChoice(record) }
    let isFirst = record.choices != path
    record.madeChoices = isFirst ? old == nil : record.madeChoices
    record.choices = path
    let known = isFirst ? [] : record.chosen
    record.chosen = program.mimeTypes.filter { type in
      known.contains(type)
        || !choices.entries(for: type, in: .defaults).contains(program.identifier)
    }
    for type in program.mimeTypes {
      choices.prepend(program.identifier, for: type, in: .defaults)
    }
    // Settings are private to the user; the specification of XDG asks for this mode.
    try record.makeSurroundings(config, mode: 0o700)
    try record.write(in: data)
    let text = Array(choices.text.utf8)
    guard text != old else { return }
    try SafeSave.file(path, replacing: true, permissions: old == nil ? 0o644 : nil) {
      try $0.write(text)
    }
  }

  /// Undoes ``choose(in:)``. Later choices of the user are kept.
  func revokeChoice(_ record: InstallationRecord) throws {
    guard let path = record.choices, try Files.status(path)?.kind == .file else { return }
    let old = try Files.read(path)
    var choices = MIMEAssociations(String(decoding: old, as: UTF8.self))
    for type in record.chosen { choices.remove(program.identifier, for: type, in: .defaults) }
    let text = Array(choices.text.utf8)
    if text.isEmpty, record.madeChoices {
      try Files.removeAll(path)
    } else if text != old {
      try SafeSave.file(path, replacing: true) { try $0.write(text) }
    }
  }
}
