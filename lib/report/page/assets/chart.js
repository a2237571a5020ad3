// Filters the rows of charts, and opens and closes their groups. Charts are complete without it.
(() => {
  for (const form of document.querySelectorAll(".chart-filter")) {
    const chart = document.getElementById(form.dataset.chart);
    const input = form.querySelector('[type="search"]');
    const onlyFailed = form.querySelector('[type="checkbox"]');
    const shown = form.querySelector('[role="status"]');
    if (chart === null) continue;
    const groups = Array.from(chart.querySelectorAll(".group"), (group) => ({
      group,
      wasOpen: group.open,
      rows: Array.from(group.querySelectorAll(".row")),
    }));
    const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
    const number = new Intl.NumberFormat("en-US");
    const all = `${number.format(total)} hostname${total === 1 ? "" : "s"}`;

    const apply = () => {
      const wanted = input.value.trim().toLowerCase();
      const isFailedWanted = onlyFailed?.checked === true;
      let count = 0;
      for (const { group, wasOpen, rows } of groups) {
        let found = 0;
        for (const row of rows) {
          const isNamed = row.querySelector(".label").textContent.toLowerCase().includes(wanted);
          row.hidden = !isNamed || (isFailedWanted && row.querySelector(".failures") === null);
          if (!row.hidden) found += 1;
        }
        count += found;
        group.hidden = found === 0;
        group.open = wanted === "" && !isFailedWanted ? wasOpen : found > 0;
      }
      shown.textContent = count === total ? all : `${number.format(count)} of ${all} shown`;
    };

    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const button of form.querySelectorAll("[data-fold]")) {
      button.addEventListener("click", () => {
        for (const { group } of groups) group.open = button.dataset.fold === "open";
      });
    }
  }
})();
