"""The goals of the editor in figures, with the load of the machine beside them. Counts are judged, and times of edits on a quiet machine. Further times are printed: software renders here."""

import json, os, re, time

from editor_page import EDITOR, Editor
from tool import attempt, check, until

# Edits of the shortened hour. Memory in one quarter is compared with memory in the last quarter.
EDITS = int(os.environ.get("PARTICLES_EDITS", 4000))

# Drawing by WebGL. Here SwiftShader draws in place of a graphics processor.
QUADS = "quads, without the time of a graphics processor"


def load(): return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def quantile(values, share): return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def scripts_of(trace, thread):
    """Milliseconds of processors of each script on the threads of a name. Scripts within another count with it."""
    threads = {(each["pid"], each["tid"]) for each in trace if each.get("name") == "thread_name" and each["args"].get("name", "").startswith(thread)}
    parts = []
    for place in threads:
        end = 0
        for each in sorted((each for each in trace if (each["pid"], each["tid"]) == place and each.get("name") in ("FunctionCall", "FireAnimationFrame", "TimerFire") and each["ph"] == "X"), key=lambda each: each["ts"]):
            if each["ts"] < end: continue
            end = each["ts"] + each["dur"]
            parts.append(each.get("tdur", each["dur"]) / 1000)
    return parts


