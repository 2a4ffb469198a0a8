#!/usr/bin/env python3
"""An independent reader of flat .particles packages: container.md in the standard library of Python.

It reads the whole file from front to back and accepts it only if it keeps every rule of container.md
for flat packages. It has no limits: use it on packages that fit into memory.

usage: read_particles.py [--strict] FILE            lists the entries and prints the tree digest
       read_particles.py [--strict] FILE FOLDER     unpacks, too

With --strict, the index of earlier generations is checked, too, as "particles verify" does.
"""
import hashlib, os, re, struct, sys, unicodedata, zlib
from collections import namedtuple

class Invalid(Exception):
    """The file breaks a rule."""

def require(condition, text):
    if not condition: raise Invalid(text)

# Frames

Frame = namedtuple("Frame", "at tag raw stored place crc end")
Footer = namedtuple("Footer", "at generation root previous end")
MOST = {b"TREE": 1 << 20, b"DATA": 1 << 20, b"BLKS": 16 << 20, b"ROOT": 16 << 20, b"DONE": 24}
NEXT = {b"DONE": (b"TREE", b"DATA", b"ROOT"), b"TREE": (b"TREE", b"DATA", b"ROOT"),
        b"DATA": (b"DATA", b"BLKS"), b"BLKS": (b"ROOT",), b"ROOT": (b"DONE",)}

def head(data, at):
    """The head of a frame; None if it is not a valid one, wherever it is in the file."""
    tag, raw, stored, place, crc = struct.unpack_from("<4sIIQI", data, at)
    if tag not in MOST or not 1 <= raw <= MOST[tag] or (tag == b"DONE" and (raw, stored) != (24, 24)): return None
    if not 1 <= stored <= raw or stored * 1032 + 64 < raw or place >= 1 << 63: return None
    if tag != b"DATA" and place != at: return None
    return Frame(at, tag, raw, stored, place, crc, at + 24 + stored)

def is_whole(data, frame):
    return zlib.crc32(data[frame.at + 24:frame.end], zlib.crc32(data[frame.at:frame.at + 20])) == frame.crc

def footer(data, at):
    """The intact footer at a position; None if there is none."""
    if at < 16 or at + 48 > len(data): return None
    frame = head(data, at)
    if frame is None or frame.tag != b"DONE" or not is_whole(data, frame): return None
    return Footer(at, *struct.unpack_from("<QQQ", data, at + 24), at + 48)

def walk(data):
    """The frames from the front, and why they end: "end", "cut" or "fault"."""
    frames = []; at = 16; before = b"DONE"; stream = 0
    while at + 24 <= len(data):
        frame = head(data, at)
        if frame is None or frame.tag not in NEXT[before]: return frames, "fault", at
        if frame.tag == b"DATA":
            if frame.place != stream: return frames, "fault", at
            stream += frame.raw
        if frame.end > len(data): return frames, "cut", at
        if frame.tag == b"DONE" and footer(data, at) is None: return frames, "fault", at
        frames.append(frame); at = frame.end; before = frame.tag
    return frames, "end" if at == len(data) else "cut", at

def committed(data):
    """The frames of all committed generations, and their footers."""
    frames, why, at = walk(data)
    footers = [footer(data, frame.at) for frame in frames if frame.tag == b"DONE"]
    require(footers, "no footer of a finished save")
    if why == "fault":
        later = (at + found.start() for found in re.finditer(b"DONE", data[at:]))
        require(not any(footer(data, place) for place in later), f"a damaged frame at {at}")
    frames = [frame for frame in frames if frame.at < footers[-1].end]
    previous = None
    for this in footers:
        root = max((frame.at for frame in frames if frame.tag == b"ROOT" and frame.at < this.at), default=None)
        require(this.root == root, f"root of the footer at {this.at}")
        require(this.generation == (previous.generation if previous else 0) + 1, f"generation of the footer at {this.at}")
        require(this.previous == (previous.at if previous else 0), f"previous footer of the one at {this.at}")
        previous = this
    return frames, footers

