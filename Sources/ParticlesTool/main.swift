internal import ParticlesCLI
internal import ParticlesPlatform

// CommandLine.arguments replaces invalid UTF-8, which would name another file.
let words = (1..<max(1, Int(CommandLine.argc))).map { index in
  CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) }
}
let status = Tool.particles.run(words, console: .process())
exit(status.rawValue)
