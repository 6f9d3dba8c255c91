import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { formulaProblem } from '../../presentation/formula/formulaProblem.ts';
import type { DerivedRows } from '../../core/analysis/analyse.ts';
import type { ResultRows } from '../../core/analysis/resultRows.ts';
import { completeFormula, type FormulaCompletion } from '../../core/formula/formulaCompletions.ts';
import { FormulaError, type Formula, type FormulaColumn, type TextRange } from '../../core/formula/formula.ts';
import { parseDerived, getRowDuration, getWindowRowMs } from '../../core/formula/deriveColumns.ts';
import { parseFormula } from '../../core/formula/parseFormula.ts';
import { derivedLimits, type DerivedColumn } from '../../shared/derivedColumns.ts';
import { iconButton } from '../views/icon.ts';
import type { TabParts } from './tabParts.ts';

interface DerivedBarParts extends Pick<TabParts, 'host' | 'view' | 'change'> {
  /** The received rows; undefined before there are any. */
  readonly received: () => ResultRows | undefined;
  /** The received rows with the columns that could be derived. */
  readonly derived: () => DerivedRows | undefined;
  /** Called when the editor closes; `name` is the column that was created or changed. */
  readonly closed: (name?: string) => void;
}

/** A derived column that is being edited. */
interface Typed extends DerivedColumn {
  /** Index among the derived columns; a new column comes last. */
  readonly place: number;
}

const ids = { name: 'derived-name', formula: 'derived-formula', list: 'derived-list', text: 'derived-text' } as const;
const noEntries: ReturnType<typeof completeFormula> = { range: { start: 0, end: 0 }, completions: [] };

/** The editor of a derived column: its name, its formula with a completion list, and a status sentence. */
export class DerivedBar {
  readonly #parts: DerivedBarParts;
  #typed: Typed | undefined;
  /** The completions at the caret while the list is open. */
  #completion = noEntries;
  /** Index of the selected completion; -1 for none. */
  #chosen = -1;
  /** Whether the user has tried to apply the column; from then on the name is checked too. */
  #isTried = false;

  constructor(parts: DerivedBarParts) {
    this.#parts = parts;
  }

  /** Opens the editor of a column, or of a new one. */
  open(name?: string): void {
    const { derived } = this.#parts.view();
    const place = derived.findIndex(one => one.name === name);
    this.#typed = { place: place < 0 ? derived.length : place, ...(derived[place] ?? { name: '', formula: '' }) };
    this.#isTried = false;
    this.#completion = noEntries;
    this.#parts.host.render();
    document.getElementById(place < 0 ? ids.name : ids.formula)?.focus();
  }

  /** Renders the editor and the columns that cannot be derived from this result. */
  template(): TemplateResult {
    return html`${this.#problems()} ${this.#typed ? this.#editor(this.#typed) : nothing}`;
  }

