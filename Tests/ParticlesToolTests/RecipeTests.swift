import Particles
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The lines of `Spec/recipes.md`, as they are there, in repositories of their own.
@Suite("Recipes", .needs("git", "sh", "sed", "xargs"))
struct RecipeTests {
  private let scratch: Scratch
  private let page: String
  private let sh: String

  init() throws {
    scratch = try Scratch()
    sh = try #require(Run.find("sh"))
    page = String(decoding: try Files.read(Repository.path("Spec/recipes.md")), as: UTF8.self)
    for folder in ["bin", "work"] { try Files.makeDirectory(scratch.file(folder)) }
    try Files.makeLink(scratch.file("bin/particles"), to: Run.built("particles"))
    try shell("git init -q -b main && particles new -q fire.particles -t fire")
    try Files.create(work(".gitattributes"), Array(recipe("attributes").utf8))
    try shell("git add -A && git commit -q -m Fire")
  }

  private func work(_ name: String) -> String { scratch.file("work/\(name)") }

  /// The block after `<!-- recipe: NAME -->`.
  private func recipe(_ name: String) throws -> String {
    let rest = try #require(page.ranges(of: "<!-- recipe: \(name) -->\n```").first)
    let lines = page[rest.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropFirst().prefix { $0 != "```" }.map { $0 + "\n" }.joined()
  }

  /// The scripts of a workflow: the lines indented below `run: |` or `- |`.
  private func scripts(of workflow: String) -> [String] {
    var scripts: [String] = []
    var indent: Int?
    for line in workflow.split(separator: "\n", omittingEmptySubsequences: false) {
      let depth = line.prefix { $0 == " " }.count
      if let start = indent, depth > start {
        scripts[scripts.count - 1] += line + "\n"
      } else if line.hasSuffix("run: |") || line.hasSuffix("- |") {
        indent = depth
        scripts.append("")
      } else {
        indent = nil
      }
    }
    return scripts
  }

  /// The environment of a user without settings of git, who has the tool in PATH.
  private var environment: [String: String] {
    let path = Run.variable("PATH") ?? "/usr/bin:/bin"
    var variables = [
      "PATH": "\(scratch.file("bin")):\(path)", "HOME": scratch.path,
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat",
    ]
    for role in ["AUTHOR", "COMMITTER"] {
      variables["GIT_\(role)_NAME"] = "Ember"
      variables["GIT_\(role)_EMAIL"] = "ember@example.com"
    }
    return variables
  }

  private func run(_ script: String, _ more: [String: String] = [:]) throws -> Run {
    try Run(sh, ["-ec", script], in: work(""), environment: environment.merging(more) { $1 })
  }

  /// Runs a script that has to succeed.
  @discardableResult
  private func shell(_ script: String, _ more: [String: String] = [:]) throws -> Run {
    try Run.succeeding(
      sh, ["-ec", script], in: work(""), environment: environment.merging(more) { $1 })
  }

  private func value(_ key: String) throws -> JSONValue? {
    try EffectEditor(EffectPackage(Container(contentsOf: work("fire.particles")))).value(key)
  }

  @Test("each recipe has a test")
  func complete() {
    let names = page.matches(of: /<!-- recipe: ([\w-]+) -->/).map { String($0.1) }
    #expect(
      names == [
        "drivers", "attributes", "mergetools", "pre-commit", "github", "gitlab", "parallel",
        "watch",
      ])
  }

  @Test("a script gets the path of a watched document, whatever its name is")
  func watch() throws {
    try shell("mv fire.particles 'd$(touch ran).particles'")
    try shell(
      recipe("watch").replacing(
        "watch fire.particles", with: "watch --now --count 1 'd$(touch ran).particles'"))
    #expect(try Files.status(work("fire.png")) != nil)
    #expect(try Files.status(work("ran")) == nil)
  }

