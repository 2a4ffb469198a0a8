internal import ParticlesCore
internal import ParticlesImages

/// The state that the documents of a batch share while they are checked: each folder is listed once, and not for each
/// document in it.
package final class ValidationBatch: Sendable {
  let leftovers = LeftoverIndex()
  let images = SharedImages()

  package init() {}
}
