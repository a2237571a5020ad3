// What the browser tests ask inside of the page; there as `inPage` before anything of the page is.
globalThis.inPage = {
  openDetails() {
    for (const details of document.querySelectorAll("details")) details.open = true;
  },

  /** @returns the violations that axe finds, a line for each */
  async violations() {
    const results = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return results.violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html} (${nodes.length})`);
  },

  /** @returns "light" or "dark" */
  ground() {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
    return red + green + blue > 382 ? "light" : "dark";
  },

  /** Removes the first section of details and everything after it. */
  removeDetails() {
    const first = document.querySelector("section.detail");
    while (first.nextSibling !== null) first.nextSibling.remove();
    first.remove();
    document.querySelector("footer").remove();
  },

  /** @returns the captions of tables that are wider than their frame */
  clipped() {
    return Array.from(document.querySelectorAll(".scroll"))
      .filter((frame) => frame.scrollWidth > frame.clientWidth + 1)
      .map((frame) => frame.querySelector("caption").textContent);
  },

  nameOf(element) {
    return `${element.localName} ${element.id || element.textContent.trim().slice(0, 40)}`;
  },

  /** What has the focus, and whether it can be seen that it has. */
  focused() {
    const element = document.activeElement;
    const { top, bottom, left } = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isInView = bottom > 0 && top < innerHeight && left >= 0;
    return {
      name: this.nameOf(element),
      isVisible: isInView && outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
    };
  },

  /** @returns everything that can have the focus, in the order of the page */
  focusable() {
    const all = document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]');
    return Array.from(all)
      .filter((element) => element.localName === "summary" || element.closest("details:not([open])") === null)
      .map((element) => this.nameOf(element));
  },

  /** @returns names of all plots */
  plots() {
    return Array.from(
      document.querySelectorAll('svg[role="img"]'),
      (plot) =>
        plot.getAttribute("aria-label") ??
        plot
          .getAttribute("aria-labelledby")
          .split(" ")
          .map((id) => document.getElementById(id).textContent)
          .join(" "),
    );
  },

  /** @returns the distances between neighboring bars of drawings that do not meet, except before and after a gap */
  seams(selector) {
    return Array.from(document.querySelectorAll(selector)).flatMap((drawing) => {
      const bars = Array.from(drawing.querySelectorAll("[class^=by-], .gap, .failed"), (bar) =>
        bar.getBoundingClientRect(),
      )
        .filter(({ width }) => width > 0)
        .sort((first, second) => first.left - second.left);
      let end = bars[0]?.left ?? 0;
      return bars.flatMap(({ left, right }) => {
        const distance = left - end;
        end = Math.max(end, right);
        return distance > 0.01 ? [distance] : [];
      });
    });
  },

  style(selector, name) {
    return getComputedStyle(document.querySelector(selector))[name];
  },

  /** @returns every element with the names of its attributes */
  elements() {
    return Array.from(document.querySelectorAll("*"), (element) =>
      [element.localName, ...element.getAttributeNames()].join(" "),
    );
  },

  /** Scrolls the page from its top to its end in so many frames. */
  scrollThrough(count) {
    return new Promise((resolve) => {
      let left = count;
      const height = (document.documentElement.scrollHeight - innerHeight) / count;
      scrollTo(0, 0);
      const step = () => {
        scrollBy({ top: height, behavior: "instant" });
        left -= 1;
        if (left < 0) resolve();
        else requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
  },

  /** Lays all rows out anew with every frame of scrolling. */
  makeJerky() {
    const matrix = document.getElementById("matrix");
    matrix.classList.add("filtered");
    let isWide = false;
    addEventListener("scroll", () => {
      isWide = !isWide;
      matrix.style.letterSpacing = isWide ? "0.01em" : "0";
    });
  },

  /** Types it, and waits for the frame that shows what it comes to. */
  filterBy(text) {
    return new Promise((resolve) => {
      const input = document.getElementById("filter-hostname");
      input.value = text;
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    });
  },
};
