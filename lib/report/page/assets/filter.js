// Filters the rows of the matrix. The page is whole without it.
(() => {
  const form = document.getElementById("filter");
  const matrix = document.getElementById("matrix");
  const shown = document.getElementById("shown");
  if (form === null || matrix === null || shown === null) return;
  const hostname = document.getElementById("filter-hostname");
  const step = document.getElementById("filter-step");
  const state = document.getElementById("filter-state");
  const blocks = Array.from(matrix.tBodies);
  const number = new Intl.NumberFormat("en-US");
  let index;

  // Read on the first use: a page that nobody filters does not pay for it.
  const read = () =>
    blocks.flatMap((block) =>
      Array.from(block.rows, (row) => {
        const states = Array.from(row.cells, (cell) => cell.className).slice(1, 9);
        const open = states.findIndex((name) => name !== "done" && name !== "none");
        const at = open === -1 ? "through" : String(open + 1);
        return { block, row, hostname: row.cells[0].textContent.toLowerCase(), states, at };
      }),
    );

  const apply = () => {
    index ??= read();
    const wanted = hostname.value.trim().toLowerCase();
    const filled = new Set();
    let count = 0;
    for (const entry of index) {
      const fits =
        entry.hostname.includes(wanted) &&
        (step.value === "" || entry.at === step.value) &&
        (state.value === "" || entry.states.includes(state.value));
      entry.row.hidden = !fits;
      if (!fits) continue;
      count += 1;
      filled.add(entry.block);
    }
    for (const block of blocks) block.hidden = !filled.has(block);
    // Heights that the browser remembers are those of whole blocks.
    matrix.classList.toggle("filtered", count < index.length);
    const all = `${number.format(index.length)} hostname${index.length === 1 ? "" : "s"}`;
    shown.textContent = count === index.length ? all : `${number.format(count)} of ${all} shown`;
  };

  let asked = false;
  const applySoon = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      apply();
    });
  };

  form.hidden = false;
  form.addEventListener("input", applySoon);
  form.addEventListener("reset", applySoon);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const link of document.querySelectorAll("[data-stands-at]")) {
    link.addEventListener("click", () => {
      form.reset();
      step.value = link.dataset.standsAt;
      apply();
    });
  }
})();
