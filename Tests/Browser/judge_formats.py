"""Every format that the tool reads, in the editor: opened, one value changed, saved, opened again, and compared with the old file."""

import difflib, json, pathlib, plistlib, shutil

from edit import Flows
from editor_page import EDITOR, Editor
from routes import Client, Refused
from tool import check, failures, until

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CORPUS = ROOT.parent / "shared/corpus"
FIXTURES = ROOT / "Fixtures"

# For each format: files of other people by their beginnings, and ours for formats that the corpus lacks.
FILES = {
    "spritekit": ["corpus:sks/*.sks", "fixture:effects/sks/torch.sks"],
    "scenekit": ["corpus:scnp/*.scnp", "corpus:apple-particles/*.particles"],
    "cocos2d": ["corpus:plist/*.plist", "fixture:cocos2d/ember-binary.plist"],
    "particle-designer": ["corpus:pd-json/*.json", "fixture:effects/pd-json/torch.json"],
    "starling": ["corpus:pex/*.pex", "fixture:effects/pex/torch.pex"],
    "libgdx": ["corpus:libgdx/*flame.p", "corpus:libgdx/*rain.p"],
    "pixi": ["corpus:pixi/*coins.json", "corpus:pixi/*flameAndSmoke.json"],
    "pixi-legacy": ["fixture:effects/pixi/snow-2.json", "fixture:effects/pixi/shower-1.json"],
    "love": ["fixture:effects/love/torch.lua", "fixture:effects/love/snow.lua"],
    "defold": ["corpus:defold/*boom.particlefx", "corpus:defold/*trail.particlefx"],
    "phaser": ["fixture:effects/phaser/torch.json", "fixture:effects/phaser/pair.json"],
    "quarks": ["corpus:quarks/*.json", "fixture:effects/quarks/torch.json"],
    "tsparticles": ["corpus:tsparticles/*amongUs*.json", "fixture:effects/tsparticles/pair.json"],
    "godot4": ["corpus:godot/*coin__coin.tscn", "fixture:effects/godot/torch.tscn"],
    "godot3": ["corpus:godot/*Coin@194af1f.tscn", "corpus:godot/*Enemy@d26688e.tscn"],
    "vortex": ["fixture:vortex/torch.json"], "caemitter": ["fixture:caemitter/sparks.plist"], "effekseer": ["fixture:effekseer/sparks.efkproj"],
    "unity": ["fixture:unity/Assets/Effects/Sparks.prefab"],
}
# What packages of the tool are, and archives. A Unity package has many effects: it is browsed, as a folder is.
PACKAGES = {"particles", "zip", "tar", "unitypackage"}
# One value, of which a file holds one: the first that its format can hold without a loss.
CHANGES = [("emitters[0].launch.speed", "+10"), ("emitters[0].emission.rate", "*1.5"), ("emitters[0].lifetime", "*1.25"), ("emitters[0].size.width", "*1.5")]
# Formats with two numbers for a range of speeds, or none where it is their default.
FIRST = {**dict.fromkeys(["godot3", "godot4"], ("emitters[0].launch.spread", "*0.75")), "defold": CHANGES[1], "unity": CHANGES[1], "pixi": CHANGES[1], "pixi-legacy": CHANGES[1], "libgdx": ("emitters[0].emission.maxAlive", "*2")}
# One of each way to store values: binary, XML, lines, JSON, blocks, a package, and what can only be read.
IN_PAGE = {"spritekit", "cocos2d", "libgdx", "pixi", "godot4", "particles", "effekseer", "tar"}


def leaves(value, objects=None, at=""):
    """The values of a property list by their ways, through the references of archives."""
    if isinstance(value, plistlib.UID) and objects is not None:
        if at.count("/") > 24: return {}
        return leaves(objects[value.data], objects, at)
    if isinstance(value, dict):
        objects = value.get("$objects", objects)
        pairs = [("top", value["$top"])] if "$objects" in value else value.items()
    elif isinstance(value, (list, tuple)): pairs = enumerate(value)
    else: return {at: value}
    found = {}
    for key, each in pairs: found |= leaves(each, objects, f"{at}/{key}")
    return found


def difference(before, after):
    """What differs: lines of a text, keys of a binary property list."""
    if before.startswith(b"bplist"):
        one, other = leaves(plistlib.loads(before)), leaves(plistlib.loads(after))
        changed = sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))
        return "keys", changed
    one, other = before.split(b"\n"), after.split(b"\n")
    matcher = difflib.SequenceMatcher(a=one, b=other, autojunk=False)
    changed = [line for tag, i, j, k, l in matcher.get_opcodes() if tag != "equal" for line in (other[k:l] or one[i:j])]
    return "lines", [each.decode(errors="replace").strip()[:80] for each in changed]


