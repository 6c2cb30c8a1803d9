/* report.js - tells the values of the point that is nearest to the pointer or the finger; with the arrow keys, of
   the next one. They stand in the page's tables already. ASCII only: it becomes a part of the program. */
"use strict";
(() => {
  const tip = document.getElementById("tip");
  let marked = null; /* the point that is told of */

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

  /* When it was, and what the chart shows, from the table's line. */
  const facts = dot => {
    const row = document.getElementById(dot.dataset.row);
    const told = ["round", "epoch", "seconds", ...dot.ownerSVGElement.dataset.tells.split(",")];
    const list = document.createElement("dl");
    [...row.closest("table").tHead.rows[0].cells].forEach((head, k) => {
      if (told.includes(head.textContent)) {
        list.append(make("dt", head.textContent), make("dd", row.cells[k].textContent));
      }
    });
    return list;
  };

  /* Above the point, or below it; never beyond the window. */
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

  const tell = dot => {
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

  const tellAt = event => {
    const chart = event.currentTarget;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
    tell(nearest(dotsOf(chart), [at.x, at.y]));
  };

  /* Left and right along a curve, up and down to the nearest point of the next. */
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
      tell(dotsOf(chart)[0]);
      return;
    }
    const curves = [...chart.querySelectorAll(".curve")].filter(isShown).filter(c => c.querySelector("circle"));
    const now = curves.indexOf(marked.parentNode);
    const other = curves[(now + step[1] + curves.length) % curves.length];
    const dots = [...other.querySelectorAll("circle")];
    const k = dots.indexOf(step[1] === 0 ? marked : nearest(dots, place(marked))) + step[0];
    tell(dots[Math.max(0, Math.min(k, dots.length - 1))]);
  };

  document.querySelectorAll("circle title").forEach(title => title.remove()); /* else there are two tips */
  for (const chart of document.querySelectorAll(".chart")) {
    chart.tabIndex = 0;
    chart.setAttribute("aria-description", "The arrow keys tell the values of its points.");
    chart.addEventListener("pointermove", tellAt);
    chart.addEventListener("pointerdown", tellAt);
    chart.addEventListener("pointerleave", event => event.pointerType === "mouse" && hide());
    chart.addEventListener("keydown", walk);
    chart.addEventListener("blur", () => chart.contains(marked) && hide());
  }
  document.addEventListener("pointerdown", event => event.target.closest(".chart") || hide());
  document.addEventListener("change", hide);
  document.addEventListener("scroll", hide, { passive: true });
})();
