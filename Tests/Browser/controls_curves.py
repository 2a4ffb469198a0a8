"""Curves and gradients: keys by pointer, keyboard and text, slopes, several curves, presets, copying."""


class CurveParts:
    def curve(self):
        return self.value("emitters[0].size.width")["curve"]

    def reset_curve(self, curve="{keys: [[0, 0], [0.5, 0.5], [1, 1]]}"):
        self.page.evaluate(f"session.change([{{key: 'emitters[0].size.width', value: {{from: 0, to: 100, curve: {curve}}}}}])")
        self.only("size")
        self.wait_for_size('[data-key="emitters[].size.width"] effect-curve')
        self.page.evaluate("document.querySelector('[data-key=\"emitters[].size.width\"] effect-curve').fit()")

    def wait_for_size(self, editor):
        """The plot learns its size after it is shown."""
        for _ in range(200):
            self.page.wait_for_timeout(20)
            if self.page.evaluate("(editor) => { const { plot } = document.querySelector(editor); return Math.abs(plot.size.width - plot.element.clientWidth) < 1; }", editor): return

    def pixels(self):
        """Pixels of a unit of time, and of a value."""
        return self.page.evaluate("(() => { const { plot } = document.querySelector('[data-key=\"emitters[].size.width\"] effect-curve'); return [plot.pixelsOfTime, plot.pixelsOfValue]; })()")

    def expect_keys(self, text, keys, **more):
        entries = self.log()
        if not self.check(len(entries) == 1, f"{text}: one change, not {entries}"[:400]): return
        entry = entries[0]
        last = (entry["changes"][-1] if "gesture" in entry else entry["changes"])[0]["value"]
        curve = last.get("curve", "linear")
        found = curve["keys"] if isinstance(curve, dict) else [[0, 0], [1, 1]]
        near = len(found) == len(keys) and all(abs(a - b) < 0.006 for one, other in zip(found, keys) for a, b in zip(one[:2], other[:2]))
        self.check(near, f"{text}: expected {keys}, found {found}")
        for name, value in more.items(): self.check(isinstance(curve, dict) and curve.get(name) == value, f"{text}: {name} is {curve.get(name) if isinstance(curve, dict) else curve}")

    row_of_curve = 'effect-inspector .c-row[data-key="emitters[].size.width"] effect-curve'

    def curves(self):
        """Keys by pointer."""
        self.reset_curve()
        curve, page = self.row_of_curve, self.page
        across, upward = self.pixels()
        key = lambda index: f"{curve} .key >> nth={index}"
        # Grabbed beside its middle, a key does not jump.
        x, y = self.centre(key(1))
        self.drag(key(1), 30, -20, start=(x + 4, y + 3), keys=["Alt"])
        self.expect_keys("a key is dragged by what the pointer moves", [[0, 0], [0.5 + 30 / across, 0.5 + 20 / upward], [1, 1]])
        self.reset_curve()
        x, y = self.centre(key(1))
        page.mouse.move(x + 5, y + 5)
        page.mouse.down()
        page.mouse.move(x + 6, y + 5)
        page.mouse.up()
        self.nothing("a click on a key")
        self.check(page.get_attribute(key(1), "aria-selected") == "true", "a click selects a key")
        self.drag(key(1), 3 - 0.25 * across, 2 - 0.5 * upward)
        self.expect_keys("a key snaps to times and values", [[0, 0], [0.25, 1], [1, 1]])
        self.reset_curve()
        page.click(f"{curve} [data-tool=snap]")
        self.drag(key(1), 3 - 0.25 * across, 2 - 0.5 * upward)
        self.expect_keys("it does not if that is switched off", [[0, 0], [0.25 + 3 / across, 1 - 2 / upward], [1, 1]])
        page.click(f"{curve} [data-tool=snap]")
        self.reset_curve()
        self.drag(key(1), 40, 4, keys=["Shift"])
        self.expect_keys("with Shift, it moves along multiples of 45°", [[0, 0], [0.5 + 40 / across, 0.5], [1, 1]])
        self.reset_curve()
        self.drag(key(1), 30, -28, keys=["Shift"])
        self.expect_keys("and along a diagonal", [[0, 0], [0.5 + 29 / across, 0.5 + 29 / upward], [1, 1]])
        self.reset_curve()
        self.drag(key(1), 2000, 0, keys=["Alt"])
        self.expect_keys("a key does not pass its neighbour", [[0, 0], [1, 0.5], [1, 1]])
        self.reset_curve()
        self.drag(key(1), 0, -2 * upward, keys=["Alt"])
        self.expect_keys("values go beyond 1", [[0, 0], [0.5, 2.5], [1, 1]])
        self.check(page.evaluate(f"document.querySelector('{curve}').plot.view.high") > 2.4, "and what is shown is wider after it")
        self.reset_curve()
        self.drag(key(1), 50, 50, escape=True)
        entries = self.log()
        self.check(entries[0]["state"] == "cancelled" and self.curve()["keys"][1] == [0.5, 0.5], "Escape gives back the curve")
        # Several keys, by a band.
        box = page.locator(f"{curve} .plot").bounding_box()
        left, top = box["x"] + 40, box["y"] + 10
        self.drag(f"{curve} .plot", 0.8 * across, 0.8 * upward, start=(left + 0.3 * across, top - 7))
        chosen = page.eval_on_selector_all(f"{curve} .key", "all => all.map((each) => each.getAttribute('aria-selected'))")
        self.check(chosen == ["false", "true", "true"], f"a band selects keys: {chosen}")
        self.drag(key(1), 0, 0.25 * upward, keys=["Alt"])
        self.expect_keys("several keys are moved together", [[0, 0], [0.5, 0.25], [1, 0.75]])
        page.mouse.click(left + 0.2 * across, top + 0.2 * upward)
        self.check(page.locator(f"{curve} .key[aria-selected=true]").count() == 0, "a click beside selects none")
        page.mouse.dblclick(left + 0.75 * across, top + 0.2 * upward)
        self.expect_keys("a double click adds a key", [[0, 0], [0.5, 0.25], [0.75, 0.8], [1, 0.75]])
        page.click(f"{curve} [data-tool=remove]")
        self.expect_keys("it is removed", [[0, 0], [0.5, 0.25], [1, 0.75]])
        self.shot("curve")

    def curve_keys(self):
        """Keys by keyboard, and typed."""
        self.reset_curve()
        curve, page = self.row_of_curve, self.page
        key = lambda index: f"{curve} .key >> nth={index}"
        page.focus(key(0))
        page.keyboard.press("Tab")
        self.check(page.evaluate("[...document.activeElement.parentElement.children].indexOf(document.activeElement)") == 1, "Tab goes from key to key")
        for name, expected in (("ArrowRight", [0.51, 0.5]), ("ArrowLeft", [0.5, 0.5]), ("ArrowUp", [0.5, 0.51]), ("ArrowDown", [0.5, 0.5]), ("Shift+ArrowRight", [0.501, 0.5])):
            page.focus(key(1))
            page.keyboard.press(name)
            self.expect_keys(name, [[0, 0], expected, [1, 1]])
        self.check("time 0.501" in page.get_attribute(key(1), "aria-label") and "value 50" in page.get_attribute(key(1), "aria-label"), f"a key tells time and value: {page.get_attribute(key(1), 'aria-label')}")
        page.fill(f"{curve} .exact input >> nth=0", "0.25")
        page.keyboard.press("Enter")
        self.expect_keys("an exact time", [[0, 0], [0.25, 0.5], [1, 1]])
        page.fill(f"{curve} .exact input >> nth=1", "80")
        page.keyboard.press("Enter")
        self.expect_keys("an exact value, in the unit of the property", [[0, 0], [0.25, 0.8], [1, 1]])
        page.focus(key(1))
        page.keyboard.press("Control+a")
        page.fill(f"{curve} .exact input >> nth=1", "*0.5")
        page.keyboard.press("Enter")
        self.expect_keys("several values by a factor", [[0, 0], [0.25, 0.4], [1, 0.5]])
        self.check(page.get_attribute(f"{curve} .exact input >> nth=0", "placeholder") == "mixed", "several times are mixed")
        page.focus(key(1))
        page.keyboard.press("Escape")
        page.focus(key(1))
        page.keyboard.press("ArrowUp")
        self.log()
        page.keyboard.press("Insert")
        entries = self.log()
        self.check(len(self.curve()["keys"]) == 4, f"Insert adds a key: {entries}")
        page.keyboard.press("Delete")
        self.check(len(self.curve()["keys"]) == 3, "Delete removes it")
        self.log()
        self.check(page.evaluate("document.activeElement.matches('.key')"), "the focus stays at the keys")
        # A typed time that passes a neighbour puts the key behind it.
        self.reset_curve()
        page.mouse.click(*self.centre(key(0)))
        page.fill(f"{curve} .exact input >> nth=0", "0.75")
        page.keyboard.press("Enter")
        self.expect_keys("a typed time puts a key behind another", [[0.5, 0.5], [0.75, 0], [1, 1]])

    def curve_kinds(self):
        """Linear, step, cubic, slopes, presets, copying, several curves."""
        self.reset_curve()
        curve, page = self.row_of_curve, self.page
        key = lambda index: f"{curve} .key >> nth={index}"
        page.click(f"{curve} [data-interp=step]")
        self.expect_keys("all pieces are steps", [[0, 0], [0.5, 0.5], [1, 1]], interp="step")
        page.click(f"{curve} [data-interp=cubic]")
        self.expect_keys("all pieces are cubic", [[0, 0], [0.5, 0.5], [1, 1]], interp="cubic")
        page.mouse.click(*self.centre(key(1)))
        page.focus(f"{curve} [data-interp=linear]")
        page.keyboard.press("Enter")
        entries = self.log()
        self.check(entries[0]["changes"][0]["value"]["curve"]["keys"][1] == [0.5, 0.5, None, None, "linear"], f"one piece is linear: {entries}")
        self.reset_curve("{keys: [[0, 0], [0.5, 0.5], [1, 1]], interp: 'cubic'}")
        page.mouse.click(*self.centre(key(1)))
        self.check(page.locator(f"{curve} .slope").count() == 2, "a cubic key has two slopes")
        self.drag(f"{curve} .slope[data-side=out]", 0, 30)
        entries = self.log()
        bent = entries[0]["changes"][-1][0]["value"]["curve"]["keys"][1]
        self.check(len(entries) == 1 and len(bent) == 4 and bent[2] == bent[3] and bent[3] < 1, f"both slopes are dragged in line: {bent}")
        self.drag(f"{curve} .slope[data-side=out]", 0, -20, keys=["Shift"])
        across, upward = self.pixels()
        slope = self.curve()["keys"][1][3]
        self.check(min(abs(slope - s) for s in (0, across / upward, -across / upward)) < 0.001, f"with Shift, a slope has a multiple of 45°: {slope}")
        self.log()
        self.drag(f"{curve} .slope[data-side=in]", 0, 20, keys=["Alt"])
        bent = self.curve()["keys"][1]
        self.check(bent[2] != bent[3], f"Alt bends one side: {bent}")
        self.log()
        page.focus(f"{curve} .slope[data-side=in]")
        before = self.curve()["keys"][1][2]
        page.keyboard.press("ArrowUp")
        self.check(abs(self.curve()["keys"][1][2] - before - 0.1) < 1e-9, "a slope by key")
        self.log()
        page.click(f"{curve} [data-tool=more]")
        page.click(".c-menu [data-entry=smooth]")
        self.check(self.curve()["keys"][1] == [0.5, 0.5], f"automatic slopes: {self.curve()}")
        self.log()
        page.click(f"{curve} [data-tool=more]")
        page.click(".c-menu [data-entry=mirror]")
        self.expect_keys("beyond its keys", [[0, 0], [0.5, 0.5], [1, 1]], extend="mirror")
        page.click(f"{curve} [data-tool=more]")
        page.click(".c-menu [data-entry=reverse]")
        self.expect_keys("backwards", [[0, 1], [0.5, 0.5], [1, 0]])
        page.click(f"{curve} [data-tool=more]")
        page.click(".c-menu [data-entry=flip]")
        self.expect_keys("upside down", [[0, 0], [0.5, 0.5], [1, 1]])
        page.click(f"{curve} [data-tool=presets]")
        page.wait_for_selector(".c-presets [role=option]")
        self.shot("presets")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        self.expect_keys("a preset", [[0, 1], [1, 0]])
        page.click(f"{curve} [data-tool=presets]")
        page.fill(".c-presets .saver input", "Mine")
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
        entries = self.log()
        self.check(entries == [{"preset": "curve", "name": "Mine", "value": {"keys": [[0, 1], [1, 0]]}}], f"a curve is kept: {entries}")
        # From one property to another, and to another emitter.
        page.click(f"{curve} [data-tool=more]")
        page.click(".c-menu [data-entry=copy]")
        self.only("color")
        other = 'effect-inspector .c-row[data-key="emitters[].color.opacity"] effect-curve'
        page.click(f"{other} [data-tool=more]")
        page.click(".c-menu [data-entry=paste]")
        self.edit("a curve is pasted into another property", [{"key": "emitters[0].color.opacity", "value": {"to": 1, "curve": {"keys": [[0, 1], [1, 0]]}}}])
        page.focus(f"{other} .key >> nth=0")
        page.keyboard.press("Control+c")
        page.evaluate("session.select([1])")
        page.evaluate("session.change([{key: 'emitters[1].color.opacity', value: {to: 1}}])")
        page.focus(f"{other} .key >> nth=0")
        page.keyboard.press("Control+v")
        self.edit("and by keys into another emitter", [{"key": "emitters[1].color.opacity", "value": {"to": 1, "curve": {"keys": [[0, 1], [1, 0]]}}}])
        # Several emitters with different curves: those like the first are changed.
        page.evaluate("session.select([0, 1])")
        page.evaluate("session.change([{key: 'emitters[1].color.opacity', value: {to: 1, curve: {keys: [[0, 0.5], [1, 0]]}}}])")
        self.only("color")
        self.check(page.locator(f"{other} .line.ghost").count() == 1 and page.is_visible(f"{other} .mixed-note"), "another curve is shown, too")
        page.focus(f"{other} .key >> nth=1")
        page.keyboard.press("ArrowUp")
        self.log()
        self.check(self.value("emitters[1].color.opacity")["curve"]["keys"] == [[0, 0.5], [1, 0]], "and is not changed")
        page.click(f"{other} .mixed-note button")
        self.check(self.value("emitters[1].color.opacity") == self.value("emitters[0].color.opacity"), "unless that is asked for")
        self.log()
        self.many_curves()

    def together(self):
        """All curves of an emitter in one editor."""
        page, editor = self.page, "effect-all-curves effect-curve"
        self.only("curves")
        self.wait_for_size(editor)
        names = page.eval_on_selector_all(f"{editor} .legend .chip", "all => all.map((each) => each.textContent)")
        self.check(names == ["Width", "Opacity"], f"all curves of an emitter are there: {names}")
        page.focus(f"{editor} .key >> nth=0")
        page.keyboard.press("ArrowUp")
        self.gesture("the first is moved", "emitters[0].size.width", {"from": 10, "to": 110, "curve": {"keys": [[0, 0.41], [0.25, 1], [1, 0.2]]}})
        page.focus(f"{editor} .legend .chip >> nth=1")
        page.keyboard.press("Enter")
        page.focus(f"{editor} .key >> nth=1")
        page.keyboard.press("ArrowRight")
        self.gesture("another one is chosen by key, and moved", "emitters[0].color.opacity", {"to": 1, "curve": {"keys": [[0, 0], [0.21, 1], [1, 0]], "interp": "cubic"}})
        page.click(f"{editor} .legend .eye >> nth=0")
        self.check(page.locator(f"{editor} .line").count() == 1, "one is hidden")
        self.shot("together")
        page.evaluate("session.change([{key: 'emitters[0].rotation.angle', value: {from: 0, to: 90}}])")
        names = page.eval_on_selector_all(f"{editor} .legend .chip", "all => all.map((each) => each.textContent)")
        self.check(len(names) == 3, f"a new curve appears: {names}")
        self.check(page.locator(f"{editor} .legend .entry.off").count() == 1, "the hidden one stays hidden")
        page.evaluate("session.select([1])")
        self.wait_for_size(editor)
        names = page.eval_on_selector_all(f"{editor} .legend .chip", "all => all.map((each) => each.textContent)")
        self.check(names in ([], ["Opacity"]), f"another emitter has its own: {names}")

    def many_curves(self):
        """Several curves in one editor, with a colour each. Hidden curves cannot be hit."""
        page = self.page
        page.evaluate("""async () => {
          const { CurveEditor } = await import('/assets/editor/curve.js');
          const { Binding } = await import('/assets/editor/binding.js');
          const part = (key) => new Binding(session, [key], { key, type: 'Curve', kind: 'Curve' }, key);
          session.document.extras = { a: { keys: [[0, 0], [1, 1]] }, b: { keys: [[0, 1], [1, 0]] } };
          const editor = CurveEditor.of([{ id: 'a', label: 'First', binding: part('extras.a') }, { id: 'b', label: 'Second', binding: part('extras.b') }]);
          editor.id = 'many';
          editor.style.cssText = '';
          document.querySelector('#middle').append(editor);
        }""")
        self.wait_for_size("#many")
        strokes = page.eval_on_selector_all("#many .line", "all => all.map((each) => getComputedStyle(each).stroke)")
        self.check(len(set(strokes)) == 2, f"each curve has its colour: {strokes}")
        x, y = page.evaluate("(() => { const { plot } = document.querySelector('#many'); const box = plot.element.getBoundingClientRect(); return [box.left + plot.x(0.25), box.top + plot.y(0.75)]; })()")
        page.mouse.click(x, y)
        self.check(page.evaluate("document.querySelector('#many').active") == 1, "a click on another curve makes it the active one")
        page.click("#many .legend .chip >> nth=0")
        page.click("#many .legend .eye >> nth=1")
        self.check(page.locator("#many .line").count() == 1, "a hidden curve is not there")
        page.mouse.click(x, y)
        self.check(page.evaluate("document.querySelector('#many').active") == 0, "and cannot be hit")
        page.focus("#many .legend .eye >> nth=1")
        page.keyboard.press("Enter")
        self.check(page.locator("#many .line").count() == 2, "it is shown again by key")
        page.evaluate("document.querySelector('#many').remove()")

    def gradients(self):
        """Stops by pointer, keyboard and text."""
        self.only("color")
        page = self.page
        row = 'effect-inspector .c-row[data-key="emitters[].color.base"] effect-gradient'
        key = "emitters[0].color.base"
        stop = lambda index: f"{row} .stop >> nth={index}"
        times = lambda: [each[0] for each in self.value(key)["gradient"]["keys"]]
        width = page.locator(f"{row} .ramp").bounding_box()["width"]
        self.drag(stop(1), 60, keys=["Alt"])
        entries = self.log()
        self.check(len(entries) == 1 and abs(times()[1] - 0.25 - 60 / width) < 0.003, f"a key is dragged: {times()}")
        self.drag(stop(1), (0.5 - times()[1]) * width + 2)
        self.check(times()[1] == 0.5, f"it snaps: {times()}")
        self.log()
        self.drag(stop(1), 2000, keys=["Alt"])
        self.check(times() == [0, 1, 1], f"it does not pass another one: {times()}")
        self.log()
        page.evaluate("session.change([{key: 'emitters[0].color.base', value: {gradient: {keys: [[0, [1, 0, 0]], [0.5, [0, 1, 0]], [1, [0, 0, 1, 0]]]}}}])")
        self.drag(stop(1), 40, escape=True)
        self.check(self.log()[0]["state"] == "cancelled" and times() == [0, 0.5, 1], "Escape gives it back")
        for name, time in (("ArrowRight", 0.51), ("ArrowLeft", 0.5), ("PageUp", 0.6), ("Shift+ArrowLeft", 0.599)):
            page.focus(stop(1))
            page.keyboard.press(name)
            entries = self.log()
            self.check(len(entries) == 1 and times()[1] == time, f"{name}: {times()}")
        page.fill(f"{row} .exact input", "0.4")
        page.keyboard.press("Enter")
        self.check(times() == [0, 0.4, 1], f"an exact time: {times()}")
        self.log()
        page.focus(stop(1))
        page.keyboard.press("Enter")
        self.check(page.evaluate("document.activeElement.matches('.sv')"), "Enter goes to the colour of the key")
        page.fill(f"{row} .c-picker .hex", "#ffffff")
        page.keyboard.press("Enter")
        self.edit("the colour of a key", [{"key": key, "value": {"gradient": {"keys": [[0, [1, 0, 0]], [0.4, [1, 1, 1]], [1, [0, 0, 1, 0]]]}}}])
        self.drag(f"{row} .c-picker .hue", 30)
        self.check(self.log()[0]["state"] == "ended", "a drag in the picker is one gesture")
        page.mouse.click(page.locator(f"{row} .ramp").bounding_box()["x"] + width * 0.75, page.locator(f"{row} .ramp").bounding_box()["y"] + 8)
        self.check(times() == [0, 0.4, 0.75, 1], f"a click adds a key: {times()}")
        self.log()
        page.keyboard.press("Delete")
        self.check(times() == [0, 0.4, 1], f"Delete removes it: {times()}")
        self.log()
        page.focus(stop(0))
        page.keyboard.press("Control+a")
        page.fill(f"{row} .exact input", "+0.1")
        page.keyboard.press("Enter")
        self.check(times() == [0.1, 0.5, 1.1] or times() == [0.1, 0.5, 1], f"several times: {times()}")
        self.log()
        for entry, test in (("reverse", lambda value: True), ("oklab", lambda value: value.get("space") == "oklab"), ("step", lambda value: value.get("interp") == "step"), ("even", lambda value: [each[0] for each in value["keys"]] == [0, 0.5, 1])):
            page.click(f"{row} [data-tool=more]")
            page.click(f'.c-menu [data-entry="{"space-" if entry == "oklab" else ""}{entry}"]')
            self.check(len(self.log()) == 1 and test(self.value(key)["gradient"]), f"{entry}: {self.value(key)}")
        page.click(f"{row} [data-tool=presets]")
        page.wait_for_selector(".c-presets [role=option]")
        page.keyboard.press("Enter")
        self.check(self.log()[0]["changes"][0]["value"]["gradient"]["keys"][0][0] == 0, "a preset")
        page.click(f"{row} [data-tool=more]")
        page.click(".c-menu [data-entry=copy]")
        page.evaluate("session.select([2])")
        page.focus(f"{row} .stop >> nth=0")
        page.click(f"{row} [data-tool=more]")
        page.click(".c-menu [data-entry=paste]")
        self.check(self.value("emitters[2].color.base") == self.value(key), "a gradient is pasted into another emitter")
        self.log()
        self.shot("gradient")
