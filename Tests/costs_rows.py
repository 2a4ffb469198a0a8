"""The measurements of `make costs`: a table of operations, and their inputs, made in the run from templates,
Fixtures and a fixed seed."""

import dataclasses, json, pathlib, random, shutil

import heavy_inputs

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclasses.dataclass
class Row:
    """An operation: the words of the command, the words of earlier commands (not measured), its exit status,
    the program, and the locale. With a goal, in percent, the serial share of its instructions is measured."""
    name: str
    words: str
    before: tuple = ()
    status: int = 0
    program: str = "particles"
    goal: float = 0
    locale: str = "C"

    @property
    def commands(self):
        return [*self.before, self.words]


EDIT = "edit fire.particles emitters[0].emission.rate=120"

# Edits of a package above 1 MiB. They append to it until it has four generations.
APPENDED = [f"edit large.particles emitters[0].emission.rate={rate}" for rate in (120, 130, 140, 150)]

OPERATIONS = [
    Row("start", "--version"),
    Row("help", "help convert"),
    Row("templates", "templates"),
    Row("formats", "formats"),
    Row("types list", "types list"),
    Row("types explain", "types explain fire.particles"),
    Row("types lint", "types lint Draw.app", status=1),

    Row("new", "new document.particles --template fire"),
    Row("info", "info fire.particles"),
    Row("validate", "validate fire.particles"),
    Row("validate in German", "validate fire.particles", locale="de_DE.UTF-8"),
    Row("edit", EDIT),
    Row("edit by appending", APPENDED[0]),
    Row("edit by appending, the third", APPENDED[2], APPENDED[:2]),
    Row("edit of four generations", APPENDED[3], APPENDED[:3]),
    Row("info of four generations", "info large.particles", APPENDED[:3]),
    Row("digest of four generations", "digest large.particles", APPENDED[:3]),
    Row("undo", "undo fire.particles", [EDIT]),
    Row("versions", "versions fire.particles", [EDIT]),
    Row("diff", "diff fire.particles edited.particles", [EDIT + " -o edited.particles"], status=1),

    Row("pack", "pack folder -o document.particles"),
    Row("pack 1,000 files", "pack thousand -o document.particles"),
    Row("list", "list fire.particles"),
    Row("list 1,000 files", "list thousand.particles"),
    Row("extract", "extract thousand.particles files/0500.txt"),
    Row("unpack", "unpack fire.particles -o unpacked"),
    Row("unpack 1,000 files", "unpack thousand.particles -o unpacked"),
    Row("verify", "verify large.particles"),
    Row("digest", "digest fire.particles"),
    Row("compact", "compact large.particles", APPENDED[:1]),

    Row("render a picture", "render fire.particles -o out.png --size 128 --at 1"),
    Row("render an animation", "render fire.particles -o out.gif --size 64 --duration 0.5 --fps 10"),
    Row("sheet", "sheet fire.particles -o out.png --size 48 --duration 0.5 --fps 8"),
    Row("thumbnail", "thumbnail fire.particles out.png -s 64"),
    Row("catalog", "catalog pd-json -o out.html --size 32 --duration 0.25"),
    Row("simulate", "simulate fire.particles --frames 60 --seeds 2"),
    Row("simulate 10,000 particles", "simulate crowd.particles --frames 30 --seeds 1 --every 30"),

    Row("dry run with --measure", "convert pex/torch.pex --to godot4 --dry-run --measure"),
    Row("convert a folder", "convert -r effects --to scenekit -o converted"),
]

# A file of each format family becomes a package.
READ = {
    "zip": "fire.zip", "tar": "fire.tar", "scenekit": "scnp/torch.scnp", "spritekit": "sks/torch.sks",
    "cocos2d": "plist/torch.plist", "particle-designer": "pd-json/torch.json", "starling": "pex/torch.pex",
    "libgdx": "libgdx/torch.p", "pixi": "pixi/torch.json", "love": "love/torch.lua",
    "defold": "defold/torch.particlefx", "phaser": "phaser/torch.json", "quarks": "quarks/torch.json",
    "tsparticles": "tsparticles/pair.json", "godot": "godot/torch.tscn", "vortex": "vortex/torch.json",
    "caemitter": "caemitter/sparks.plist", "effekseer": "effekseer/sparks.efkproj",
    "unity": "unity/Assets/Effects/Sparks.prefab",
}
OPERATIONS += [Row(f"from {name}", f"convert {path} -o document.particles") for name, path in READ.items()]

# A small effect becomes a file of some families: a package of archives, keys, one of nodes, source code.
WRITTEN = ["zip", "starling", "spritekit", "godot4", "unity-csharp"]
OPERATIONS += [Row(f"to {name}", f"convert -q fire.particles --to {name} -o out/fire") for name in WRITTEN]

# Effects of many emitters, in all formats that can be written. The costs of an emitter must not depend on
# how many there are.
FEW, MANY = 100, 500
EXPORTED = [
    "scenekit", "spritekit", "cocos2d", "particle-designer", "starling", "libgdx", "pixi",
    "love", "defold", "phaser", "quarks", "tsparticles", "godot4", "godot3", "swift-spritekit",
    "swift-scenekit", "swift-caemitter", "swift-realitykit", "unity-csharp", "lua-love",
]


def export_name(format, count):
    return f"to {format}, {count:,} emitters"


OPERATIONS += [Row(export_name(format, count), f"convert -q emitters-{count}.particles --to {format} -o out/many")
               for format in EXPORTED for count in (FEW, MANY)]

