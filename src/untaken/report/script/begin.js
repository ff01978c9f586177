// The page begins, with everything above it known.

function begin() {
  if (head.mcdc) VIEWS.mcdc = ["MC/DC", independence];
  document.querySelector("h1").textContent = head.title + (head.arguments ? ` ${head.arguments}` : "");
  navigation();
  addEventListener("hashchange", route);
  addEventListener("keydown", onKey);
  route();
  main.focus({ preventScroll: true });
  if (live) setTimeout(ask, 1000 * ASK_SECONDS);
}

begin();
