// Lists of which only what is in view is built.

class Rows {
  constructor(height, render, open) {
    this.height = height;
    this.render = render;
    this.open = open;
    this.count = 0;
    this.selected = -1;
    this.inner = make("div");
    this.host = make("div", { className: "rows", tabIndex: 0, role: "rowgroup" }, this.inner);
    this.host.addEventListener("scroll", () => this.draw(), { passive: true });
    this.host.addEventListener("keydown", (event) => this.key(event));
    this.host.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.draw()).observe(this.host);
  }

  show(count) {
    this.count = count;
    this.inner.style.height = `${count * this.height}px`;
    this.drawn = null;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.host.scrollTop / this.height) - 10);
    const last = Math.min(this.count, Math.ceil((this.host.scrollTop + this.host.clientHeight) / this.height) + 10);
    const window = `${first}-${last}-${this.selected}`;
    if (this.drawn === window) return;
    this.drawn = window;
    const rows = [];
    for (let index = first; index < last; index += 1) {
      const row = this.render(index);
      row.style.transform = `translateY(${index * this.height}px)`;
      row.dataset.index = index;
      row.classList.toggle("selected", index === this.selected);
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
  }

  select(index) {
    this.selected = Math.max(0, Math.min(this.count - 1, index));
    const top = this.selected * this.height;
    const view = this.host.clientHeight;
    if (top < this.host.scrollTop || top + this.height > this.host.scrollTop + view) {
      this.host.scrollTop = Math.max(0, top - view / 3);
    }
    this.draw();
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.host.clientHeight / this.height) - 1);
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.target !== this.host || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) {
      this.select(this.selected < 0 ? 0 : this.selected + steps[event.key]);
      event.preventDefault();
    } else if (event.key === "Enter" && this.selected >= 0) {
      this.open(this.selected);
    }
  }

  click(event) {
    const row = event.target.closest("[data-index]");
    if (!row || event.target.closest("a") || String(getSelection())) return;
    this.selected = Number(row.dataset.index);
    this.draw();
    this.open(this.selected);
  }
}

const orders = {}; // how tables were sorted, by the labels of their columns

// A table that is sorted and filtered. Columns: label, width, value(item), cell(item), and whether numbers, or wide.
class Table {
  constructor(columns, items, text, open) {
    this.columns = columns;
    this.items = items;
    this.text = text;
    this.shown = items;
    this.filters = [];
    this.name = columns.map((column) => column.label).join();
    const [label, down] = orders[this.name] || [];
    this.sorted = columns.find((column) => column.label === label) || null;
    this.down = Boolean(down);
    this.rows = new Rows(ROW, (index) => this.row(this.shown[index]), (index) => open(this.shown[index]));
    this.heads = make("div", { className: "row heads", role: "row" });
    this.counter = make("span", { className: "soft", role: "status" });
    this.empty = make("p", { className: "empty", hidden: true }, "Nothing here.");
    this.search = make("input", { type: "search", placeholder: "filter (press /)", ariaLabel: "Filter" });
    this.search.addEventListener("input", () => this.update());
    narrow.addEventListener("change", () => this.layout());
    this.layout();
  }

  view(...tools) {
    const bar = make("div", { className: "tools" }, this.search, ...tools, this.counter);
    return make("div", { className: "full", role: "table" }, bar, this.heads, this.rows.host, this.empty);
  }

  layout() {
    this.visible = this.columns.filter((column) => !(column.wide && narrow.matches));
    const widths = this.visible.map((column) => column.width).join(" ");
    this.heads.style.setProperty("--columns", widths);
    this.rows.host.style.setProperty("--columns", widths);
    this.heads.replaceChildren(...this.visible.map((column) => {
      const button = make("button", { type: "button" }, column.label);
      button.addEventListener("click", () => this.sort(column));
      const order = this.sorted === column ? (this.down ? "descending" : "ascending") : "none";
      return make("span", { role: "columnheader", "aria-sort": order, className: column.number ? "number" : "" }, button);
    }));
    this.update();
  }

  sort(column) {
    this.down = this.sorted === column ? !this.down : Boolean(column.number);
    this.sorted = column;
    orders[this.name] = [column.label, this.down];
    this.layout();
    this.rows.host.scrollTop = 0;
  }

  update() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const allowed = this.items.filter((item) => this.filters.every((filter) => filter(item)));
    this.shown = words.length ? allowed.filter((item) => {
      const text = this.text(item).toLowerCase();
      return words.every((word) => text.includes(word));
    }) : allowed;
    if (this.sorted) this.order();
    this.rows.selected = -1;
    this.counter.textContent = this.shown.length === allowed.length ? number(allowed.length)
      : `${number(this.shown.length)} of ${number(allowed.length)}`;
    this.empty.hidden = this.shown.length > 0;
    this.rows.show(this.shown.length);
  }

  order() {
    const keys = new Map(this.shown.map((item) => [item, this.sorted.value(item)]));
    const way = this.down ? -1 : 1;
    this.shown.sort((one, other) => {
      const [a, b] = [keys.get(one), keys.get(other)];
      return way * (a < b ? -1 : a > b ? 1 : 0);
    });
  }

  row(item) {
    return make("div", { className: "row", role: "row" }, ...this.visible.map((column) => {
      const cell = make("span", { role: "cell", className: column.number ? "number" : "" });
      cell.append(column.cell ? column.cell(item) : String(column.value(item)));
      return cell;
    }));
  }
}