  #problems(): TemplateResult | typeof nothing {
    const errors = [...(this.#parts.derived()?.errors ?? [])];
    if (errors.length === 0) return nothing;
    return html`<p class="derived-problems" role="status">
      ${t("Derived columns that don't fit this result:")}
      ${errors.map(
        ([name, error]) =>
          html`<button class="link-button" title=${t('Edit Formula…')} @click=${() => this.open(name)}>${name}</button>:
            ${formulaProblem(error)} `,
      )}
    </p>`;
  }

  #editor(typed: Typed): TemplateResult {
    const { name, formula } = typed;
    const { problem, sentence } = this.#sentence(typed);
    const isOpen = this.#completion.completions.length > 0;
    const nameBefore = this.#parts.view().derived[typed.place]?.name;
    return html`<div
      class="derived ${problem ? 'wrong' : ''}"
      role="group"
      aria-label=${t('Derived column')}
      @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
    >
      <input
        id=${ids.name}
        class="derived-name"
        type="text"
        spellcheck="false"
        maxlength=${derivedLimits.name}
        aria-label=${t('Name of the column')}
        aria-invalid=${problem !== undefined && isOfName(problem)}
        aria-describedby=${ids.text}
        placeholder=${t('Name')}
        .value=${name}
        @input=${(event: Event) => this.#type({ ...typed, name: (event.target as HTMLInputElement).value })}
      />
      <span aria-hidden="true">=</span>
      <div class="derived-place">
        <input
          id=${ids.formula}
          type="text"
          spellcheck="false"
          autocomplete="off"
          maxlength=${derivedLimits.formula}
          role="combobox"
          aria-label=${t('Formula')}
          aria-autocomplete="list"
          aria-expanded=${isOpen}
          aria-controls=${ids.list}
          aria-activedescendant=${isOpen && this.#chosen >= 0 ? `${ids.list}-${this.#chosen}` : nothing}
          aria-invalid=${problem !== undefined && !isOfName(problem)}
          aria-describedby=${ids.text}
          placeholder="wind_mw + pv_mw"
          .value=${formula}
          @input=${(event: Event) => this.#typeFormula(typed, event.target as HTMLInputElement)}
          @keydown=${(event: KeyboardEvent) => this.#pressedInFormula(event)}
          @blur=${() => this.#closeList()}
        />
        <div
          id=${ids.list}
          class="derived-list"
          role="listbox"
          aria-label=${t('Columns and functions')}
          ?hidden=${!isOpen}
        >
          ${this.#completion.completions.map((entry, index) => this.#entry(entry, index))}
        </div>
      </div>
      <button class="text-button" @click=${() => this.#apply()}>${t('Apply')}</button>
      ${nameBefore === undefined ? nothing : html`<button class="text-button" @click=${() => this.remove(nameBefore)}>${t('Remove')}</button>`}
      ${iconButton('close', t('Cancel'), () => this.#close(), t('Cancel (Escape)'))}
      <p id=${ids.text} role="status">${sentence}</p>
    </div>`;
  }

  #entry({ kind, label, help, unit }: FormulaCompletion, index: number): TemplateResult {
    return html`<div
      id="${ids.list}-${index}"
      class="derived-entry"
      role="option"
      aria-selected=${index === this.#chosen}
      @pointerdown=${(event: Event) => {
        // Keeps the focus in the formula.
        event.preventDefault();
        this.#accept(index);
      }}
    >
      <span class="derived-label">${label}</span>
      <span class="derived-help">${kind === 'function' ? t(help) : help}</span>
      <span class="derived-unit">${unit}</span>
    </div>`;
  }

  /** Describes the result of the formula or its error. Before anything is typed this is a hint, and while the completion list is open it is empty. */
  #sentence(typed: Typed): { readonly problem?: FormulaError; readonly sentence: string } {
    if (typed.formula.trim() === '' && !this.#isTried)
      return {
        sentence: t('Columns, numbers with a unit, + - * /, comparisons and functions. Ctrl+Space lists them.'),
      };
    if (this.#completion.completions.length > 0) return { sentence: '' };
    const made = this.#read(typed);
    if (made instanceof FormulaError) {
      const isTyping = made.reason === 'incomplete' && !this.#isTried;
      return { ...(!isTyping && { problem: made }), sentence: formulaProblem(made) };
    }
    if (!made.unit) return { sentence: t('A condition: true or false') };
    return { sentence: made.unit.text ? t('Unit: {0}', made.unit.text) : t('No unit') };
  }

  /** Parses the formula. An empty name is ignored until the user tries to apply the column. */
  #read({ place, name, formula }: Typed): Formula | FormulaError {
    const columns = this.#columnsBefore(place);
    const received = this.#parts.received();
    const rowMs =
      received && getWindowRowMs(received.frame, getRowDuration({ frame: received.frame, intervalMs: received.step }));
    if (name.trim() === '' && !this.#isTried) return parseFormula(formula, columns, rowMs);
    const later = this.#parts.view().derived.slice(place + 1);
    const taken = later.map((one): FormulaColumn => ({ name: one.name, kind: 'nested' }));
    return parseDerived({ name: name.trim(), formula }, [...columns, ...taken], rowMs);
  }

  #columnsBefore(place: number): readonly FormulaColumn[] {
    const { received, derived, view } = this.#parts;
    const own = received()?.frame.columns ?? [];
    const made = derived()?.rowsWithDerived.frame.columns.slice(own.length) ?? [];
    const before = view().derived.slice(0, place);
    return [...own, ...made.filter(({ name }) => before.some(one => one.name === name))];
  }

  #type(typed: Typed): void {
    this.#typed = typed;
    this.#isTried = false;
    this.#parts.host.render();
  }

  #typeFormula(typed: Typed, { value: formula, selectionStart }: HTMLInputElement): void {
    this.#type({ ...typed, formula });
    this.#openList(selectionStart ?? formula.length, false);
  }

  /**
   * Opens the completion list at the caret. With `isAsked` it opens even before a word has been typed. Enter and Tab accept the first entry,
   * unless the text is already a complete formula, which Enter applies.
   */
  #openList(caret: number, isAsked: boolean): void {
    const { formula, place } = this.#typed ?? { formula: '', place: 0 };
    const columns = this.#columnsBefore(place);
    const found = completeFormula(formula, caret, columns);
    const [first, ...others] = found.completions;
    const isWhole = others.length === 0 && first?.text === formula.slice(found.range.start, found.range.end);
    const isWanted = isAsked || (found.range.start < caret && !isWhole);
    this.#completion = isWanted ? found : noEntries;
    this.#choose(isAsked || parseFormula(formula, columns) instanceof FormulaError ? 0 : -1);
  }

  #closeList(): void {
    if (this.#completion === noEntries) return;
    this.#completion = noEntries;
    this.#choose(-1);
  }

  #choose(index: number): void {
    this.#chosen = index;
    this.#parts.host.render();
    document.getElementById(`${ids.list}-${index}`)?.scrollIntoView({ block: 'nearest' });
  }

  /** Replaces the word at the caret by an entry of the list. */
  #accept(index: number): void {
    const { range, completions } = this.#completion;
    const entry = completions[index];
    const typed = this.#typed;
    if (!entry || !typed) return;
    const formula = typed.formula.slice(0, range.start) + entry.text + typed.formula.slice(range.end);
    this.#type({ ...typed, formula });
    this.#closeList();
    select({ start: range.start + entry.text.length, end: range.start + entry.text.length });
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) this.#apply();
    else if (event.key === 'Escape') this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #pressedInFormula(event: KeyboardEvent): void {
    const count = this.#completion.completions.length;
    const caret = (event.target as HTMLInputElement).selectionStart ?? 0;
    const isAsking = (event.key === ' ' && event.ctrlKey) || (event.key === 'ArrowDown' && count === 0);
    if (isAsking) this.#openList(caret, true);
    else if (event.key === 'ArrowDown') this.#choose((this.#chosen + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0) this.#choose((Math.max(this.#chosen, 0) + count - 1) % count);
    else if ((event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) && this.#chosen >= 0)
      this.#accept(this.#chosen);
    else if (event.key === 'Escape' && count > 0) this.#closeList();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Applies the column, or selects the error in the formula. */
  #apply(): void {
    const typed = this.#typed;
    if (!typed) return;
    this.#isTried = true;
    const made = this.#read(typed);
    if (made instanceof FormulaError) {
      this.#parts.host.render();
      if (isOfName(made)) document.getElementById(ids.name)?.focus();
      else select(made.range);
      return;
    }
    const column = { name: typed.name.trim(), formula: typed.formula.trim() };
    this.#typed = undefined;
    this.#parts.change({ derived: this.#parts.view().derived.toSpliced(typed.place, 1, column) });
    this.#parts.closed(column.name);
  }

  /** Removes a column and its filter. */
  remove(name: string): void {
    const { host, view, change, closed } = this.#parts;
    const { [name]: filter, ...filters } = view().filters;
    this.#typed = undefined;
    const derived = view().derived.filter(one => one.name !== name);
    change({ derived, ...(filter !== undefined && { filters }) });
    host.announce(t("Column '{0}' removed", name));
    closed();
  }

  #close(): void {
    this.#typed = undefined;
    this.#parts.host.render();
    this.#parts.closed();
  }
}

function isOfName({ reason }: FormulaError): boolean {
  return reason === 'name' || reason === 'nameTaken';
}

/** Focuses the formula and selects a part of it. */
function select({ start, end }: TextRange): void {
  const input = document.getElementById(ids.formula);
  if (!(input instanceof HTMLInputElement)) return;
  input.focus();
  input.setSelectionRange(start, end);
}
