// While the campaign goes on.

const ASK_SECONDS = 2;

// What somebody has typed, chosen or scrolled to is not taken away.
function kept(selector, properties) {
  const values = [...main.querySelectorAll(selector)].map((each) => properties.map((name) => each[name]));
  return () => [...main.querySelectorAll(selector)].forEach((each, index) =>
    properties.forEach((name, place) => { if (values[index]) each[name] = values[index][place]; }));
}

function renew(data) {
  for (const name of ["head", "branches", "tests"]) parts[name] = data[name];
  head = parts.head;
  [readOnce, testTable, source, shownView] = [null, null, null, ""];
  const searching = document.activeElement?.matches("input[type=search]");
  const restore = [kept("input[type=search], select", ["value"]), kept(".rows", ["scrollTop"])];
  const [top, beside] = [main.scrollTop, aside.scrollTop];
  navigation();
  route();
  restore[0]();
  for (const each of main.querySelectorAll("input[type=search]")) if (each.value) each.dispatchEvent(new Event("input"));
  for (const each of main.querySelectorAll(".tools select")) if (!shownView.startsWith("source/")) each.dispatchEvent(new Event("change"));
  restore[1]();
  [main.scrollTop, aside.scrollTop] = [top, beside];
  if (searching) main.querySelector("input[type=search]")?.focus();
}

async function ask() {
  try {
    const answer = await fetch("data");
    if (!answer.ok) throw new Error(String(answer.status));
    const data = await answer.json();
    if (data.head.iterations !== head.iterations || data.head.seconds !== head.seconds) renew(data);
    setTimeout(ask, 1000 * ASK_SECONDS);
  } catch {
    const words = `The campaign is over, or cannot be asked any more. Its page is ${head.folder}/report.html.`;
    document.body.append(make("p", { className: "note over", role: "status" }, words));
  }
}
