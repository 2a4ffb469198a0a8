// `import ParticlesContainer` is all that an application needs: it includes the types of its
// declarations, such as `Diagnostic`, `Rule` and `Limits`.

@_exported public import ParticlesCore
