internal import ParticlesTypes

/// What it costs to know the types of the system.
extension Arena {
  /// From the literal in the program to a registry that answers.
  func loadTypes() -> Contestant {
    var registry = TypeRegistry([])
    return Contestant(
      label: "library", work: .shortCall { registry = TypeRegistry.bundled() },
      check: {
        guard UniformType("public.png", in: registry)?.conforms(to: .image) == true else {
          throw ChildProcess.Failure(text: "the types of the system are not there")
        }
      })
  }

  /// Extensions that one type claims, that several do, and that nobody does would cost differently;
  /// this is the first of them.
  func typeOfExtension() -> Contestant {
    var type: UniformType?
    return Contestant(
      label: "library", work: .shortCall { type = UniformType(filenameExtension: "png") },
      check: {
        guard type == .png else { throw ChildProcess.Failure(text: "another type was found") }
      })
  }

  /// Across the tree, by way of two others.
  func conforms() -> Contestant {
    let (type, other) = (UniformType.swiftSource, UniformType.content)
    var answer = false
    return Contestant(
      label: "library", work: .shortCall { answer = type.conforms(to: other) },
      check: {
        guard answer else { throw ChildProcess.Failure(text: "the answer is wrong") }
      })
  }
}
