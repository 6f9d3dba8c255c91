/**
 * The element with that id; throws where the document has none.
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
 * A new copy of the content of the template with that id.
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
 * Sets a text only if it differs, so that a selection in it is kept.
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
 * Shows the outcome of an action.
 * @param {string} sentence
 * @param {'failed'} [outcome]
 */
export function say(sentence, outcome) {
  const said = byId('said', HTMLElement);
  said.classList.toggle('failed', outcome === 'failed');
  setText(said, sentence);
}

/**
 * Calls `submit` instead of submitting a form.
 * @param {string} id
 * @param {() => void} submit
 */
export function onSubmit(id, submit) {
  byId(id, HTMLFormElement).addEventListener('submit', event => {
    event.preventDefault();
    submit();
  });
}

/**
 * A row with empty cells, the first of which is its header. The roles keep it a row in any layout.
 * @param {readonly string[]} columns
 * @returns {{ row: HTMLTableRowElement, cells: HTMLElement[] }}
 */
export function rowOf(columns) {
  const row = document.createElement('tr');
  row.setAttribute('role', 'row');
  const cells = columns.map((column, index) => {
    const cell = document.createElement(index === 0 ? 'th' : 'td');
    cell.setAttribute('role', index === 0 ? 'rowheader' : 'cell');
    if (index === 0) cell.setAttribute('scope', 'row');
    cell.dataset['column'] = column;
    return cell;
  });
  row.append(...cells);
  return { row, cells };
}
