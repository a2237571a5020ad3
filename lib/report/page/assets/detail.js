// Shows what the marks of a chart mean: under the pointer, and with the arrow keys. Without it, titles show the same.
(() => {
  const tip = document.createElement("p");
  tip.className = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.getElementById("main").append(tip);
  let shown;

  const hide = () => {
    shown?.classList.remove("at-item");
    shown = undefined;
    tip.hidden = true;
  };
  const show = (text, { left, top, bottom }) => {
    tip.textContent = text;
    tip.hidden = false;
    const { offsetWidth, offsetHeight } = tip;
    const above = top - offsetHeight - 6;
    tip.style.left = `${Math.max(4, Math.min(left, document.documentElement.clientWidth - offsetWidth - 4))}px`;
    tip.style.top = `${above < 0 ? bottom + 6 : above}px`;
  };
  const showMark = (mark, place) => {
    hide();
    shown = mark;
    mark.classList.add("at-item");
    show(textOf(mark), place);
  };

  // A title would show a second tip; a title with an ID names its drawing.
  const textOf = (element) => {
    const title = element.querySelector(":scope > title:not([id])");
    if (title !== null) {
      element.dataset.tip = title.textContent;
      title.remove();
    }
    return element.dataset.tip;
  };
  const markAt = (element) => {
    if (!(element instanceof SVGElement)) return undefined;
    return textOf(element) === undefined ? markAt(element.parentElement) : element;
  };
  document.addEventListener("pointerover", ({ target, clientX }) => {
    const mark = markAt(target);
    if (mark === undefined) return hide();
    const { top, bottom } = mark.getBoundingClientRect();
    showMark(mark, { left: clientX, top, bottom });
  });

  const leftOf = (mark) => mark.getBoundingClientRect().left;
  /** The marks of each visible drawing, from left to right. */
  const rowsOf = (area) =>
    Array.from(area.querySelectorAll("svg[role]"))
      .filter((drawing) => drawing.getClientRects().length > 0)
      .map((drawing) => Array.from(drawing.querySelectorAll("*")).filter((element) => textOf(element) !== undefined))
      .filter((marks) => marks.length > 0)
      .map((marks) => marks.sort((left, right) => leftOf(left) - leftOf(right)));
  const nearest = (marks, left) =>
    marks.reduce((best, mark) => (Math.abs(leftOf(mark) - left) < Math.abs(leftOf(best) - left) ? mark : best));

  const moves = {
    ArrowRight: (rows, row, at) => rows[row][at + 1],
    ArrowLeft: (rows, row, at) => rows[row][at - 1],
    Home: (rows, row) => rows[row][0],
    End: (rows, row) => rows[row].at(-1),
    ArrowDown: (rows, row) => rows[row + 1] && nearest(rows[row + 1], leftOf(shown)),
    ArrowUp: (rows, row) => rows[row - 1] && nearest(rows[row - 1], leftOf(shown)),
  };
  for (const area of document.querySelectorAll("[data-marks]")) {
    area.tabIndex = 0;
    area.addEventListener("focus", () => {
      if (area.matches(":focus-visible")) show("Arrow keys show the details.", area.getBoundingClientRect());
    });
    area.addEventListener("blur", hide);
    area.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
      const move = moves[event.key];
      if (event.target !== area || move === undefined) return;
      event.preventDefault();
      const rows = rowsOf(area);
      const row = rows.findIndex((marks) => marks.includes(shown));
      const mark = row === -1 ? rows[0]?.[0] : move(rows, row, rows[row].indexOf(shown));
      if (mark === undefined) return;
      mark.scrollIntoView({ block: "nearest" });
      showMark(mark, mark.getBoundingClientRect());
    });
  }
})();
