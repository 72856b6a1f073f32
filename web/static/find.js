// Ctrl-K opens a field over any page that finds pages, brands and prompts; without scripts the page /find does the same.
const link = document.querySelector("[data-find]");
const dialog = document.createElement("dialog");
dialog.className = "find";
dialog.setAttribute("aria-label", "Find a page, a brand or a prompt");
const field = document.createElement("input");
field.type = "search";
field.maxLength = 100;
field.setAttribute("aria-label", "Words");
const status = document.createElement("p");
status.className = "small soft";
status.setAttribute("role", "status");
const list = document.createElement("ul");
list.className = "found";
dialog.append(field, status, list);
document.body.append(dialog);
let asked = 0;

async function find() {
  const number = ++asked;
  const address = new URL(link.href);
  address.searchParams.set("q", field.value);
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (number !== asked) return;
  const found = page.getElementById("found");
  status.textContent = found ? page.querySelector("main [role=status]").textContent : "Nothing can be found just now.";
  const chosen = list.contains(document.activeElement) ? document.activeElement.href : null;
  list.replaceChildren(...(found ? found.children : []));
  if (chosen !== null) ([...list.querySelectorAll("a")].find((place) => place.href === chosen) ?? field).focus();
}

function move(step) {
  const places = [field, ...list.querySelectorAll("a")];
  const at = places.indexOf(document.activeElement);
  places[(at + step + places.length) % places.length].focus();
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    dialog.showModal();
    field.select();
    find();
  }
});
// "?" shows the list of shortcuts that the page /find has.
const help = document.createElement("dialog");
help.setAttribute("aria-labelledby", "shortcuts-title");
document.body.append(help);
document.addEventListener("keydown", async (event) => {
  if (event.key !== "?" || event.target.closest("input, textarea, select, dialog")) return;
  const answer = await fetch(link.href);
  const shortcuts = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("shortcuts");
  if (!shortcuts) return;
  const close = document.createElement("form");
  close.method = "dialog";
  close.append(Object.assign(document.createElement("button"), { textContent: "Close" }));
  help.replaceChildren(...shortcuts.children, close);
  help.showModal();
});
field.addEventListener("input", find);
dialog.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter" && document.activeElement === field) {
    list.querySelector("a")?.click();
  }
});
