import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { describeFormulaProblem } from '../../presentation/formula/formulaProblem.ts';
import type { DerivedRows } from '../../core/analysis/analyze.ts';
import type { ResultRows } from '../../core/analysis/resultRows.ts';
import { completeFormula, type FormulaCompletion } from '../../core/formula/formulaCompletions.ts';
import { FormulaError, type Formula, type FormulaColumn, type TextRange } from '../../core/formula/formula.ts';
import { parseDerived, getShortestRowMs, getWindowRowMs } from '../../core/formula/deriveColumns.ts';
import { parseFormula } from '../../core/formula/parseFormula.ts';
import { derivedLimits, type DerivedColumn } from '../../shared/derivedColumns.ts';
import { iconButton } from '../views/icon.ts';
import type { TabDeps } from './tabDeps.ts';

interface DerivedBarDeps extends Pick<TabDeps, 'host' | 'view' | 'changeView'> {
  /** The received rows; undefined before there are any. */
  readonly getReceived: () => ResultRows | undefined;
  /** The received rows with the columns that could be derived. */
  readonly getDerived: () => DerivedRows | undefined;
  /** Called when the editor closes; `name` is the column that was created or changed. */
  readonly onClose: (name?: string) => void;
}

/** A derived column that is being edited. */
interface EditedColumn extends DerivedColumn {
  /** Index among the derived columns; a new column comes last. */
  readonly index: number;
}

const ids = { name: 'derived-name', formula: 'derived-formula', list: 'derived-list', text: 'derived-text' } as const;
const noCompletions: ReturnType<typeof completeFormula> = { range: { start: 0, end: 0 }, completions: [] };

/** The editor of a derived column: its name, its formula with a completion list, and a status sentence. */
export class DerivedBar {
  readonly #deps: DerivedBarDeps;
  #edited: EditedColumn | undefined;
  /** The completions at the caret while the list is open. */
  #completion = noCompletions;
  /** Index of the selected completion; -1 if there is none. */
  #selectedIndex = -1;
  /** Whether the user has tried to apply the column; from then on the name is checked too. */
  #hasTriedToApply = false;

  constructor(deps: DerivedBarDeps) {
    this.#deps = deps;
  }

  /** Opens the editor of a column, or of a new one. */
  open(name?: string): void {
    const { derived } = this.#deps.view();
    const index = derived.findIndex(candidate => candidate.name === name);
    this.#edited = { index: index < 0 ? derived.length : index, ...(derived[index] ?? { name: '', formula: '' }) };
    this.#hasTriedToApply = false;
    this.#completion = noCompletions;
    this.#deps.host.render();
    document.getElementById(index < 0 ? ids.name : ids.formula)?.focus();
  }

  /** Renders the editor and the columns that cannot be derived from this result. */
  template(): TemplateResult {
    return html`${this.#problems()} ${this.#edited ? this.#editor(this.#edited) : nothing}`;
  }

