#!/usr/bin/env python3
"""An independent reader of flat .particles packages: container.md in the standard library of Python.

usage: read_particles.py FILE            lists the entries and prints the tree digest
       read_particles.py FILE FOLDER     unpacks, too
"""
import hashlib, os, re, struct, sys, unicodedata, zlib

def fail(text): raise SystemExit("not a valid package: " + text)

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]; at += 1
        value |= (byte & 127) << shift; shift += 7
        if byte < 128: return value, at

def signed(data, at):
    value, at = varint(data, at)
    return value >> 1 ^ -(value & 1), at

def frame(data, at):
    tag, raw, stored, place, crc = struct.unpack_from("<4sIIQI", data, at)
    payload = data[at + 24:at + 24 + stored]
    if zlib.crc32(payload, zlib.crc32(data[at:at + 20])) != crc: fail(f"checksum at {at}")
    if stored < raw:
        stream = zlib.decompressobj()
        payload = stream.decompress(payload, raw + 1)
        if not stream.eof or stream.unused_data: fail(f"payload at {at}")
    if len(payload) != raw: fail(f"length at {at}")
    return tag, place, payload, at + 24 + stored

def path(data, at, before):
    shared, at = varint(data, at)
    count, at = varint(data, at)
    return before[:shared] + data[at:at + count], at + count

def entries(page):
    at = end = 0; name = b""
    while at < len(page):
        name, at = path(page, at, name)
        kind = page[at]; at += 1
        offset = size = 0; target = b""
        if kind in (1, 2):
            size, at = varint(page, at)
            if size:
                skip, at = signed(page, at)
                offset = end + skip; end = offset + size
        elif kind == 3:
            size, at = varint(page, at)
            target = page[at:at + size]; at += size
        elif kind: fail(f"kind {kind}")
        yield name.decode(), kind, offset, size, target

def read(data):
    if data[:9] != b"\x89PTCL\r\n\x1a\n" or zlib.crc32(data[:12]) != struct.unpack("<I", data[12:16])[0]: fail("header")
    if data[9] > 1: fail(f"version {data[9]}")
    tag, place, footer, end = frame(data, len(data) - 48)
    if tag != b"DONE" or place != len(data) - 48 or end != len(data): fail("footer")
    generation, at, previous = struct.unpack("<QQQ", footer)
    tag, place, root, end = frame(data, at)
    if tag != b"ROOT" or end != len(data) - 48: fail("root")
    tree = []; stream = bytearray(); name = b""; end = 16
    count, at = varint(root, 0)
    for _ in range(count):
        name, at = path(root, at, name)
        gap, at = signed(root, at); length, at = varint(root, at); number, at = varint(root, at)
        tag, place, page, stop = frame(data, end + gap)
        if tag != b"TREE" or place != end + gap or stop - place != length: fail("page")
        end = stop; found = list(entries(page)); tree += found
        if len(found) != number or found[0][0].encode() != name: fail("page is another")
    count, at = varint(root, at)
    for _ in range(count):
        gap, at = signed(root, at); length, at = varint(root, at); number, at = varint(root, at)
        start = end + gap
        tag, place, table, end = frame(data, start)
        if tag != b"BLKS" or place != start or end - start != length: fail("table")
        lengths = []; position = 0
        while position < len(table):
            raw, position = varint(table, position); stored, position = varint(table, position)
            lengths.append((raw, stored))
        position = start - sum(24 + stored for _, stored in lengths)
        for raw, stored in lengths:
            tag, place, block, position = frame(data, position)
            if tag != b"DATA" or place != len(stream) or len(block) != raw: fail("block")
            stream += block
    check(tree, len(stream))
    return generation, [(n, k, bytes(stream[o:o + s]) if k in (1, 2) else t) for n, k, o, s, t in tree]

def check(tree, size):
    """Whether it is a tree: names, order, parents, twins, links, extents."""
    kinds = {"": 0}; twins = set(); before = b""; end = 0
    for name, kind, _, _, target in tree:
        parts = name.split("/"); parent = "/".join(parts[:-1])
        for part in parts:
            if part in ("", ".", "..") or len(part.encode()) > 255: fail("name " + repr(name))
        if len(name.encode()) > 4096 or CONTROL.search(name): fail("name " + repr(name))
        if name != unicodedata.normalize("NFC", name): fail("name " + repr(name))
        key = name.encode().replace(b"/", b"\0")
        if key <= before: fail("order of " + repr(name))
        if kinds.get(parent) != 0: fail("parent of " + repr(name))
        twin = parent, unicodedata.normalize("NFC", parts[-1].upper().lower())
        if twin in twins: fail("twin of " + repr(name))
        before = key; kinds[name] = kind; twins.add(twin)
        if kind == 3:
            depth = len(parts) - 1; target = target.decode()
            if not 0 < len(target.encode()) <= 4096 or target[0] == "/" or CONTROL.search(target): fail("link " + repr(name))
            steps = [part for part in target.split("/") if part not in ("", ".")]
            while steps and steps[0] == "..": del steps[0]; depth -= 1
            if depth < 0 or ".." in steps: fail("link " + repr(name))
    for start, length in sorted((offset, length) for _, kind, offset, length, _ in tree if kind in (1, 2) and length):
        if start < end: fail("contents overlap")
        end = start + length
    if end > size: fail("contents behind the end")

CONTROL = re.compile("[\0-\x1f\x7f-\x9f\\\\\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

def digest(tree):
    total = hashlib.sha256(b"particles tree 1\n")
    for name, kind, contents in tree:
        total.update(struct.pack("<BI", kind, len(name.encode())) + name.encode())
        if kind: total.update(hashlib.sha256(contents).digest())
    return total.hexdigest()

def unpack(tree, folder):
    os.makedirs(folder)
    # Links last, so that nothing that is written here can pass through one.
    for name, kind, contents in sorted(tree, key=lambda entry: entry[1] == 3):
        place = os.path.join(folder, name)
        if kind == 0: os.mkdir(place)
        elif kind == 3: os.symlink(contents.decode(), place)
        else:
            with open(place, "xb") as file: file.write(contents)
            if kind == 2: os.chmod(place, 0o755)

if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file: data = file.read()
    try: generation, tree = read(data)
    except (IndexError, ValueError, struct.error, zlib.error) as error: fail(f"{error}")
    for name, kind, contents in tree: print("d-xl"[kind], len(contents), name)
    print("generation", generation)
    print("digest", digest(tree))
    if len(sys.argv) > 2: unpack(tree, sys.argv[2])
