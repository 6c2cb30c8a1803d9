/* report.js - shows the values of the point that is nearest to the pointer, or that the arrow keys select. The
   values are read from the page's tables. ASCII only: the file is embedded in the program. */
"use strict";
(() => {
  const tip = document.getElementById("tip");
  let marked = null; /* the point whose values are shown */

  const isShown = element => getComputedStyle(element).display !== "none";
  const place = dot => [dot.cx.baseVal.value, dot.cy.baseVal.value];
  const dotsOf = chart => [...chart.querySelectorAll(".curve")].filter(isShown)
    .flatMap(curve => [...curve.querySelectorAll("circle")]);

  const nearest = (dots, [x, y]) => {
    let best = null, least = Infinity;
    for (const dot of dots) {
      const [cx, cy] = place(dot), distance = Math.hypot(cx - x, cy - y);
      if (distance < least) {
        [best, least] = [dot, distance];
      }
    }
    return best;
  };

  const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

  /* Round, epoch, seconds and the fields of the chart, from the row of the table. */
  const facts = dot => {
    const row = document.getElementById(dot.dataset.row);
    const shown = ["round", "epoch", "seconds", ...dot.ownerSVGElement.dataset.fields.split(",")];
    const list = document.createElement("dl");
    [...row.closest("table").tHead.rows[0].cells].forEach((head, k) => {
      if (shown.includes(head.textContent)) {
        list.append(make("dt", head.textContent), make("dd", row.cells[k].textContent));
      }
    });
    return list;
  };

  /* Above the point, or below it, within the window. */
  const put = dot => {
    const at = dot.getBoundingClientRect(), size = tip.getBoundingClientRect(), far = 10;
    const left = at.left + at.width / 2 - size.width / 2, top = at.top - size.height - far;
    tip.style.left = Math.max(4, Math.min(left, document.documentElement.clientWidth - size.width - 4)) + "px";
    tip.style.top = (top > 4 ? top : at.bottom + far) + "px";
  };

  const hide = () => {
    marked?.classList.remove("marked");
    marked = null;
    tip.replaceChildren();
  };

  const show = dot => {
    if (dot === marked) {
      return;
    }
    hide();
    if (dot) {
      marked = dot;
      dot.classList.add("marked");
      tip.className = dot.parentNode.getAttribute("class").match(/c\d/)[0];
      tip.replaceChildren(make("b", dot.parentNode.dataset.run), facts(dot));
      put(dot);
    }
  };

  const showAt = event => {
    const chart = event.currentTarget;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
    show(nearest(dotsOf(chart), [at.x, at.y]));
  };

  /* Left and right along a curve, up and down to the nearest point of the next curve. */
  const walk = event => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key], chart = event.currentTarget;
    if (event.key === "Escape") {
      hide();
    }
    if (!step || dotsOf(chart).length === 0) {
      return;
    }
    event.preventDefault();
    if (!chart.contains(marked)) {
      show(dotsOf(chart)[0]);
      return;
    }
    const curves = [...chart.querySelectorAll(".curve")].filter(isShown).filter(c => c.querySelector("circle"));
    const now = curves.indexOf(marked.parentNode);
    const other = curves[(now + step[1] + curves.length) % curves.length];
    const dots = [...other.querySelectorAll("circle")];
    const k = dots.indexOf(step[1] === 0 ? marked : nearest(dots, place(marked))) + step[0];
    show(dots[Math.max(0, Math.min(k, dots.length - 1))]);
  };

  document.querySelectorAll("circle title").forEach(title => title.remove()); /* or there would be two tooltips */
  for (const chart of document.querySelectorAll(".chart")) {
    chart.tabIndex = 0;
    chart.setAttribute("aria-description", "Use the arrow keys to read the values of its points.");
    chart.addEventListener("pointermove", showAt);
    chart.addEventListener("pointerdown", showAt);
    chart.addEventListener("pointerleave", event => event.pointerType === "mouse" && hide());
    chart.addEventListener("keydown", walk);
    chart.addEventListener("blur", () => chart.contains(marked) && hide());
  }
  document.addEventListener("pointerdown", event => event.target.closest(".chart") || hide());
  document.addEventListener("change", hide);
  document.addEventListener("scroll", hide, { passive: true });
})();