  #problems(): TemplateResult | typeof nothing {
    const errors = [...(this.#deps.getDerived()?.errors ?? [])];
    if (errors.length === 0) return nothing;
    return html`<p class="derived-problems" role="status">
      ${t("Derived columns that don't fit this result:")}
      ${errors.map(
        ([name, error]) =>
          html`<button class="link-button" title=${t('Edit Formula…')} @click=${() => this.open(name)}>${name}</button>:
            ${describeFormulaProblem(error)} `,
      )}
    </p>`;
  }

  #editor(edited: EditedColumn): TemplateResult {
    const { name, formula } = edited;
    const { problem, sentence } = this.#describeEdit(edited);
    const isOpen = this.#completion.completions.length > 0;
    const previousName = this.#deps.view().derived[edited.index]?.name;
    return html`<div
      class="derived ${problem ? 'wrong' : ''}"
      role="group"
      aria-label=${t('Derived column')}
      @keydown=${(event: KeyboardEvent) => this.#onKeydown(event)}
    >
      <input
        id=${ids.name}
        class="derived-name"
        type="text"
        spellcheck="false"
        maxlength=${derivedLimits.name}
        aria-label=${t('Name of the column')}
        aria-invalid=${problem !== undefined && isNameError(problem)}
        aria-describedby=${ids.text}
        placeholder=${t('Name')}
        .value=${name}
        @input=${(event: Event) => this.#edit({ ...edited, name: (event.target as HTMLInputElement).value })}
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
          aria-activedescendant=${isOpen && this.#selectedIndex >= 0 ? `${ids.list}-${this.#selectedIndex}` : nothing}
          aria-invalid=${problem !== undefined && !isNameError(problem)}
          aria-describedby=${ids.text}
          placeholder="wind_mw + pv_mw"
          .value=${formula}
          @input=${(event: Event) => this.#editFormula(edited, event.target as HTMLInputElement)}
          @keydown=${(event: KeyboardEvent) => this.#onFormulaKeydown(event)}
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
      ${previousName === undefined ? nothing : html`<button class="text-button" @click=${() => this.remove(previousName)}>${t('Remove')}</button>`}
      ${iconButton('close', t('Cancel'), () => this.#close(), t('Cancel (Escape)'))}
      <p id=${ids.text} role="status">${sentence}</p>
    </div>`;
  }

  #entry({ kind, label, help, unit }: FormulaCompletion, index: number): TemplateResult {
    return html`<div
      id="${ids.list}-${index}"
      class="derived-entry"
      role="option"
      aria-selected=${index === this.#selectedIndex}
      @pointerdown=${(event: Event) => {
        // Keeps the focus in the formula field.
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
  #describeEdit(edited: EditedColumn): { readonly problem?: FormulaError; readonly sentence: string } {
    if (edited.formula.trim() === '' && !this.#hasTriedToApply)
      return {
        sentence: t('Columns, numbers with a unit, + - * /, comparisons and functions. Ctrl+Space lists them.'),
      };
    if (this.#completion.completions.length > 0) return { sentence: '' };
    const formula = this.#parse(edited);
    if (formula instanceof FormulaError) {
      const isTyping = formula.reason === 'incomplete' && !this.#hasTriedToApply;
      return { ...(!isTyping && { problem: formula }), sentence: describeFormulaProblem(formula) };
    }
    if (!formula.unit) return { sentence: t('A condition: true or false') };
    return { sentence: formula.unit.text ? t('Unit: {0}', formula.unit.text) : t('No unit') };
  }

  /** Parses the formula. An empty name is ignored until the user tries to apply the column. */
  #parse({ index, name, formula }: EditedColumn): Formula | FormulaError {
    const columns = this.#getColumnsBefore(index);
    const received = this.#deps.getReceived();
    const rowMs =
      received &&
      getWindowRowMs(received.frame, getShortestRowMs({ frame: received.frame, intervalMs: received.intervalMs }));
    if (name.trim() === '' && !this.#hasTriedToApply) return parseFormula(formula, columns, rowMs);
    const laterDerived = this.#deps.view().derived.slice(index + 1);
    const laterColumns = laterDerived.map((candidate): FormulaColumn => ({ name: candidate.name, kind: 'nested' }));
    return parseDerived({ name: name.trim(), formula }, [...columns, ...laterColumns], rowMs);
  }

  #getColumnsBefore(index: number): readonly FormulaColumn[] {
    const { getReceived, getDerived, view } = this.#deps;
    const receivedColumns = getReceived()?.frame.columns ?? [];
    const derivedColumns = getDerived()?.rowsWithDerived.frame.columns.slice(receivedColumns.length) ?? [];
    const earlierDerived = view().derived.slice(0, index);
    return [
      ...receivedColumns,
      ...derivedColumns.filter(({ name }) => earlierDerived.some(candidate => candidate.name === name)),
    ];
  }

  #edit(edited: EditedColumn): void {
    this.#edited = edited;
    this.#hasTriedToApply = false;
    this.#deps.host.render();
  }

  #editFormula(edited: EditedColumn, { value: formula, selectionStart }: HTMLInputElement): void {
    this.#edit({ ...edited, formula });
    this.#openList(selectionStart ?? formula.length, false);
  }

  /**
   * Opens the completion list at the caret. With `isExplicit` it opens even before a word has been typed. Enter and Tab accept the first entry,
   * unless the text is already a complete formula, which Enter applies.
   */
  #openList(caret: number, isExplicit: boolean): void {
    const { formula, index } = this.#edited ?? { formula: '', index: 0 };
    const columns = this.#getColumnsBefore(index);
    const completion = completeFormula(formula, caret, columns);
    const [first, ...otherCompletions] = completion.completions;
    const isComplete =
      otherCompletions.length === 0 && first?.text === formula.slice(completion.range.start, completion.range.end);
    const isVisible = isExplicit || (completion.range.start < caret && !isComplete);
    this.#completion = isVisible ? completion : noCompletions;
    this.#selectEntry(isExplicit || parseFormula(formula, columns) instanceof FormulaError ? 0 : -1);
  }

  #closeList(): void {
    if (this.#completion === noCompletions) return;
    this.#completion = noCompletions;
    this.#selectEntry(-1);
  }

  #selectEntry(index: number): void {
    this.#selectedIndex = index;
    this.#deps.host.render();
    document.getElementById(`${ids.list}-${index}`)?.scrollIntoView({ block: 'nearest' });
  }

  /** Replaces the word at the caret by an entry of the list. */
  #accept(index: number): void {
    const { range, completions } = this.#completion;
    const entry = completions[index];
    const edited = this.#edited;
    if (!entry || !edited) return;
    const formula = edited.formula.slice(0, range.start) + entry.text + edited.formula.slice(range.end);
    this.#edit({ ...edited, formula });
    this.#closeList();
    select({ start: range.start + entry.text.length, end: range.start + entry.text.length });
  }

  #onKeydown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) this.#apply();
    else if (event.key === 'Escape') this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #onFormulaKeydown(event: KeyboardEvent): void {
    const count = this.#completion.completions.length;
    const caret = (event.target as HTMLInputElement).selectionStart ?? 0;
    const requestsList = (event.key === ' ' && event.ctrlKey) || (event.key === 'ArrowDown' && count === 0);
    if (requestsList) this.#openList(caret, true);
    else if (event.key === 'ArrowDown') this.#selectEntry((this.#selectedIndex + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0)
      this.#selectEntry((Math.max(this.#selectedIndex, 0) + count - 1) % count);
    else if ((event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) && this.#selectedIndex >= 0)
      this.#accept(this.#selectedIndex);
    else if (event.key === 'Escape' && count > 0) this.#closeList();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Applies the column, or selects the error in the formula. */
  #apply(): void {
    const edited = this.#edited;
    if (!edited) return;
    this.#hasTriedToApply = true;
    const formula = this.#parse(edited);
    if (formula instanceof FormulaError) {
      this.#deps.host.render();
      if (isNameError(formula)) document.getElementById(ids.name)?.focus();
      else select(formula.range);
      return;
    }
    const { derived } = this.#deps.view();
    const previous = derived[edited.index];
    const name = edited.name.trim();
    const entered = { name, formula: edited.formula.trim() };
    // The source belongs to the numbers of the formula.
    const column = previous?.formula === entered.formula ? { ...previous, name } : entered;
    this.#edited = undefined;
    this.#deps.changeView({ derived: derived.toSpliced(edited.index, 1, column) });
    this.#deps.onClose(column.name);
  }

  /** Removes a column and its filter. */
  remove(name: string): void {
    const { host, view, changeView, onClose } = this.#deps;
    const { [name]: filter, ...filters } = view().filters;
    this.#edited = undefined;
    const derived = view().derived.filter(candidate => candidate.name !== name);
    changeView({ derived, ...(filter !== undefined && { filters }) });
    host.announce(t("Column '{0}' removed", name));
    onClose();
  }

  #close(): void {
    this.#edited = undefined;
    this.#deps.host.render();
    this.#deps.onClose();
  }
}

function isNameError({ reason }: FormulaError): boolean {
  return reason === 'name' || reason === 'nameTaken';
}

/** Focuses the formula and selects a part of it. */
function select({ start, end }: TextRange): void {
  const input = document.getElementById(ids.formula);
  if (!(input instanceof HTMLInputElement)) return;
  input.focus();
  input.setSelectionRange(start, end);
}
