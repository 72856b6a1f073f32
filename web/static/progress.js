// Keeps the page of a measurement up to date from the server's events, and opens the result when it has ended.
const card = document.getElementById("progress");
const fields = Object.fromEntries([...document.querySelectorAll("[data-field]")].map((part) => [part.dataset.field, part]));
const bar = card.querySelector("progress");

function cell(tag, text, label) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (label) {
    made.className = "number";
    made.dataset.label = label;
  } else {
    made.scope = "row";
  }
  return made;
}

function row(engine) {
  const made = document.createElement("tr");
  made.append(
    cell("th", engine.name),
    cell("td", engine.answered, "Answered"),
    cell("td", engine.failed, "Failed"),
    cell("td", engine.planned, "Planned"),
  );
  return made;
}

function made(tag, text, name) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}

function quoted(quote) {
  const item = document.createElement("li");
  const words = made("blockquote", quote.text);
  words.dir = "auto";
  item.append(made("p", `${quote.name}, asked: ${quote.prompt}`, "small soft"), words);
  return item;
}

function show(progress) {
  fields.settled.textContent = progress.settled;
  fields.planned.textContent = progress.planned || "…";
  fields["left-part"].textContent = progress.left ? ` · ${progress.left}` : "";
  bar.value = progress.percent;
  fields.failures.replaceChildren(
    ...progress.failures.map((one) => made("li", `${one.name}: ${one.count} failed: ${one.words}`)),
  );
  fields.quotes.replaceChildren(...progress.quotes.map(quoted));
  if (progress.engines.length) fields.engines.replaceChildren(...progress.engines.map(row));
}

let last = new URL(card.dataset.events, location).searchParams.get("after");

function listen() {
  const address = new URL(card.dataset.events, location);
  address.searchParams.set("after", last);
  const events = new EventSource(address);
  events.addEventListener("progress", (event) => {
    last = event.lastEventId;
    show(JSON.parse(event.data));
  });
  events.addEventListener("ended", (event) => {
    events.close();
    const progress = JSON.parse(event.data);
    show(progress);
    if (progress.state === "done") location.assign(progress.next);
    else location.reload();
  });
  // A browser reconnects automatically when a connection breaks, but never after a response that is no stream: a
  // proxy's while the server restarts, ours while the database is unavailable, or the redirect to the sign-in page.
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) comeBack();
  });
}

function comeBack() {
  setTimeout(async () => {
    const page = await fetch(location, { redirect: "manual" }).catch(() => null);
    if (page?.ok) listen();
    else if (page === null || page.status >= 429) comeBack();
    else location.reload();
  }, 2000 + Math.random() * 3000);
}

listen();
