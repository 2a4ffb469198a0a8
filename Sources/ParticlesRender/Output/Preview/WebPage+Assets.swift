extension WebPage {
  /// The style of all pages.
  static let base = """
    :root { color-scheme: light dark; --page: #f5f5f7; --card: #fff; --text: #1c1c20; --soft: #61616b;
      --line: #dcdce2; --accent: #b3470b; --warn: #8a5a00; --warnback: #fff4dc }
    @media (prefers-color-scheme: dark) {
      :root { --page: #131316; --card: #1d1d22; --text: #ececf1; --soft: #a0a0ab; --line: #34343c;
        --accent: #ff9d5c; --warn: #ffce73; --warnback: #33290f }
    }
    * { box-sizing: border-box }
    [hidden] { display: none !important }
    body { margin: 0; padding: 1rem; background: var(--page); color: var(--text);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
    h1 { margin: 0; font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere }
    h2 { margin: 0 0 .4rem; font-size: 1rem; overflow-wrap: anywhere }
    header p { margin: .15rem 0 0; color: var(--soft) }
    .format { display: inline-block; padding: 0 .5em; border: 1px solid var(--line); border-radius: 99px;
      color: var(--soft); font-size: .8rem; font-weight: 500 }
    button, select, input { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line);
      border-radius: 8px; padding: .2rem .5rem; min-height: 2rem }
    button, select, summary { cursor: pointer }
    select, input[type=search] { background: var(--card) }
    button:focus-visible, select:focus-visible, input:focus-visible, summary:focus-visible {
      outline: 2px solid var(--accent); outline-offset: 1px }
    .problems { margin: .4rem 0 .8rem; padding: .5rem .8rem .5rem 1.8rem; border-radius: 8px; color: var(--warn);
      background: var(--warnback); font-size: .88rem; overflow-wrap: anywhere }
    .problems span { color: var(--soft) }
    summary { color: var(--soft) }
    table { width: 100%; margin-top: .4rem; border-collapse: collapse; font-size: .88rem }
    th, td { padding: .3rem 0; border-top: 1px solid var(--line); vertical-align: top; text-align: left;
      overflow-wrap: anywhere }
    th { padding-right: 1rem; font-weight: 500; color: var(--soft) }
    td { font-variant-numeric: tabular-nums }
    .stage { display: flex; justify-content: center; align-items: center; background: #0b0b0e }
    .stage.empty { aspect-ratio: 1; color: #8a8a94; font-size: .8rem }
    .tools { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .6rem 0 }
    .tools input { flex: 1 1 12rem; max-width: 26rem }
    .tools select { max-width: 100% }
    .tools output { color: var(--soft); font-variant-numeric: tabular-nums }
    .kinds ul { margin: .4rem 0; padding: 0; list-style: none; max-height: 40vh; overflow: auto }
    .kinds button { margin: 2px 0; text-align: left; overflow-wrap: anywhere }
    .kinds [aria-pressed=true] { border-color: var(--accent); color: var(--accent) }
    @media print { body { background: #fff } .controls, .tools { display: none } }

    """

  /// The script of pages with a list of items: it searches, filters and sorts them by the data of each.
  /// Without scripts the list is complete, and the tools are hidden.
  static let listScript = """
    "use strict";
    const list = document.querySelector(".items"), tools = document.querySelector(".tools");
    const items = [...list.children], find = name => tools.querySelector(`[name=${name}]`);
    const search = find("search"), filter = find("filter"), sort = find("sort");
    const output = tools.querySelector("output"), kinds = document.querySelector(".kinds");
    let kind = null, order = null;
    const numbers = new Set(["size", "particles", "problems", "difference"]);
    const compare = key => numbers.has(key)
      ? (a, b) => Number(b.dataset[key]) - Number(a.dataset[key])
      : (a, b) => a.dataset[key].localeCompare(b.dataset[key], undefined, { numeric: true });
    const update = () => {
      const words = search.value.toLowerCase().split(/\\s+/).filter(word => word);
      let count = 0;
      for (const item of items) {
        const isShown = words.every(word => item.dataset.text.includes(word))
          && (!filter.value || item.dataset.filter === filter.value)
          && (kind === null || item.dataset.kinds.split(" ").includes(kind));
        item.hidden = !isShown;
        if (isShown) count += 1;
      }
      output.textContent = count === items.length ? `${count}` : `${count} of ${items.length}`;
      if (order !== sort.value) {
        order = sort.value;
        list.append(...items.sort(compare(order)));
      }
    };
    if (kinds) kinds.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (!button) return;
      kind = kind === button.value ? null : button.value;
      for (const other of kinds.querySelectorAll("button")) {
        other.setAttribute("aria-pressed", other.value === kind);
      }
      update();
    });
    search.addEventListener("input", update);
    filter.addEventListener("change", update);
    sort.addEventListener("change", update);
    document.addEventListener("keydown", event => {
      if (event.key !== "Escape") return;
      for (const open of document.querySelectorAll("details[open]")) open.open = false;
    });
    tools.hidden = false;
    order = sort.value;
    update();
    """
}
