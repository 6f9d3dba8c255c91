/**
 * The element of that id, which the document has.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} "${id}".`);
  return found;
}

/**
 * A new copy of what the template of that id holds.
 * @param {string} id
 * @returns {DocumentFragment}
 */
export function contentOf(id) {
  return document.importNode(byId(id, HTMLTemplateElement).content, true);
}

/**
 * An instant in UTC milliseconds as text, to the second; the zone is named beside it.
 * @param {number} instant
 */
export function instantText(instant) {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * Sets a text only where it differs, so that a selection in it stays.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * "1 request", "2 requests".
 * @param {number} count
 * @param {string} one
 */
export function counted(count, one) {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}

/**
 * Tells the person what came of what they did.
 * @param {string} sentence
 * @param {'failed'} [outcome]
 */
export function say(sentence, outcome) {
  const said = byId('said', HTMLElement);
  said.classList.toggle('failed', outcome === 'failed');
  setText(said, sentence);
}

/**
 * Calls `submit` in the place of what the browser does with a form.
 * @param {string} id
 * @param {() => void} submit
 */
export function onSubmit(id, submit) {
  byId(id, HTMLFormElement).addEventListener('submit', event => {
    event.preventDefault();
    submit();
  });
}
