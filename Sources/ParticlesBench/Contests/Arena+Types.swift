internal import ParticlesTypes

/// Contests of the type registry.
extension Arena {
  /// From the table in the program to a registry that answers.
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

  /// Looks up an extension that exactly one type claims; extensions with several types or none cost
  /// differently.
  func typeOfExtension() -> Contestant {
    var type: UniformType?
    return Contestant(
      label: "library", work: .shortCall { type = UniformType(filenameExtension: "png") },
      check: {
        guard type == .png else { throw ChildProcess.Failure(text: "another type was found") }
      })
  }

  /// Conformance across the tree, by way of two other types.
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
