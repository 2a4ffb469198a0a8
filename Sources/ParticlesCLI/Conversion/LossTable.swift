internal import ParticlesDocuments
internal import ParticlesFormats

extension Table {
  /// The loss report of many documents, with those of level info if `all`.
  init(_ groups: LossGroups, all: Bool) {
    self.init(.right, .left)
    for (line, count) in groups.sorted where all || line.level > .info || line.isImage {
      add(count.of("file"), line.text)
    }
  }
}
