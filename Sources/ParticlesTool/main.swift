internal import ParticlesCLI
internal import ParticlesPlatform

// What is no UTF-8 stands in CommandLine.arguments as something else.
let words = (1..<max(1, Int(CommandLine.argc))).map { index in
  CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) }
}
let status = Tool.particles.run(words, console: .process())
exit(status.rawValue)
