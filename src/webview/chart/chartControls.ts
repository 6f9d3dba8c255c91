import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { t } from '@vscode/l10n';
import type { NumberColumn } from '../../shared/frame.ts';
import { createColumnHeader, labelWithUnit } from '../../presentation/columns/columnHeader.ts';
import { openPopupMenu, type MenuItem } from '../grid/popupMenu.ts';
import { icon } from '../views/icon.ts';
import { infoButton } from '../views/infoButton.ts';
import { rove } from '../views/roving.ts';
import type { SelectedChoice } from '../../presentation/chart/chartChoice.ts';
import { maxLimit, maxTitleLength, type ChartOptions } from '../../presentation/chart/chartModel.ts';
import { createNumberParser } from '../../shared/localeNumber.ts';
import type { ChartMode } from '../../presentation/chart/plot.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';

/** The actions of the chart's buttons. */
export interface ChartActions {
  setMode(mode: string): void;
  chooseOption(choiceId: string, optionId: string): void;
  toggle(column: string): void;
  /** Shows only this series, or all series if it is the only visible one. */
  isolate(column: string): void;
  /** Expands or collapses a part of the toolbar. */
  toggleSection(part: 'columns' | 'labels'): void;
  changeLabels(change: Pick<ChartOptions, 'title' | 'limit'>): void;
  selectColumn(column: string, isSelected: boolean): void;
  zoom(factor: number): void;
  reset(): void;
  /** Switches between the plot and the table of its numbers. */
  toggleTable(): void;
  /** Selects the visible range in the table. Undefined if the horizontal axis does not correspond to table rows. */
  readonly selectInTable: (() => void) | undefined;
  copy(): void;
  save(format: 'png' | 'svg'): void;
}

export interface ChartControls {
  readonly scene: PlotScene;
  readonly modes: readonly ChartMode[];
  readonly selectableColumns: readonly NumberColumn[];
  readonly selectedColumns: readonly string[];
  /** The expanded part of the toolbar. */
  readonly expandedSection: 'columns' | 'labels' | undefined;
  /** The custom title. */
  readonly title: string | undefined;
  /** Explains how the drawn values are computed; may be empty. */
  readonly caption: string;
  readonly isZoomed: boolean;
  readonly isTableVisible: boolean;
}

/** Renders the toolbar above the plot. */
export function chartToolbar(model: ChartControls, actions: ChartActions): TemplateResult {
  const { modes, scene } = model;
  const { choices, axisChoices } = scene.plot;
  // All choices of the value axes share one button.
  const axisItems = axisChoices.flatMap(choice => createChoiceItems(choice, actions));
  const tools = createTools(model, actions);
  return html`<div class="chart-tools" role="toolbar" aria-label=${t('Chart')} ${ref(rove)}>
    ${
      modes.length > 1
        ? html`<span class="chart-group" role="group" aria-label=${t('Kind of chart')}>
            ${modes
              .filter(({ isInMoreCharts }) => !isInMoreCharts)
              .map(
                mode =>
                  html`<button
                    type="button"
                    class="chart-button"
                    aria-pressed=${mode === scene.plot.mode}
                    @click=${() => actions.setMode(mode.id)}
                  >
                    ${mode.name()}
                  </button>`,
              )}
            ${moreChartsButton(model, actions)}
          </span>`
        : nothing
    }
    ${choices.map(choice => choiceButton(choice, actions))}
    ${axisItems.length > 0 ? menuButton(t('Axis'), t('Axis'), axisItems) : nothing}
    ${model.selectableColumns.length > 0 ? columnPicker(model, actions) : nothing}
    ${model.caption ? infoButton('chart-about', model.caption) : nothing}
    <span class="chart-group end">${tools.map(toolButton)}</span>
    <span class="chart-group end folded">
      <button
        type="button"
        class="chart-button icon"
        title=${t('Chart Actions')}
        aria-label=${t('Chart Actions')}
        aria-haspopup="menu"
        @click=${createMenuHandler(tools, t('Chart Actions'))}
      >
        ${icon('ellipsis')}
      </button>
    </span>
    ${model.expandedSection === 'labels' ? labelEditor(model, actions) : nothing}
  </div>`;
}

function moreChartsButton({ modes, scene }: ChartControls, actions: ChartActions): TemplateResult | typeof nothing {
  const moreModes = modes.filter(({ isInMoreCharts }) => isInMoreCharts);
  if (moreModes.length === 0) return nothing;
  const { mode: currentMode } = scene.plot;
  const items = moreModes.map(mode => ({
    label: mode.name(),
    checked: mode === currentMode,
    run: () => actions.setMode(mode.id),
  }));
  return menuButton(
    currentMode.isInMoreCharts ? currentMode.name() : t('More Charts'),
    t('More Charts'),
    items,
    currentMode.isInMoreCharts === true,
  );
}

/** Renders a button such as "Across: Days", which opens a menu of the options. */
function choiceButton(choice: SelectedChoice, actions: ChartActions): TemplateResult {
  const { name, options, selectedId } = choice;
  const text = options.find(({ id }) => id === selectedId)?.name ?? '';
  return menuButton(t('{0}: {1}', name, text), name, createChoiceItems(choice, actions));
}

function createChoiceItems({ id, options, selectedId }: SelectedChoice, actions: ChartActions): MenuItem[] {
  return options.map((option, index) => ({
    label: option.name,
    checked: option.id === selectedId,
    separatorBefore: index === 0,
    run: () => actions.chooseOption(id, option.id),
  }));
}