def near(one, other):
    """Whether values are equal. A format may store the inverse of a rate, as a number with few digits."""
    if isinstance(one, dict) and isinstance(other, dict): return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)): return abs(one - other) <= 1e-6 * max(abs(one), abs(other))
    return one == other


class Formats:
    def __init__(self, tool, chromium, pictures):
        self.tool, self.chromium, self.pictures = tool, chromium, pictures
        self.table = []

    def files(self):
        """The files of the table as copies that can be written, with the pictures beside them."""
        have = CORPUS.is_dir()
        if not have: print(f"the corpus is not at {CORPUS}; formats are tried with the fixtures of the project alone")
        for format, patterns in FILES.items():
            for number, pattern in enumerate(patterns):
                kind, glob = pattern.split(":", 1)
                if kind == "corpus" and not have: continue
                found = sorted((CORPUS if kind == "corpus" else FIXTURES / ".").glob(glob))
                if not check(found, f"{format}: there is a file {pattern}"): continue
                folder = self.tool.effects / f"{format}-{number}"
                folder.mkdir()
                path = folder / found[0].name
                shutil.copyfile(found[0], path)
                for picture in found[0].parent.glob("*.png"): shutil.copyfile(picture, folder / picture.name)
                yield format, path

    def packages(self):
        """Packages in each form, and archives of one."""
        folder = self.tool.effects / "packages"
        folder.mkdir()
        flat = folder / "flat.particles"
        self.tool.run("new", "-q", flat, "--template", "fire")
        self.tool.run("unpack", flat, "-o", folder / "directory.particles")
        for format, name in (("zip", "fire.zip"), ("tar", "fire.tar")): self.tool.run("convert", flat, "-o", folder / name)
        return [("particles", flat), ("particles", folder / "directory.particles"), ("zip", folder / "fire.zip"), ("tar", folder / "fire.tar")]

    def formats(self):
        """Opens, changes, saves and reopens a file of each format by the routes."""
        files = [*self.files(), *self.packages()]
        offered = {each["name"] for each in json.loads(self.tool.run("formats", "--json").stdout)["formats"] if each["read"]}
        check(offered == set(FILES) | PACKAGES, f"each of the {len(offered)} formats that the tool reads has a file: {offered ^ (set(FILES) | PACKAGES)}")
        address, _ = self.tool.start("browse", "--no-open", self.tool.effects)
        self.client = client = Client(address)
        for format, path in files:
            row = {"format": format, "file": path.name, "saved": "", "lines": "", "picture": ""}
            self.table.append(row)
            count = len(failures)
            try: self.one(client, format, path, row)
            except Refused as error: check(False, f"{format} {path.name}: {error}")
            row["state"] = "ok" if len(failures) == count else "FAILED"
        self.unstored(client)
        self.pages(files)
        self.tool.end()
        print(f"\n{'format':18} {'file':64} {'saved':9} {'changed':28} picture")
        for row in self.table: print(f"{row['format']:18} {row['file'][:64]:64} {row['saved']:9} {row['lines'][:28]:28} {row['picture']}")

    def one(self, client, format, path, row):
        opened = client.open(path)
        name = (opened.format or {}).get("name", "particles")
        # Archives are packages in another envelope.
        check(name == format or format in ("zip", "tar"), f"{format} {path.name}: opened as {name}")
        isWritable = "read-only" not in opened.states
        before = path.read_bytes() if path.is_file() else None
        for key, change in dict.fromkeys([FIRST.get(format, CHANGES[0]), *CHANGES]):
            old = opened.value(key)
            try: opened.relative(key, change)
            except Refused: continue
            if opened.value(key) == old: continue
            if not isWritable or not opened.format: break
            losses = opened.losses()
            # A value that the format derives from further values is no single value there.
            if not losses["losses"] and not losses["dropped"]: break
            opened.undo()
        else: return check(False, f"{format} {path.name}: one of {len(CHANGES)} values can be changed without a loss")
        value = opened.value(key)
        if not isWritable: return self.beside(client, opened, path, before, key, value, row)
        if opened.format: check(path.read_bytes() == before, f"{format}: nothing is written unasked")
        opened.save()
        row["saved"] = "in place"
        if before is not None and opened.format:
            unit, changed = difference(before, path.read_bytes())
            row["lines"] = f"{len(changed)} {unit[:-1] if len(changed) == 1 else unit}"
            check(len(changed) == 1, f"{format} {path.name}: {key.split('.', 1)[1]} {change}: one of {unit} differs: {changed[:4]}")
        opened.close()
        again = client.open(path)
        check(near(again.value(key), value), f"{format} {path.name}: opened again, {key} is {again.value(key)} ({value})")
        again.close()
        read = self.tool.run("edit", path, "--json", "emitters[0].name=probe", "-o", self.tool.home / "copy.particles", "--force")
        check(read.returncode in (0, 2), f"{format} {path.name}: the tool reads it: {read.stderr.strip()[:100]}")

    def beside(self, client, opened, path, before, key, value, row):
        """What can only be read is saved as a package beside it."""
        losses = opened.losses() if opened.format else {"isInPlace": False}
        check(not losses["isInPlace"], f"{path.name}: a package is offered, {losses.get('format')}")
        try:
            opened.save()
            check(False, f"{path.name}: it is not written in place")
        except Refused as error: check(error.code in ("file/unwritable", "file/read-only"), f"{path.name}: a save in place is refused: {error}")
        saved = pathlib.Path(opened.client.ask("edit-save", {"item": opened.item, "way": "package"})["path"])
        row["saved"], row["lines"] = "package", "0 (not touched)"
        check(path.read_bytes() == before, f"{path.name}: the file stays as it was")
        check(saved.suffix == ".particles" and saved.parent == path.parent and saved.exists(), f"{path.name}: saved as {saved.name}")
        again = client.open(saved)
        check(again.value(key) == value, f"{saved.name}: {key} is {again.value(key)} ({value})")
        again.close()
        row["package"] = saved

    def unstored(self, client):
        """An edit of which a format stores nothing is not dropped without a word."""
        path = self.tool.effects / "unstored.json"
        shutil.copyfile(FIXTURES / "effects/pixi/snow-2.json", path)
        opened = client.open(path)
        opened.relative("emitters[0].launch.speed", "+10")
        told = opened.losses()
        try:
            opened.save()
            outcome = "saved"
        except Refused as error: outcome = error.code
        check(outcome == "file/unwritable", f"an edit of which the format stores nothing is refused until its loss is accepted: {outcome}, losses {told['losses']}, dropped {told['dropped']}")
        opened.close()

    def pages(self, files):
        """The first file of each format in the page: changed by the inspector, saved by the button, drawn by the module."""
        flows = Flows(self.tool, self.chromium, self.pictures)
        seen, context = set(), None
        for row, (format, path) in zip(self.table, files):
            if format not in IN_PAGE or format in seen or row.get("state") == "FAILED" and not row["saved"]: continue
            seen.add(format)
            path = row.get("package", path)
            client = self.client
            try: editor = Editor(self.chromium, f"{client.address}?show={client.find(path)}", context=context).wait()
            except TimeoutError as error:
                check(False, f"{format}: the page opens {path.name}: {error}")
                continue
            context = editor.context
            try:
                before = editor.ask("return JSON.stringify(s.value('emitters[0].launch.speed')) + s.revision")
                editor.ask("await s.edit('Speed', [{ key: 'emitters[0].launch.speed', relative: '+5' }]).catch(() => s.edit('Rate', [{ key: 'emitters[0].emission.rate', relative: '*1.25' }]));")
                editor.page.click("[data-command=save]")
                if editor.ask("return s.isForeign"):
                    editor.page.wait_for_selector(".sheet [data-way=save], .sheet [data-way=lossy]", timeout=30000)
                    if format == "godot4": flows.shot(editor, f"save-{format}")
                    editor.page.click(".sheet [data-way=save], .sheet [data-way=lossy]")
                    editor.page.wait_for_selector(".sheet", state="detached")
                until(editor.page, f"!{EDITOR}.session.states.includes('changed')")
                found, drawn = editor.pixels(0.7), flows.rendered(0.7, path)
                isSame = found == drawn
                differing = [abs(a - b) for a, b in zip(found, drawn) if a != b] if len(found) == len(drawn) else [f"{len(found)} bytes, {drawn[:90]}"]
                lit = sum(each != 0 for each in found[0::4]) if found else 0
                row["picture"] = f"equal ({lit} px lit)" if isSame else f"{len(differing)} values differ, by {max(differing)} at most"
                check(isSame, f"{format} {path.name}: the picture of the module is that of render --at of the saved file: {row['picture']}")
                if format in ("spritekit", "libgdx"): flows.shot(editor, f"format-{format}")
                check(not editor.page.faults, f"{format}: no errors in the page: {editor.page.faults[:2]}")
            except Exception as error:
                flows.shot(editor, f"failed-{format}")
                check(False, f"{format} {path.name} in the page: {str(error)[:300]}")
            editor.close()
        if context: context.close()