def payload(data, frame):
    require(is_whole(data, frame), f"checksum at {frame.at}")
    stored = data[frame.at + 24:frame.end]
    if frame.stored == frame.raw: return stored
    stream = zlib.decompressobj()
    try: raw = stream.decompress(stored, frame.raw + 1)
    except zlib.error as error: raise Invalid(f"payload at {frame.at}: {error}")
    require(stream.eof and not stream.unused_data and len(raw) == frame.raw, f"payload at {frame.at}")
    return raw

# Index

class Reader:
    """The fields of a payload of the index, one after the other."""
    def __init__(self, data): self.data, self.at = data, 0
    def done(self): return self.at == len(self.data)
    def bytes(self, count):
        require(count <= len(self.data) - self.at, "too few bytes in the index")
        self.at += count
        return self.data[self.at - count:self.at]
    def varint(self):
        value = 0
        for place in range(9):
            byte = self.bytes(1)[0]
            value |= (byte & 127) << 7 * place
            if byte < 128:
                require(byte or not place, "an integer that is not in its shortest form")
                return value
        raise Invalid("an integer from 2^63 on")
    def signed(self):
        value = self.varint()
        return -(value + 1) // 2 if value & 1 else value // 2
    def path(self, before):
        shared = self.varint()
        require(shared <= len(before), "more shared bytes than there are")
        return before[:shared] + self.bytes(self.varint())

Entry = namedtuple("Entry", "path kind offset size target")

def entries(page):
    reader = Reader(page); path = b""; end = 0
    while not reader.done():
        path = reader.path(path); kind = reader.bytes(1)[0]
        require(kind <= 3, f"kind {kind}")
        offset = size = 0; target = None
        if kind in (1, 2):
            size = reader.varint()
            if size:
                offset = end + reader.signed(); end = offset + size
                require(offset >= 0 and end < 1 << 63, "contents outside of the stream")
        if kind == 3: target = reader.bytes(reader.varint())
        yield Entry(path, kind, offset, size, target)

def index(frames, footers, contents):
    """The entries of the last generation; checks its root against the frames."""
    by_place = {frame.at: frame for frame in frames}
    root_at = footers[-1].root
    begin = footers[-2].end if len(footers) > 1 else 16
    root = Reader(contents(by_place[root_at])); end = 16
    def reference(tag):
        nonlocal end
        at = end + root.signed(); length = root.varint()
        frame = by_place.get(at)
        require(frame and frame.tag == tag and frame.end - at == length and at < root_at, "a reference of the root")
        end = frame.end
        return frame
    tree = []; pages = []; path = b""
    for _ in range(root.varint()):
        path = root.path(path)
        frame = reference(b"TREE"); count = root.varint()
        found = list(entries(contents(frame)))
        require(len(found) == count and found[0].path == path, f"the page at {frame.at} is another")
        pages.append(frame); tree += found
    own = [frame for frame in frames if frame.tag == b"TREE" and frame.at >= begin]
    require([frame for frame in pages if frame.at >= begin] == own, "pages of the last generation")
    tables = [frame for frame in frames if frame.tag == b"BLKS"]
    require(root.varint() == len(tables), "number of tables")
    blocks = [frame for frame in frames if frame.tag == b"DATA"]
    for table in tables:
        require(reference(b"BLKS") == table, "order of the tables")
        lengths = []; reader = Reader(contents(table))
        while not reader.done(): lengths.append((reader.varint(), reader.varint()))
        mine = [block for block in blocks if block.at < table.at]
        blocks = blocks[len(mine):]
        require(lengths == [(block.raw, block.stored) for block in mine], f"the table at {table.at}")
        require(root.varint() == sum(block.raw for block in mine), f"bytes of the table at {table.at}")
    require(root.done(), "bytes after the last table")
    return tree

# Tree

