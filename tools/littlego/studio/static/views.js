// The registry of views: each is a module in views/, which registers itself here.
const MODULES = ["pattern", "board", "effects", "pages"];
const views = [];

/** Register a view: its id in the URL, its title, its key, and its component. */
export function register(view) {
  views.push(view);
}

/** Load the views; if a view fails to load, its error is logged, and the other views work. */
export async function loadViews() {
  const loaded = await Promise.allSettled(MODULES.map((name) => import(`./views/${name}.js`)));
  loaded.forEach(({ status, reason }, index) => {
    if (status === "rejected") console.error(`views/${MODULES[index]}.js`, reason);
  });
  views.sort((one, other) => one.key.localeCompare(other.key));
  return views;
}

/** Return the view with an id, or the first view. */
export function viewOf(id) {
  return views.find((view) => view.id === id) ?? views[0];
}

/** Return all views, in the order of their keys. */
export function allViews() {
  return views;
}