class Goals:
    def __init__(self, tool, chromium, pictures): self.tool, self.chromium, self.pictures = tool, chromium, pictures

    def goals(self):
        for name in ("ready", "edits", "play", "drag", "hour"):
            attempt(name, getattr(self, name))
            self.tool.end()

    def open(self, name, *changes):
        self.path = self.tool.effects / f"{name}.particles"
        self.tool.run("new", "-q", self.path, "--template", "fire")
        if changes: self.tool.run("edit", "-q", self.path, *changes)
        self.address, _ = self.tool.start("edit", "--window", "--no-open", self.path)
        return Editor(self.chromium, self.address).wait()

    # MARK: Times

    def ready(self):
        """From the click on a document to the editor: marks of the page."""
        for name in ("one", "two", "three"): self.tool.run("new", "-q", self.tool.effects / f"{name}.particles", "--template", "fire")
        address, _ = self.tool.start("browse", "--no-open", self.tool.effects)
        context = self.chromium.new_context(viewport={"width": 1100, "height": 640})
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector('#collection [role=option][aria-label^="one"]')
        times, pictures = [], []
        for name in ("one", "two", "three"):
            page.evaluate("performance.clearMarks(); document.addEventListener('dblclick', () => performance.mark('click'), { capture: true, once: true }); 0")
            page.dblclick(f'#collection [role=option][aria-label^="{name}"]')
            until(page, "performance.getEntriesByName('editor-ready').length > 0 && performance.getEntriesByName('click').length > 0", timeout=60000)
            times.append(page.evaluate("performance.getEntriesByName('editor-ready')[0].startTime - performance.getEntriesByName('click')[0].startTime"))
            until(page, f"Boolean({EDITOR}.stage.player?.effect?.view)", timeout=60000)
            pictures.append(page.evaluate("performance.now() - performance.getEntriesByName('click')[0].startTime"))
            page.click("[data-command=close]")
            page.wait_for_selector("dialog.effect-editor", state="detached")
            page.wait_for_timeout(400)
        print(f"the editor is ready {', '.join(f'{each:.0f}' for each in times)} ms after the click, with the effect after {', '.join(f'{each:.0f}' for each in pictures)} ms (goal 500; {load()})")
        check(len(times) == 3, "the editor opens by a double click, three times")
        context.close()

    def edits(self):
        """From an edit to its picture at 3 s, with few and with many particles: as it is drawn here, by the module in the worker, and until its quads are there."""
        for name, changes, count, goal in (("few", ["emitters[0].emission.rate=900", "emitters[0].lifetime=3"], 40, (50, 80)),
                                           ("many", ["emitters[0].emission.rate=12000", "emitters[0].lifetime=4"], 10, (500, 500))):
            editor = self.open(name, *changes)
            editor.ask("""
              // What the opening has begun, and code that is compiled, is over.
              await new Promise((resolve) => setTimeout(resolve, 2000));
              stage.pause();
              await stage.settled();
              for (let round = 0; round < 50 && Math.abs(stage.time - 3) > 0.02; round++) await stage.seek(3);
              return 0;""")
            for way in ("as it is drawn here", QUADS):
                if way == QUADS: editor.ask("if (stage.player.drawer) stage.player.drawer.isSoftware = false; return 0;")
                times = editor.ask("""
                  const times = [];
                  const event = (target, name) => new Promise((resolve) => target.addEventListener(name, () => resolve(performance.now()), { once: true }));
                  for (let turn = 0; turn < value.count; turn++) {
                    const start = performance.now();
                    // The module has composed the quads, or drawn; then they are on the screen.
                    let drawn;
                    const shown = event(stage, 'shown').then((time) => { drawn = event(stage.player, 'frame'); return time; });
                    s.edit('Speed', [{ key: 'emitters[0].launch.speed', value: 100 + turn }]).catch(() => {});
                    const composed = await shown;
                    const end = await drawn;
                    times.push((value.isComposed ? composed : end) - start);
                    await s.idle();
                  }
                  return times;""", {"count": count, "isComposed": way == QUADS})
                moment, alive = editor.ask("return [stage.time, (await stage.player.measure()).alive]")
                check(abs(moment - 3) < 0.1 and alive > 0, f"{name}, {way}: {alive} particles live at {moment:.2f} s")
                print(f"{name}, {way}: an edit of {alive} particles at 3 s shows after {quantile(times, 0.5):.0f} ms, 95 of 100 within {quantile(times, 0.95):.0f} ms, at best {min(times):.0f} ms (goal {goal}; {load()})")
                check(len(times) == count, f"{name}, {way}: each of {count} edits is shown")
                if way != QUADS: continue
                # A busy machine says nothing.
                if os.getloadavg()[0] >= 4: print(f"{name}: not judged, as other programs take the processors")
                else:
                    for share, most in zip((0.5, 0.95), goal): check(quantile(times, share) <= most, f"{name}: {share * 100:.0f} of 100 edits show within {most} ms: {quantile(times, share):.0f} ms")
            editor.context.close()
            self.tool.end()

    def play(self):
        """10,000 particles: milliseconds of scripts of each frame in the page and in the worker, traced by Chromium, and the rate."""
        editor = self.open("ten-thousand", "emitters[0].emission.rate=5000", "emitters[0].lifetime=2", "emitters[0].size.width=6", "emitters[1].enabled=false", "emitters[2].enabled=false")
        editor.ask("s.setView('loop', 'on'); stage.restart(); stage.play(); return 0;")
        until(editor.page, f"{EDITOR}.stage.alive > 8000", timeout=90000)
        editor.ask("window.frames = 0; stage.player.addEventListener('frame', () => { window.frames++; }); return 0;")
        for way in ("as it is drawn here", QUADS):
            # Without a graphics processor the module paints, in the worker. The rest of the work is measured by itself.
            if way == QUADS: editor.ask("if (stage.player.drawer) stage.player.drawer.isSoftware = false; return 0;")
            editor.page.wait_for_timeout(1000)
            before = editor.ask("return window.frames")
            trace = self.traced(editor.page, 4000)
            frames = editor.ask("return window.frames") - before
            alive, numbers = editor.ask("return stage.alive"), editor.page.text_content(".effect-time .numbers")
            page, worker = (scripts_of(trace, name) for name in ("CrRendererMain", "DedicatedWorker thread"))
            each = lambda parts: sum(parts) / max(1, frames)
            print(f"{alive} particles play, {way}: {frames / 4:.0f} frames a second; of processors {each(page):.1f} ms of scripts in the page and {each(worker):.1f} in the worker for each frame; {numbers} (goal 60, 8 ms; {load()})")
            check(frames > 0 and alive > 8000, f"{alive} particles play, {way}")
            check(each(page) <= 8, f"{way}: scripts of the page take {each(page):.1f} ms for each frame, at most 8")
            if way == QUADS: check(each(worker) <= 8, f"{way}: scripts of the worker take {each(worker):.1f} ms for each frame, at most 8")
        editor.context.close()

    def traced(self, page, milliseconds):
        """The events of Chromium while a page goes on."""
        self.chromium.start_tracing(page=page, categories=["devtools.timeline", "toplevel", "__metadata"])
        page.wait_for_timeout(milliseconds)
        return json.loads(self.chromium.stop_tracing())["traceEvents"]

    # MARK: Counts

    def drag(self):
        """A drag of 1,000 moves is one undo, and at most 60 requests a second."""
        editor = self.open("drag")
        count = editor.ask("return s.undoNames.length")
        editor.requests.clear()
        begin = time.perf_counter()
        editor.ask("""
          const drag = s.begin('Drag');
          for (let move = 0; move < 1000; move++) {
            drag.change([{ key: 'emitters[0].emission.rate', value: 20 + move / 10 }]);
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
          await s.idle();""")
        seconds = time.perf_counter() - begin
        sent = len([each for each in editor.requests if re.match(r"edit($|\?)", each)])
        check(editor.ask("return s.undoNames.length") == count + 1, "a drag of 1,000 moves is one undo")
        check(sent <= 60 * seconds + 2, f"it takes {sent} requests in {seconds:.1f} s, at most 60 a second")
        editor.ask("await s.undo();")
        check(editor.ask("return s.undoNames.length") == count, "one undo takes it back")
        editor.context.close()

    def hour(self):
        """An hour of editing in short: memory of page and program stays."""
        editor = self.open("hour")
        session = editor.context.new_cdp_session(editor.page)
        session.send("HeapProfiler.enable")
        def memory():
            session.send("HeapProfiler.collectGarbage")
            return session.send("Runtime.getHeapUsage")["usedSize"], self.tool.memory()
        samples, part = [], max(EDITS // 8, 250)
        begin = time.perf_counter()
        for turn in range(8):
            editor.ask("""
              const keys = [['emitters[0].emission.rate', 40, 1], ['emitters[0].size.width', 20, 0.5], ['emitters[1].lifetime', 1, 0.01], ['emitters[0].launch.speed', 90, 2], ['emitters[2].color.opacity', 0.2, 0.003]];
              for (let turn = 0; turn < value.part; turn++) {
                const [key, base, step] = keys[turn % keys.length];
                if (turn % 40 === 39) await s.undo(2);
                else if (turn % 50 === 49) await s.structure({ op: 'duplicate', indices: [0] }).then(() => s.structure({ op: 'remove', indices: [1] }));
                else if (turn % 25 === 24) {
                  const drag = s.begin('Drag');
                  for (let move = 0; move < 10; move++) drag.change([{ key, value: base + step * move }]);
                  drag.end();
                  await s.idle();
                } else await s.edit('Edit', [{ key, value: base + step * ((turn + value.turn * 7) % 100) }]);
                if (turn % 10 === 0) await stage.seek((turn % 30) / 10);
              }
              await s.save();""", {"part": part, "turn": turn})
            samples.append(memory())
        seconds = time.perf_counter() - begin
        for place, name in enumerate(("page", "program")):
            # Until about 1,500 edits, code is compiled, memory is reserved, and the lists of bounded length fill: 200 edits to undo, and
            # the entries that browsers keep of long frames. Heap snapshots of later parts have no more objects of the page.
            warm, last = sum(sample[place] for sample in samples[2:4]) / 2, sum(sample[place] for sample in samples[-2:]) / 2
            grown = (last - warm) / warm
            print(f"{name}: {', '.join(f'{each[place] / 1e6:.1f}' for each in samples)} MB after each of 8 parts of {part} edits; {grown * 100:+.1f} % from the third and fourth to the last two")
            check(grown < 0.10, f"memory of the {name} grows by less than 10 %: {grown * 100:+.1f} %")
        print(f"{8 * part} edits in {seconds:.0f} s ({load()})")
        check(not editor.page.faults, f"hour: no errors in the page: {editor.page.faults[:2]}")
        editor.context.close()