CONTROL = re.compile("[\0-\x1f\x7f-\x9f\\\\\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

def text(data, what):
    try: return data.decode()
    except UnicodeDecodeError: raise Invalid(f"{what} that is not UTF-8")

def check(tree, size):
    """Whether it is a tree: names, order, parents, twins, links, extents."""
    kinds = {"": 0}; twins = set(); before = b""
    for entry in tree:
        name = text(entry.path, "a name"); parts = name.split("/"); parent = "/".join(parts[:-1])
        sound = len(entry.path) <= 4096 and not CONTROL.search(name) and unicodedata.is_normalized("NFC", name)
        require(sound and all(part not in ("", ".", "..") and len(part.encode()) <= 255 for part in parts), f"name {name!r}")
        key = entry.path.replace(b"/", b"\0")
        require(key > before, f"order of {name!r}")
        require(kinds.get(parent) == 0, f"parent of {name!r}")
        twin = parent, unicodedata.normalize("NFC", parts[-1].upper().lower())
        require(twin not in twins, f"twin of {name!r}")
        before = key; kinds[name] = entry.kind; twins.add(twin)
        if entry.kind == 3: check_link(name, text(entry.target, "a target"), len(parts) - 1)
    end = 0
    for start, length in sorted((entry.offset, entry.size) for entry in tree if entry.size):
        require(start >= end, "contents overlap")
        end = start + length
    require(end <= size, "contents after the end of the stream")

def check_link(name, target, depth):
    require(0 < len(target.encode()) <= 4096 and target[0] != "/" and not CONTROL.search(target), f"link {name!r}")
    steps = [step for step in target.split("/") if step not in ("", ".")]
    climbs = next((count for count, step in enumerate(steps) if step != ".."), len(steps))
    require(climbs <= depth and ".." not in steps[climbs:], f"link {name!r}")

def read(data, strict=False):
    """The generation, the entries with their contents, and the length of an unfinished save."""
    require(data[:9] == b"\x89PTCL\r\n\x1a\n", "signature")
    require(len(data) >= 16, "header")
    require(zlib.crc32(data[:12]) == struct.unpack_from("<I", data, 12)[0], "checksum of the header")
    require(data[9] <= 1, f"version {data[9]}")
    require(data[11] == 0, "reserved byte of the header")
    frames, footers = committed(data)
    contents = {frame: payload(data, frame) for frame in frames}
    for count in range(1 if strict else len(footers), len(footers) + 1):
        # The last generation; with strict, each one before as though it was the last.
        known = [frame for frame in frames if frame.at < footers[count - 1].end]
        tree = index(known, footers[:count], contents.__getitem__)
        check(tree, sum(frame.raw for frame in known if frame.tag == b"DATA"))
    stream = b"".join(contents[frame] for frame in frames if frame.tag == b"DATA")
    found = [(entry.path.decode(), entry.kind, stream[entry.offset:entry.offset + entry.size] if entry.target is None else entry.target)
             for entry in tree]
    return footers[-1].generation, found, len(data) - footers[-1].end

def digest(tree):
    total = hashlib.sha256(b"particles tree 1\n")
    for name, kind, contents in tree:
        total.update(struct.pack("<BI", kind, len(name.encode())) + name.encode())
        if kind: total.update(hashlib.sha256(contents).digest())
    return total.hexdigest()

def unpack(tree, folder):
    os.makedirs(folder)
    # Links last, so that no file is written through one.
    for name, kind, contents in sorted(tree, key=lambda entry: entry[1] == 3):
        place = os.path.join(folder, name)
        if kind == 0: os.mkdir(place)
        elif kind == 3: os.symlink(contents.decode(), place)
        else:
            with open(place, "xb") as file: file.write(contents)
            if kind == 2: os.chmod(place, 0o755)

if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--strict"]
    with open(words[0], "rb") as file: data = file.read()
    try: generation, tree, torn = read(data, "--strict" in sys.argv)
    except Invalid as fault: raise SystemExit(f"not a valid package: {fault}")
    if torn: print(f"warning: an unfinished save of {torn} bytes is ignored", file=sys.stderr)
    for name, kind, contents in tree: print("d-xl"[kind], len(contents), name)
    print("generation", generation)
    print("digest", digest(tree))
    if len(words) > 1: unpack(tree, words[1])