  @Test("git compares packages by properties, and merges them")
  func drivers() throws {
    try shell(recipe("drivers"))
    try shell(
      """
      git checkout -q -b other
      particles edit -q fire.particles 'emitters[Flames].lifetime=2' && git commit -qam Longer
      git checkout -q main
      particles edit -q fire.particles 'emitters[Flames].emission.rate=90' && git commit -qam Less
      """)
    let log = try shell("git log -p -1").text
    #expect(log.contains("\n-emitters[Flames].emission.rate: 95 1/s\n"), "\(log)")
    #expect(log.contains("\n+emitters[Flames].emission.rate: 90 1/s\n"))
    #expect(try shell("git blame fire.particles").text.contains("asset.name: \"Fire\""))
    let merge = try shell("git merge -q -m Both other")
    // The driver has no line of its own: git names the file.
    #expect(!merge.errors.contains("wrote") && !merge.text.contains("wrote"), "\(merge.errors)")
    #expect(try value("emitters[Flames].lifetime") == .int(2))
    #expect(try value("emitters[Flames].emission.rate") == .int(90))
    #expect(try shell("git status --porcelain").text.isEmpty)
    // A damaged version does not end the log.
    try shell("head -c 500 fire.particles > f && mv f fire.particles && git commit -qam Damaged")
    try shell("git checkout -q HEAD~1 fire.particles && git commit -qm Restored")
    let damaged = try shell("git log -p -2").text
    #expect(damaged.contains("\n-cannot be read: "), "\(damaged)")
    #expect(damaged.contains("\n+cannot be read: "))
  }

