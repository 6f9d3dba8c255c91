import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { t } from '@vscode/l10n';
import type { NumberColumn } from '../../shared/frame.ts';
import { columnHeader, labelWithUnit } from '../../presentation/columns/columnHeader.ts';
import { openPopupMenu, type MenuItem } from '../grid/popupMenu.ts';
import { icon } from '../views/icon.ts';
import { infoButton } from '../views/infoButton.ts';
import { rove } from '../views/roving.ts';
import type { MadeChoice } from '../../presentation/chart/chartChoice.ts';
import { greatestLimit, longestTitle, type ChartOptions } from '../../presentation/chart/chartModel.ts';
import { numberReader } from '../../shared/localeNumber.ts';
import type { ChartMode } from '../../presentation/chart/plot.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';

/** The actions of the buttons of a chart. */
export interface ControlActions {
  setMode(mode: string): void;
  pick(choice: string, option: string): void;
  toggle(column: string): void;
  /** Shows a series alone, or all again. */
  isolate(column: string): void;
  /** Expands or collapses a part of the toolbar. */
  unfold(part: 'columns' | 'labels'): void;
  label(change: Pick<ChartOptions, 'title' | 'limit'>): void;
  choose(column: string, chosen: boolean): void;
  zoom(factor: number): void;
  reset(): void;
  /** Switches between the plot and the table of its numbers. */
  tabulate(): void;
  /** Undefined if the horizontal axis does not correspond to rows of the table. */
  readonly select: (() => void) | undefined;
  copy(): void;
  save(format: 'png' | 'svg'): void;
}

export interface ControlModel {
  readonly scene: PlotScene;
  readonly modes: readonly ChartMode[];
  readonly choosable: readonly NumberColumn[];
  readonly chosen: readonly string[];
  /** The part of the toolbar that is expanded. */
  readonly unfolded: 'columns' | 'labels' | undefined;
  /** The custom title. */
  readonly title: string | undefined;
  /** An explanation of how the drawn values are computed; may be empty. */
  readonly about: string;
  readonly zoomed: boolean;
  readonly asTable: boolean;
}