# Ticks of a slider in the effect editor: their bytes and their work must not depend on the size of the document.
ONE, TICKS = 1, 300
OPERATIONS += [Row(f"{TICKS} ticks of a slider, {count:,} emitter{'s' * (count > 1)}", f"ticks emitters-{count}.particles {TICKS}",
                   program="ParticlesSaveProbe") for count in (ONE, FEW)]

# Effects that ask for much. A test runs such effects with 2,000 emitters, in limited memory.
HEAVY = 200
OPERATIONS += [Row(f"thumbnail of heavy {name.split('.')[0]}", f"thumbnail {name} out.png -s 128")
               for name in [*heavy_inputs.FILES, *(f"{name}.particles" for name in heavy_inputs.PACKAGES)]]

# The serial shares of work for many processors: with 16 threads, 2.2 % allow a speed-up of 12, 4 % of 10, and 6.6 % of 8.
COPIES, FILES = 3, 8
OPERATIONS += [Row(f"share of {name}", words, goal=goal) for name, words, goal in [
    (f"pack {FILES} MB", "pack sounds -o document.particles", 2.2),
    (f"unpack {FILES} MB", "unpack sounds.particles -o unpacked", 2.2),
    (f"convert {51 * COPIES} files", "convert -q -r many --to spritekit -o converted", 2.2),
    (f"validate {51 * COPIES} files", "validate -q -r many", 2.2),
    ("catalog of 51 files", "catalog effects -o out.html --size 32 --duration 0.25", 4),
    ("GIF, 512 × 512, 60 frames", "render fire.particles -o out.gif --size 512 --duration 2 --fps 30", 4),
    ("convert with --measure", "convert pex/torch.pex --to godot4 --dry-run --measure", 4),
    ("simulate 130,000 particles", "simulate host.particles --frames 90 --seeds 1 --every 30", 6.6),
]]


# MARK: Inputs


def write_effect(folder, emitters):
    folder.mkdir()
    effect = {"asset": {"version": "1.0", "generator": "particles", "name": "Many"}, "emitters": emitters}
    (folder / "document.json").write_text(json.dumps(effect, indent=1))


def many(count):
    """Emitters that differ a little."""
    return [{"name": f"emitter {n}", "emission": {"rate": 10 + n % 7}, "lifetime": 1 + n % 5 / 4,
             "launch": {"speed": 50, "spread": 10}} for n in range(count)]


def make_inputs(folder, tool):
    """Makes all inputs in `folder`. `tool` runs the tool there, with these words."""
    for path in (ROOT / "Fixtures" / "effects").iterdir():
        shutil.copytree(path, folder / path.name)
    for name in ["vortex", "caemitter", "effekseer", "unity"]:
        shutil.copytree(ROOT / "Fixtures" / name, folder / name)
    shutil.copytree(ROOT / "Fixtures" / "effects", folder / "effects")
    shutil.copytree(ROOT / "Fixtures" / "info-plists" / "Draw.app", folder / "Draw.app")

    tool("new -q fire.particles --template fire")
    tool("unpack -q fire.particles -o folder")
    for name in ["zip", "tar"]:
        tool(f"convert -q fire.particles -o fire.{name}")
    for count in (ONE, FEW, MANY):
        write_effect(folder / f"effect-{count}", many(count))
        tool(f"pack -q effect-{count} -o emitters-{count}.particles")
    crowd = {"name": "Crowd", "emission": {"rate": 10000}, "lifetime": 2, "launch": {"speed": 50, "spread": 180}}
    write_effect(folder / "crowded", [crowd | {"maxParticles": 10000}])
    tool("pack -q crowded -o crowd.particles")

    host = crowd | {"emission": {"rate": 130000}, "lifetime": {"min": 0.8, "max": 1.2}, "maxParticles": 200000}
    write_effect(folder / "hosts", [host])
    tool("pack -q hosts -o host.particles")

    heavy_inputs.make(folder, count=HEAVY)
    generator = random.Random(1)
    write_effect(folder / "big", many(1))
    # Above 1 MiB, edits are appended. Random bytes cannot be compressed.
    (folder / "big" / "sound.bin").write_bytes(generator.randbytes(1_500_000))
    tool("pack -q big -o large.particles")
    write_effect(folder / "thousand", many(1))
    (folder / "thousand" / "files").mkdir()
    for number in range(1000):
        words = [f"{generator.randrange(4000):x}" for _ in range(generator.randrange(5, 200))]
        (folder / "thousand" / "files" / f"{number:04}.txt").write_text(" ".join(words))
    tool("pack -q thousand -o thousand.particles")
    for number in range(COPIES):
        shutil.copytree(ROOT / "Fixtures" / "effects", folder / "many" / f"{number}")
    write_effect(folder / "sounds", many(1))
    text = " ".join(f"{generator.randrange(4000):x}" for _ in range(250_000)).encode()[:1_000_000]
    for number in range(FILES):
        place = generator.randrange(len(text))
        (folder / "sounds" / f"{number:02}.txt").write_bytes(text[place:] + text[:place])
    tool("pack -q sounds -o sounds.particles")


def copy_inputs(row, inputs, folder):
    """Copies the inputs that the commands of a row name, and makes the folder `out`."""
    (folder / "out").mkdir()
    names = {word.split("/")[0] for command in row.commands for word in command.split()}
    for path in inputs.iterdir():
        if path.name not in names:
            continue
        if path.is_dir():
            shutil.copytree(path, folder / path.name)
        else:
            shutil.copy(path, folder / path.name)
