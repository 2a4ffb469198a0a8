// `import ParticlesContainer` is all that an application needs: what its declarations speak of,
// such as `Diagnostic`, `Rule` and `Limits`, comes with it.

@_exported public import ParticlesCore