  @Test("a conflict is listed with its values, and tools of git end it", arguments: [false, true])
  func conflicts(theirs: Bool) throws {
    try shell(recipe("drivers") + recipe("mergetools"))
    try shell(
      """
      git checkout -q -b other
      particles edit -q fire.particles 'emitters[Flames].emission.rate=10' seed=3
      git commit -qam Few && git checkout -q main
      particles edit -q fire.particles 'emitters[Flames].emission.rate=90' && git commit -qam Less
      """)
    let tool = try shell("git difftool --tool particles -y HEAD~1 HEAD").text
    #expect(tool == "~ emitters[0].emission.rate: 95 -> 90 1/s\n")
    let merge = try run("git merge -m Both other")
    #expect(merge.status == 1 && merge.text.contains("CONFLICT"), "\(merge.text)\(merge.errors)")
    #expect(
      (merge.text + merge.errors)
        .contains("emitters[0].emission.rate: 95 -> 90 in ours, 10 in theirs"))
    #expect(merge.errors.contains("conflict in fire.particles\n"))
    #expect(try shell("git status --porcelain").text.contains("UU fire.particles"))
    #expect(try value("emitters[Flames].emission.rate") == .int(90))
    // What only one side has changed is there already.
    #expect(try value("seed") == .int(3))
    try shell("git mergetool -y --tool particles-\(theirs ? "theirs" : "ours") fire.particles")
    #expect(try value("emitters[Flames].emission.rate") == .int(theirs ? 10 : 90))
    #expect(try shell("git status --porcelain").text.contains("M  fire.particles"))
    try shell("git commit -q --no-edit")
  }

  @Test("the hook checks what is committed, and passes over other files")
  func hook() throws {
    let hook = work(".git/hooks/pre-commit")
    try? Files.removeAll(hook)
    try Files.makeDirectories(work(".git/hooks"))
    try Files.create(hook, Array(recipe("pre-commit").utf8))
    try shell("chmod +x .git/hooks/pre-commit")
    try shell("echo text > 'a b.c' && git add -A && git commit -q -m Text")
    try shell("git rm -q 'a b.c' && git commit -q -m Removal")
    // Without the tool, one message, and it is not about the effects.
    let script = "echo 1 > one && git add one && git commit -m One"
    let bare = try run(script, ["PATH": "/usr/bin:/bin"])
    #expect(bare.status == 1, "\(bare.errors)")
    #expect(bare.errors.contains("'particles' is not in PATH"), "\(bare.errors)")
    #expect(bare.errors.split(separator: "\n").count == 1, "\(bare.errors)")
    try shell("git rm -q --cached one && rm one")
    // The index counts, not the working tree.
    try shell(
      "cp fire.particles whole && head -c 300 whole > fire.particles && git add fire.particles")
    try shell("cp whole fire.particles && rm whole")
    let refused = try run("git commit -m Damaged")
    #expect(refused.status == 1 && refused.errors.contains("[container/"), "\(refused.errors)")
    #expect(refused.errors.contains("fire.particles:byte"))
    try shell("git add fire.particles && particles edit -q fire.particles seed=2")
    try shell("git commit -qam Changed")
    // One file of a package that is a folder means the package.
    try shell(
      """
      particles convert -q fire.particles -o folder.particles --form directory
      git add -A && git commit -q -m Folder
      head -c 100 folder.particles/document.json > part && mv part folder.particles/document.json
      """)
    let folder = try run("git commit -am Damaged")
    #expect(folder.status == 1, "\(folder.text)")
    #expect(folder.errors.contains("folder.particles/document.json"), "\(folder.errors)")
    #expect(!folder.errors.contains("image/"))
  }

  /// A branch with a sound, a damaged and an unchanged effect, beside a remote repository with `main`.
  private func branch() throws {
    try shell(
      """
      git clone -q --bare . ../origin.git && git remote add origin ../origin.git
      git fetch -q origin && git checkout -q -b topic
      mkdir sub && particles new -q sub/rain.particles -t rain
      printf '<particleEmitterConfig>\\n  <speed value="1"\\n' > sub/torn.pex
      echo text > notes.txt && git add -A && git commit -q -m Topic
      """)
  }

  /// The findings of a log in SARIF: rule and file.
  private func findings(_ path: String) throws -> [String] {
    let log = try JSONParser.parse(Files.read(path)).object
    let results = log?["runs"]?.array?[0].object?["results"]?.array ?? []
    return results.compactMap { result in
      let place = result.object?["locations"]?.array?[0].object?["physicalLocation"]?.object
      let file = place?["artifactLocation"]?.object?["uri"]?.string
      return result.object?["ruleId"]?.string.map { "\($0) \(file ?? "")" }
    }
  }

  @Test("a workflow for GitHub finds errors, and keeps thumbnails")
  func gitHub() throws {
    try branch()
    let scripts = scripts(of: try recipe("github"))
    #expect(scripts.count == 3)
    let temporary = scratch.file("runner")
    try Files.makeDirectory(temporary)
    let environment = [
      "GITHUB_BASE_REF": "main", "GITHUB_WORKSPACE": work(""), "RUNNER_TEMP": temporary,
    ]
    #expect(try scripts.map { try run($0, environment).status } == [0, 1, 2])
    #expect(try findings("\(temporary)/effects.sarif") == ["xml/malformed sub/torn.pex"])
    #expect(try Files.list("\(temporary)/thumbnails/sub") == ["rain.png"])
    // A pull request without effects.
    try Files.removeAll(temporary)
    try Files.makeDirectory(temporary)
    try shell("git rm -q -r sub && git commit -q -m Gone")
    #expect(try scripts.map { try run($0, environment).status } == [0, 0, 0])
  }

  @Test("the same for GitLab")
  func gitLab() throws {
    try branch()
    let scripts = scripts(of: try recipe("gitlab"))
    #expect(scripts.count == 1)
    try shell("git rm -q sub/torn.pex && git commit -q -m Mended")
    try shell(scripts[0], ["CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"])
    #expect(try findings(work("effects.sarif")).isEmpty)
    #expect(try Files.list(work("thumbnails/sub")) == ["rain.png"])
  }

  @Test("GNU parallel does the work in parts, and goes on where it was", .needs("parallel"))
  func parallel() throws {
    let torch = try Files.read(Repository.path("Fixtures/effects/pex/torch.pex"))
    try Files.makeDirectory(work("effects"))
    for number in 1...3 { try Files.create(work("effects/it's \(number).pex"), torch) }
    let run = try shell(recipe("parallel"))
    #expect(try Files.list(work("converted")).filter { $0.hasSuffix(".sks") }.count == 3)
    let report = try JSONParser.parse(Files.read(work("reports/1.json"))).object
    #expect(report?["files"]?.array?.count == 3, "\(run.errors)")
    try Files.removeAll(work("converted/it's 1.sks"))
    try shell(recipe("parallel"))
    #expect(try Files.status(work("converted/it's 1.sks")) == nil)
  }
}
