// Every page of the application works without this module. With it, filters apply when they change and charts show
// the values of the day under the pointer.

let shown = location.pathname + location.search;

// A changed filter replaces the content of the page, so that the focus stays in the filter bar.
document.addEventListener("change", async (event) => {
  const form = event.target.closest("form.filters");
  if (!form || event.target.type === "date") return;
  const address = new URL(form.action);
  address.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const { name } = event.target;
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return form.submit();
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const content = page.getElementById("content");
  if (!content || content.querySelector("script")) return form.submit();
  const open = form.querySelector(".sheet")?.open;
  document.getElementById("content").replaceWith(content);
  document.querySelector(".side nav")?.replaceWith(page.querySelector(".side nav"));
  document.title = page.title;
  history.pushState(null, "", address);
  shown = location.pathname + location.search;
  const sheet = content.querySelector(".filters .sheet");
  if (sheet && open) sheet.open = true;
  content.querySelector(`.filters [name="${CSS.escape(name)}"]`)?.focus();
});
addEventListener("popstate", () => {
  if (location.pathname + location.search !== shown) location.reload();
});

// The read-out of a chart: its table, one row a day, is the source of the values.
let readout = null;

function clear() {
  readout?.line.remove();
  readout?.box.remove();
  readout = null;
}

function nearest(svg, x) {
  const days = [...svg.querySelectorAll(".dot[data-day]")];
  const distance = (dot) => Math.abs(Number(dot.getAttribute("cx")) - x);
  return days.reduce((best, dot) => (best && distance(best) <= distance(dot) ? best : dot), null);
}

function show(svg, dot) {
  if (readout?.dot === dot) return;
  clear();
  const x = dot.getAttribute("cx");
  const line = document.createElementNS(svg.namespaceURI, "path");
  line.setAttribute("class", "crosshair");
  line.setAttribute("d", `M${x} ${svg.dataset.top}V${svg.dataset.bottom}`);
  dot.before(line);
  const box = document.createElement("div");
  box.className = "readout";
  box.setAttribute("role", "status");
  const words = document.createElement("strong");
  words.textContent = dot.dataset.day;
  const table = document.createElement("table");
  for (const [name, value] of JSON.parse(dot.dataset.values)) {
    const row = table.insertRow();
    row.insertCell().textContent = name;
    row.insertCell().textContent = value;
  }
  box.append(words, table);
  svg.parentElement.append(box);
  const place = dot.getBoundingClientRect().x - svg.parentElement.getBoundingClientRect().x;
  box.style.left = `${Math.max(0, place > svg.clientWidth / 2 ? place - box.offsetWidth - 12 : place + 18)}px`;
  readout = { svg, dot, line, box };
}

document.addEventListener("pointermove", (event) => {
  const svg = event.target.closest?.("svg.time[data-top]");
  if (!svg) return clear();
  const x = ((event.clientX - svg.getBoundingClientRect().x) * svg.viewBox.baseVal.width) / svg.clientWidth;
  const dot = nearest(svg, x);
  if (dot) show(svg, dot);
});
document.addEventListener("keydown", (event) => {
  const svg = event.target.closest?.("svg.time[data-top]");
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Escape") clear();
  if (!svg || !step) return;
  event.preventDefault();
  const dots = [...svg.querySelectorAll(".dot[data-day]")];
  const at = readout?.svg === svg ? dots.indexOf(readout.dot) + step : step > 0 ? 0 : dots.length - 1;
  show(svg, dots[Math.min(Math.max(at, 0), dots.length - 1)]);
});
document.addEventListener("focusout", clear);