function menuButton(text: string, title: string, items: readonly MenuItem[], isPressed?: boolean): TemplateResult {
  return html`<button
    type="button"
    class="chart-button menu"
    aria-haspopup="menu"
    aria-pressed=${isPressed ?? nothing}
    @click=${createMenuHandler(items, title)}
  >
    <span class="chart-choice">${text}</span>${icon('chevron-down')}
  </button>`;
}

function columnPicker(
  { selectableColumns, selectedColumns, expandedSection }: ChartControls,
  actions: ChartActions,
): TemplateResult {
  const isOpen = expandedSection === 'columns';
  return html`<span class="chart-picker">
    <button
      type="button"
      class="chart-button"
      aria-expanded=${isOpen}
      aria-controls="chart-columns"
      @click=${() => actions.toggleSection('columns')}
    >
      ${t('Columns')}${icon('chevron-down')}
    </button>
    <span
      id="chart-columns"
      class="chart-columns"
      role="group"
      aria-label=${t('Columns')}
      ?hidden=${!isOpen}
      ${ref(rove)}
    >
      ${
        isOpen
          ? selectableColumns.map(column => {
              const { name, unit, label, headerTooltip } = createColumnHeader(column);
              return html`<label title=${headerTooltip}
                ><input
                  type="checkbox"
                  .checked=${selectedColumns.includes(name)}
                  @change=${(event: Event) => actions.selectColumn(name, (event.target as HTMLInputElement).checked)}
                /><span>${label}</span><span class="chart-unit">${unit}</span></label
              >`;
            })
          : nothing
      }
    </span>
  </span>`;
}

/** Renders the inputs for the custom title and the limit line. The limit is a value of the left axis. */
function labelEditor({ title = '', scene }: ChartControls, actions: ChartActions): TemplateResult {
  const { locale } = scene.formatter;
  const { limit, axes } = scene.plot;
  const unit = axes[0]?.unit ?? '';
  const readLimit = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const value = input.value.trim() === '' ? undefined : createNumberParser(locale)(input.value);
    const isInvalid = typeof value === 'string' || Math.abs(value ?? 0) > maxLimit;
    input.setCustomValidity(isInvalid ? t("'{0}' isn't a valid number.", input.value) : '');
    input.reportValidity();
    if (!isInvalid) actions.changeLabels({ limit: value === undefined ? undefined : { value, unit } });
  };
  const readTitle = ({ target }: Event): void =>
    actions.changeLabels({ title: (target as HTMLInputElement).value.trim() || undefined });
  const limitField = html`<label
    ><span>${labelWithUnit({ label: t('Limit line'), unit })}</span
    ><input
      type="text"
      inputmode="decimal"
      maxlength="30"
      .value=${limit === undefined ? '' : formatForInput(limit, locale)}
      @change=${readLimit}
  /></label>`;
  return html`<span
    id="chart-labels"
    class="chart-columns chart-labels"
    role="group"
    aria-label=${t('Title and Limit')}
  >
    <label
      ><span>${t('Title')}</span><input type="text" maxlength=${maxTitleLength} .value=${title} @change=${readTitle}
    /></label>
    ${axes[0]?.isHourOfDay ? nothing : limitField}
  </span>`;
}

/** Formats a number for an input. Omits group separators, which could be parsed as decimal separators. */
function formatForInput(value: number, locale: string): string {
  const parts = { useGrouping: false, maximumFractionDigits: 20, numberingSystem: 'latn' } as const;
  return new Intl.NumberFormat(locale, parts).format(value);
}

/** A tool of the chart. It is displayed as a button, or as a menu item if the buttons do not fit. */
interface ChartTool extends MenuItem {
  /** The name of a codicon. Without an icon, the button shows `letters`. */
  readonly icon?: string;
  readonly letters?: string;
  /** For a tool that expands a part of the toolbar: whether it is expanded. */
  readonly isExpanded?: boolean;
}

function createTools({ isZoomed, isTableVisible, expandedSection }: ChartControls, actions: ChartActions): ChartTool[] {
  const { selectInTable } = actions;
  return [
    { icon: 'table', label: t('Show As Table'), checked: isTableVisible, run: () => actions.toggleTable() },
    { icon: 'zoom-in', label: t('Zoom In'), run: () => actions.zoom(0.5) },
    { icon: 'zoom-out', label: t('Zoom Out'), run: () => actions.zoom(2), disabled: !isZoomed },
    { icon: 'screen-normal', label: t('Show Whole Range'), run: () => actions.reset(), disabled: !isZoomed },
    ...(selectInTable ? [{ icon: 'list-selection', label: t('Select Chart Range in Table'), run: selectInTable }] : []),
    {
      icon: 'edit',
      label: t('Title and Limit…'),
      isExpanded: expandedSection === 'labels',
      run: () => actions.toggleSection('labels'),
    },
    { icon: 'copy', label: t('Copy As Picture'), run: () => actions.copy() },
    { letters: 'PNG', label: t('Save As PNG'), run: () => actions.save('png') },
    { letters: 'SVG', label: t('Save As SVG'), run: () => actions.save('svg') },
  ];
}

function toolButton(tool: ChartTool): TemplateResult {
  const { label, icon: name, letters, disabled = false, checked, isExpanded, run } = tool;
  return html`<button
    type="button"
    class=${name ? 'chart-button icon' : 'chart-button'}
    title=${label}
    aria-label=${label}
    aria-pressed=${checked ?? nothing}
    aria-expanded=${isExpanded ?? nothing}
    ?disabled=${disabled}
    @click=${run}
  >
    ${name ? icon(name) : letters}
  </button>`;
}

/** Returns a click handler that opens a menu at the button. */
function createMenuHandler(items: readonly MenuItem[], title: string): (event: Event) => void {
  return ({ currentTarget }) => openPopupMenu(items, (currentTarget as HTMLElement).getBoundingClientRect(), title);
}
