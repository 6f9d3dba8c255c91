import { t } from '@vscode/l10n';
import { formatUnitLine, type GridColumn, type GridData } from '../../presentation/table/gridColumn.ts';
import { createElement } from './gridDom.ts';
import { HeaderHistogram } from './headerHistogram.ts';
import { PooledRow, type RowContext } from './pooledRow.ts';

/** Class names of the parts of a header that do something other than sort when they are pressed. Each has a keyboard equivalent. */
export const headerParts = { menu: 'grid-menu', edge: 'grid-edge', bins: 'grid-histogram' } as const;

/**
 * The header row. Each cell shows a label, the unit below it, the icons of sort and filter beside them, and then the summary. In a narrow
 * column whole parts are hidden. The label takes the line of the unit before it is truncated.
 */
export class HeaderRow extends PooledRow {
  readonly #histograms = new Map<HTMLElement, HeaderHistogram>();

  protected override createCell(): HTMLElement {
    const cell = createElement('grid-heading', 'columnheader');
    cell.setAttribute('aria-haspopup', 'menu');
    const words = createElement('grid-words');
    words.append(createElement('grid-label'), createElement('grid-unit'));
    cell.append(
      words,
      createIcon('grid-sort'),
      createIcon('grid-filter codicon codicon-filter-filled'),
      createIcon(`${headerParts.menu} codicon codicon-kebab-vertical`),
      createIcon(headerParts.edge),
    );
    const histogram = new HeaderHistogram();
    this.#histograms.set(cell, histogram);
    cell.append(histogram.element, histogram.note);
    // Tab moves the focus from a header to its histogram, and never to the histogram of another header.
    cell.addEventListener('focusin', () => (histogram.element.tabIndex = 0));
    cell.addEventListener('focusout', ({ relatedTarget: next }) => {
      if (!(next instanceof Node && cell.contains(next))) histogram.element.tabIndex = -1;
    });
    return cell;
  }

  protected override fillCell(cell: HTMLElement, column: GridColumn, { data }: RowContext): void {
    const [words, sort] = cell.children;
    const [label, unit] = words?.children ?? [];
    if (label) label.textContent = column.label;
    const legend = data.getLegend?.(column);
    if (unit) unit.textContent = formatUnitLine(column, legend);
    const colorDescription = legend && t('Colors: {0}', formatUnitLine(column, legend));
    cell.title = [column.headerTooltip, colorDescription].filter(Boolean).join('\n');
    cell.classList.toggle('scaled', legend !== undefined);
    cell.style.setProperty('--scale', legend ? `linear-gradient(90deg, ${legend.colors.join(', ')})` : '');
    const source = column.source ?? column.name;
    const filtered = data.filtered?.has(source) === true;
    cell.classList.toggle('filtered', filtered);
    const descriptions = sort instanceof HTMLElement ? updateSortIndicator(cell, sort, source, data) : [];
    if (filtered) descriptions.push(t('filtered'));
    if (colorDescription) descriptions.push(colorDescription);
    const summary = data.getSummary?.(source);
    this.#histograms.get(cell)?.show(summary);
    if (summary) descriptions.push(summary.gaps);
    // Without a label of its own, the header of every cell would be read out with the histogram.
    setOrRemoveAttribute(cell, 'aria-label', summary ? `${column.label} ${column.unit}`.trim() : '');
    setOrRemoveAttribute(cell, 'aria-description', descriptions.join(', '));
  }
}

/** Updates the sort arrow and, with several sort keys, its number. Returns the description that `aria-sort` cannot express. */
function updateSortIndicator(
  cell: HTMLElement,
  indicator: HTMLElement,
  source: string,
  { sort = [] }: GridData,
): string[] {
  const index = sort.findIndex(({ column }) => column === source);
  const key = sort[index];
  const icon = !key ? 'arrow-swap' : key.descending ? 'arrow-down' : 'arrow-up';
  indicator.className = `grid-sort codicon codicon-${icon}`;
  cell.classList.toggle('sorted', key !== undefined);
  setOrRemoveAttribute(indicator, 'data-number', key && sort.length > 1 ? String(index + 1) : '');
  const direction = key?.descending ? 'descending' : 'ascending';
  // ARIA allows `aria-sort` on one header at a time: the one of the first sort key.
  setOrRemoveAttribute(cell, 'aria-sort', key && index === 0 ? direction : '');
  if (!key || sort.length < 2) return [];
  const directionText = key.descending ? t('descending') : t('ascending');
  return [t('sort key {0} of {1}, {2}', index + 1, sort.length, directionText)];
}

function createIcon(className: string): HTMLElement {
  const icon = document.createElement('span');
  icon.className = className;
  icon.setAttribute('aria-hidden', 'true');
  return icon;
}

function setOrRemoveAttribute(target: HTMLElement, name: string, value: string): void {
  if (value) target.setAttribute(name, value);
  else target.removeAttribute(name);
}