/** The toolbar above the plot. */
export function chartToolbar(model: ControlModel, actions: ControlActions): TemplateResult {
  const { modes, scene } = model;
  const { choices, axisChoices } = scene.plot;
  // All choices of the value axes share one button.
  const axisItems = axisChoices.flatMap(choice => choiceItems(choice, actions));
  const tools = toolsOf(model, actions);
  return html`<div class="chart-tools" role="toolbar" aria-label=${t('Chart')} ${ref(rove)}>
    ${
      modes.length > 1
        ? html`<span class="chart-group" role="group" aria-label=${t('Kind of chart')}>
            ${modes
              .filter(({ isFurther }) => !isFurther)
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
            ${furtherModes(model, actions)}
          </span>`
        : nothing
    }
    ${choices.map(choice => choiceButton(choice, actions))}
    ${axisItems.length > 0 ? menuButton(t('Axis'), t('Axis'), axisItems) : nothing}
    ${model.choosable.length > 0 ? columnPicker(model, actions) : nothing}
    ${model.about ? infoButton('chart-about', model.about) : nothing}
    <span class="chart-group end">${tools.map(toolButton)}</span>
    <span class="chart-group end folded">
      <button
        type="button"
        class="chart-button icon"
        title=${t('Chart Actions')}
        aria-label=${t('Chart Actions')}
        aria-haspopup="menu"
        @click=${menuOf(tools, t('Chart Actions'))}
      >
        ${icon('ellipsis')}
      </button>
    </span>
    ${model.unfolded === 'labels' ? labelEditor(model, actions) : nothing}
  </div>`;
}

function furtherModes({ modes, scene }: ControlModel, actions: ControlActions): TemplateResult | typeof nothing {
  const further = modes.filter(({ isFurther }) => isFurther);
  if (further.length === 0) return nothing;
  const { mode: shown } = scene.plot;
  const items = further.map(mode => ({
    label: mode.name(),
    checked: mode === shown,
    run: () => actions.setMode(mode.id),
  }));
  return menuButton(
    shown.isFurther ? shown.name() : t('More Charts'),
    t('More Charts'),
    items,
    shown.isFurther === true,
  );
}

/** A button such as "Across: Days" that opens a menu of the options. */
function choiceButton(choice: MadeChoice, actions: ControlActions): TemplateResult {
  const { name, options, chosen } = choice;
  const text = options.find(({ id }) => id === chosen)?.name ?? '';
  return menuButton(t('{0}: {1}', name, text), name, choiceItems(choice, actions));
}

function choiceItems({ id, options, chosen }: MadeChoice, actions: ControlActions): MenuItem[] {
  return options.map((option, place) => ({
    label: option.name,
    checked: option.id === chosen,
    separatorBefore: place === 0,
    run: () => actions.pick(id, option.id),
  }));
}

function menuButton(text: string, title: string, items: readonly MenuItem[], isPressed?: boolean): TemplateResult {
  return html`<button
    type="button"
    class="chart-button menu"
    aria-haspopup="menu"
    aria-pressed=${isPressed ?? nothing}
    @click=${menuOf(items, title)}
  >
    <span class="chart-choice">${text}</span>${icon('chevron-down')}
  </button>`;
}

function columnPicker({ choosable, chosen, unfolded }: ControlModel, actions: ControlActions): TemplateResult {
  const isOpen = unfolded === 'columns';
  return html`<span class="chart-picker">
    <button
      type="button"
      class="chart-button"
      aria-expanded=${isOpen}
      aria-controls="chart-columns"
      @click=${() => actions.unfold('columns')}
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
          ? choosable.map(column => {
              const { name, unit, label, headerTooltip } = columnHeader(column);
              return html`<label title=${headerTooltip}
                ><input
                  type="checkbox"
                  .checked=${chosen.includes(name)}
                  @change=${(event: Event) => actions.choose(name, (event.target as HTMLInputElement).checked)}
                /><span>${label}</span><span class="chart-unit">${unit}</span></label
              >`;
            })
          : nothing
      }
    </span>
  </span>`;
}

/** The editor of the custom title and of a limit line at a value of the left axis. */
function labelEditor({ title = '', scene }: ControlModel, actions: ControlActions): TemplateResult {
  const { locale } = scene.words;
  const { limit, axes } = scene.plot;
  const unit = axes[0]?.unit ?? '';
  const readLimit = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const value = input.value.trim() === '' ? undefined : numberReader(locale)(input.value);
    const isWrong = typeof value === 'string' || Math.abs(value ?? 0) > greatestLimit;
    input.setCustomValidity(isWrong ? t("'{0}' isn't a valid number.", input.value) : '');
    input.reportValidity();
    if (!isWrong) actions.label({ limit: value === undefined ? undefined : { value, unit } });
  };
  const readTitle = ({ target }: Event): void =>
    actions.label({ title: (target as HTMLInputElement).value.trim() || undefined });
  const limitField = html`<label
    ><span>${labelWithUnit({ label: t('Limit line'), unit })}</span
    ><input
      type="text"
      inputmode="decimal"
      maxlength="30"
      .value=${limit === undefined ? '' : typed(limit, locale)}
      @change=${readLimit}
  /></label>`;
  return html`<span
    id="chart-labels"
    class="chart-columns chart-labels"
    role="group"
    aria-label=${t('Title and Limit')}
  >
    <label
      ><span>${t('Title')}</span><input type="text" maxlength=${longestTitle} .value=${title} @change=${readTitle}
    /></label>
    ${axes[0]?.isHourOfDay ? nothing : limitField}
  </span>`;
}

/** Formats a number for an input, without group separators, which could be read as decimal separators. */
function typed(value: number, locale: string): string {
  const parts = { useGrouping: false, maximumFractionDigits: 20, numberingSystem: 'latn' } as const;
  return new Intl.NumberFormat(locale, parts).format(value);
}

/** A tool of the chart, shown as a button or, without room for the buttons, as a menu item. */
interface ChartTool extends MenuItem {
  /** The name of a codicon; without one the button shows `letters`. */
  readonly icon?: string;
  readonly letters?: string;
  /** Whether the part of the toolbar that the tool expands is expanded. */
  readonly isExpanded?: boolean;
}

function toolsOf({ zoomed, asTable, unfolded }: ControlModel, actions: ControlActions): ChartTool[] {
  const { select } = actions;
  return [
    { icon: 'table', label: t('Show As Table'), checked: asTable, run: () => actions.tabulate() },
    { icon: 'zoom-in', label: t('Zoom In'), run: () => actions.zoom(0.5) },
    { icon: 'zoom-out', label: t('Zoom Out'), run: () => actions.zoom(2), disabled: !zoomed },
    { icon: 'screen-normal', label: t('Show Whole Range'), run: () => actions.reset(), disabled: !zoomed },
    ...(select ? [{ icon: 'list-selection', label: t('Select Chart Range in Table'), run: select }] : []),
    {
      icon: 'edit',
      label: t('Title and Limit…'),
      isExpanded: unfolded === 'labels',
      run: () => actions.unfold('labels'),
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
function menuOf(items: readonly MenuItem[], title: string): (event: Event) => void {
  return ({ currentTarget }) => openPopupMenu(items, (currentTarget as HTMLElement).getBoundingClientRect(), title);
}
