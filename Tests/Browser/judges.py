#!/usr/bin/env python3
"""Judges of the document browser that are not web browsers: programs of the desktop, slow and raw connections, many writers.

    python3 Tests/Browser/judges.py [--tool .build/particles] [--only PART ...]

A program that is not installed is named, and its part is left out: trash-cli, GLib, slowhttptest.
"""

import argparse, concurrent.futures, ctypes, ctypes.util, os, pathlib, re, shutil, signal, socket, subprocess, sys, tempfile, time

from routes import Client, Refused
from tool import Tool, check, failures


def installed(program):
    if shutil.which(program): return True
    print(f"{program} is not installed; it judges nothing")
    return False


class Judges:
    def __init__(self, tool): self.tool = tool

    def client(self, *arguments):
        address, _ = self.tool.start("browse", "--no-open", *arguments)
        return Client(address)

    def desktop(self, *command):
        environment = {**self.tool.environment, "XDG_DATA_HOME": str(self.tool.home / ".local/share")}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, input="0\n")

    # MARK: The desktop

    def trash(self):
        """trash-cli reads the files that we have removed, and puts them back, and the reverse."""
        if not installed("trash-list"): return
        effects = self.tool.effects
        for name in ("ours ü.txt", "theirs #1.txt"): (effects / name).write_text(name)
        client = self.client(effects)
        ours = next(row[0] for row in client.rows(client.place()) if row[1] == "ours ü.txt")
        client.ask("trash", {"items": [ours]})
        listed = self.desktop("trash-list").stdout
        check(str(effects / "ours ü.txt") in listed, f"trash-list has what the browser has removed: {listed.strip()}")
        restored = self.desktop("trash-restore", str(effects / "ours ü.txt"))
        check((effects / "ours ü.txt").exists() and (effects / "ours ü.txt").read_text() == "ours ü.txt", f"trash-restore puts it back: {restored.stdout}{restored.stderr}")
        self.desktop("trash-put", str(effects / "theirs #1.txt"))
        # The system tells the browser a moment later.
        time.sleep(1)
        items = client.rows("trash")
        theirs = next((row[0] for row in items if row[1] == "theirs #1.txt"), None)
        if check(theirs and not (effects / "theirs #1.txt").exists(), f"the browser lists what trash-put has removed: {[row[1] for row in items]}"):
            outcome = client.ask("restore", {"items": [theirs]})
            if not check(outcome["complete"], f"and restores it: {outcome['results']}"): return
            check((effects / "theirs #1.txt").read_text() == "theirs #1.txt", "and puts it back")
            check(str(effects) not in self.desktop("trash-list").stdout, "trash-list has nothing left then")
        self.tool.end()

    def bookmarks(self):
        """GLib reads the list of recent documents that we write, and keeps it when it writes itself."""
        name = ctypes.util.find_library("glib-2.0")
        if name is None: return print("GLib is not installed; it judges nothing")
        glib = ctypes.CDLL(name)
        glib.g_bookmark_file_new.restype = ctypes.c_void_p
        glib.g_bookmark_file_get_mime_type.restype = ctypes.c_char_p

        def read(change=None):
            """The types of the documents in the list, by their addresses. GLib adds `change`."""
            file = ctypes.c_void_p(glib.g_bookmark_file_new())
            if not glib.g_bookmark_file_load_from_file(file, str(shared).encode(), None): return None
            found = {}
            for uri in (path.as_uri(), "file:///other%20one.txt"):
                if glib.g_bookmark_file_has_item(file, uri.encode()):
                    ours = glib.g_bookmark_file_has_application(file, uri.encode(), b"particles", None)
                    found[uri] = (glib.g_bookmark_file_get_mime_type(file, uri.encode(), None).decode(), bool(ours))
            if change:
                glib.g_bookmark_file_set_mime_type(file, change.encode(), b"text/plain")
                glib.g_bookmark_file_add_application(file, change.encode(), b"judge", b"judge %u")
                glib.g_bookmark_file_to_file(file, str(shared).encode(), None)
            glib.g_bookmark_file_free(file)
            return found

        path = self.tool.effects / "recent & <one>.txt"
        path.write_text("x")
        shared = self.tool.home / ".local/share/recently-used.xbel"
        client = self.client(self.tool.effects)
        item = next(row[0] for row in client.rows(client.place()) if row[1] == path.name)
        client.ask("open", {"item": item, "window": "judge"})
        client.ask("close", {"window": "judge"})
        found = read("file:///other%20one.txt")
        check(found == {path.as_uri(): ("text/plain", True)}, f"GLib reads the recent documents: {found}")
        client.ask("open", {"item": item, "window": "judge"})
        found = read()
        check(found and len(found) == 2, f"what GLib has written is kept: {found}")
        self.tool.end()

    # MARK: Connections

    def slow(self):
        """slowhttptest: connections that send or read slowly are closed, and the server goes on."""
        if not installed("slowhttptest"): return
        client = self.client(self.tool.effects)
        modes = {"slow headers": ["-H", "-i", "2"], "slow body": ["-B", "-i", "2", "-s", "8192"], "slow reading": ["-X", "-w", "1", "-y", "8", "-n", "2", "-z", "4"]}
        for name, options in modes.items():
            begin = time.perf_counter()
            run = subprocess.run(["slowhttptest", "-c", "60", "-r", "60", "-l", "16", "-p", "3", "-u", f"{client.address}state?window=slow", *options],
                                 capture_output=True, text=True, timeout=120)
            text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", run.stdout)
            answered = re.findall(r"service available:\s+(\w+)", text)
            status = re.findall(r"Exit status: (.*)", text)
            took = time.perf_counter() - begin
            while True:
                try:
                    client.ask("targets")
                    break
                except (Refused, OSError):
                    if time.perf_counter() - begin > 60: break
                    time.sleep(0.2)
            again = time.perf_counter() - begin
            check(again < took + 12, f"{name}: 60 connections for {took:.0f} s ({'; '.join(status)}); the server answers others meanwhile: {' '.join(answered)}, and {max(0, again - took):.1f} s later")
            check("NO" not in answered, "others are served")
        memory = self.tool.memory() / 1e6
        check(memory < 60, f"memory afterwards: {memory:.0f} MB")
        self.tool.end()

    def raw(self):
        """Raw sockets: bytes that are no request, or no request of ours."""
        client = self.client(self.tool.effects)

        def send(text, wait=3):
            with socket.create_connection(("127.0.0.1", client.port), timeout=wait) as connection:
                connection.sendall(text if isinstance(text, bytes) else text.encode())
                answer = b""
                try:
                    while chunk := connection.recv(65536): answer += chunk
                except (TimeoutError, ConnectionResetError): pass
            return answer.split(b" ", 2)[1].decode() if answer.startswith(b"HTTP/") else ("closed" if not answer else "?")

        host = f"127.0.0.1:{client.port}"
        base = f"/{client.secret}/"
        cases = [
            ("another secret", f"GET /{'0' * 64}/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", {"403"}),
            ("another host", f"GET {base} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", {"403"}),
            ("another origin", f"GET {base}state HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n", {"403"}),
            ("host twice", f"GET {base} HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\nConnection: close\r\n\r\n", {"400"}),
            ("a space before the colon", f"GET {base} HTTP/1.1\r\nHost : {host}\r\nConnection: close\r\n\r\n", {"400"}),
            ("absolute form", f"GET http://{host}{base} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", {"400"}),
            ("length twice", f"POST {base}undo HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{{}}", {"400"}),
            ("another site", f"GET {base}state HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n", {"403"}),
            ("dots in the path", f"GET {base}assets/../state HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", {"400"}),
            ("a tunnel", f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n", {"400", "403", "405", "501", "closed"}),
            ("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200) + b"\r\n\r\n", {"400", "closed"}),
            ("long header", f"GET {base} HTTP/1.1\r\nHost: {host}\r\nX: {'a' * 20000}\r\n\r\n", {"400"}),
            ("a sign before the length", f"POST {base}undo HTTP/1.1\r\nHost: {host}\r\nContent-Length: +2\r\nConnection: close\r\n\r\n{{}}", {"400"}),
            ("an unknown encoding", f"POST {base}undo HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: xchunked\r\nConnection: close\r\n\r\n", {"400"}),
            ("a folded header", f"GET {base} HTTP/1.1\r\nHost: {host}\r\nX: a\r\n b\r\nConnection: close\r\n\r\n", {"400"}),
            ("a zero byte", f"GET {base} HTTP/1.1\r\nHost: {host}\r\nX: a\0b\r\nConnection: close\r\n\r\n", {"400"}),
            ("a route of the tool", f"GET {base}windows HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", {"404"}),
            ("large body", f"POST {base}import?location=x&name=y HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999\r\n\r\n", {"413"}),
            ("ours", f"GET {base}targets HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", {"200"}),
        ]
        for name, text, expected in cases:
            status = send(text)
            check(status in expected, f"{name}: {status}")
        self.tool.end()

    # MARK: Many

    def creators(self):
        """8 processes create 100 documents each in one folder: 800 files."""
        folder = self.tool.home / "shared"
        folder.mkdir()
        tools = []
        for index in range(8):
            other = Tool(self.tool.tool, tempfile.mkdtemp(prefix="particles-creator-"))
            address, _ = other.start("browse", "--no-open", folder)
            tools.append((other, Client(address)))

        def create(client):
            place = client.place()
            return [client.ask("create", {"location": place, "template": "text", "name": "note"})["name"] for _ in range(100)]

        begin = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(8) as pool: names = sum(pool.map(create, [client for _, client in tools]), [])
        took = time.perf_counter() - begin
        there = {each.name for each in folder.iterdir()}
        check(len(set(names)) == 800 and set(names) == there, f"8 processes create 800 documents with names of their own in {took:.1f} s: {len(set(names))}, {len(there)}")
        deadline = time.perf_counter() + 10
        while any(len(client.rows(client.place())) != 800 for _, client in tools) and time.perf_counter() < deadline: time.sleep(0.1)
        check(all(len(client.rows(client.place())) == 800 for _, client in tools), "each of them lists all")
        for other, _ in tools:
            other.end()
            shutil.rmtree(other.home)
        shutil.rmtree(folder)

    def entries(self):
        """A folder with 100,000 files."""
        folder = self.tool.home / "very many"
        folder.mkdir()
        (folder / "note 0.txt").write_text("x")
        for index in range(1, 100_000):
            if index % 20_000: os.link(folder / f"note {index - index % 20_000}.txt", folder / f"note {index}.txt")
            else: (folder / f"note {index}.txt").write_text("x")
        client = self.client(folder)
        place = client.place()
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            rows = client.rows(place)
            times.append(round((time.perf_counter() - begin) * 1000))
        check(len(rows) == 100_000, f"100,000 entries are listed: {times} ms")
        begin = time.perf_counter()
        outcome = client.ask("rename", {"item": rows[5][0], "name": "renamed.txt"})
        took = (time.perf_counter() - begin) * 1000
        check(outcome["complete"] and (folder / "renamed.txt").exists(), f"a rename among 100,000 entries takes {took:.0f} ms (goal 300)")
        begin = time.perf_counter()
        created = client.ask("create", {"location": place, "template": "text", "name": "new.txt"})
        check(created["name"] == "new.txt", f"a document is created among them in {(time.perf_counter() - begin) * 1000:.0f} ms")
        print(f"memory with 100,000 entries: {self.tool.memory() / 1e6:.0f} MB")
        self.tool.end()
        shutil.rmtree(folder)


PARTS = ["trash", "bookmarks", "raw", "creators", "entries", "slow"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default=".build/particles")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    tool = Tool(str(pathlib.Path(options.tool).resolve()), tempfile.mkdtemp(prefix="particles-judges-"))
    try:
        for part in PARTS:
            if options.only and part not in options.only: continue
            print(f"-- {part}", flush=True)
            try:
                getattr(Judges(tool), part)()
            except Exception as error:
                check(False, f"{part}: {type(error).__name__} {str(error)[:400]}")
                tool.end(signal.SIGKILL)
    finally:
        tool.end(signal.SIGKILL)
        shutil.rmtree(tool.home, ignore_errors=True)
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


main()
