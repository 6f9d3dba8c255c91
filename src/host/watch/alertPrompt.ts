import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type AlertField,
  listAlertFields,
  type AlertKind,
  listAlertKinds,
  type AlertRule,
  getAlertKind,
  parseAlertValue,
} from '../../core/watch/alert.ts';
import { findStressBand, formatLimit, parseLimit, type ColumnLimit } from '../../core/formula/columnLimit.ts';
import { FormulaError, formulaProblems, type FormulaColumn } from '../../core/formula/formula.ts';
import { parseCondition } from '../../core/formula/parseFormula.ts';
import { rampField, stressField } from '../../shared/fields.ts';
import { countPastAlerts, type Reading } from '../../core/watch/alertReading.ts';
import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { bandName, formatPastFires, describeValueProblem } from '../messages/alertMessages.ts';
import { translateFieldInfo } from '../messages/catalogue.ts';
import { formatMeasured } from '../messages/numbers.ts';
import { displayLocale } from '../language.ts';
import {
  runSteps,
  input,
  pick,
  storeOutcome,
  type PromptStep,
  type StepOutcome,
  type StepPosition,
} from '../messages/prompts.ts';
import { power } from '../../shared/units.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { showQuickPick } from '../messages/messages.ts';
import { formatZonedInstant } from '../messages/times.ts';
import { queriesFileName } from '../savedQueries/queryStore.ts';
import type { WatchedItem } from './savedQueriesPort.ts';
import type { AlertAudience } from './watchEdits.ts';
import { stressBandIds, stressLimits, type StressBand } from '../../shared/stressBands.ts';

export interface AlertPromptOptions {
  readonly title: string;
  readonly dataset: string;
  readonly interval: string;
  /** The columns that a condition may use, even if the archive has no rows with them. */
  readonly columns: readonly FormulaColumn[];
  /** The alert to change. */
  readonly current?: AlertRule | undefined;
  /** The cost in one sentence, displayed at the first step and at the value. */
  readonly cost: string;
  /** The last 30 days from the archive, if any: the prompt shows how often the alert would have fired. */
  readonly past: Promise<Reading | undefined>;
}

interface Draft {
  kind: AlertKind;
  field: AlertField;
  isOver: boolean;
  band: StressBand;
  value: number | undefined;
  condition: string;
  rows: number;
}

/** Prompts for the kind, field, side and value of an alert, with a Back button. Returns undefined if the user cancels. */
export async function promptAlert(options: AlertPromptOptions): Promise<AlertRule | undefined> {
  const draft = createDraft(options);
  const isValue = (): boolean => draft.kind === 'value';
  const isCondition = (): boolean => draft.kind === 'condition';
  const steps: PromptStep[] = [
    { prompt: async position => pickKind(position, options, draft) },
    { prompt: async position => pickField(position, options, draft), isNeeded: isValue },
    { prompt: async position => pickSide(position, draft), isNeeded: isValue },
    { prompt: async position => pickBand(position, options, draft), isNeeded: () => draft.kind === 'stressBand' },
    {
      prompt: async position => promptValue(position, options, draft),
      isNeeded: () => isValue() || draft.kind === 'rampAbove',
    },
    { prompt: async position => promptCondition(position, options, draft), isNeeded: isCondition },
    { prompt: async position => pickRows(position, options, draft), isNeeded: () => draft.kind !== 'late' },
  ];
  return (await runSteps(options.title, steps)) ? toRule(draft) : undefined;
}

function createDraft({ dataset, interval, current }: AlertPromptOptions): Draft {
  const fields = listAlertFields(dataset, interval);
  const { condition = '', rows = 1 } = current?.kind === 'condition' ? current : {};
  const limit = parseLimit(condition);
  const limitField = limit && (fields.find(({ name }) => name === limit.column) ?? { name: limit.column });
  return {
    kind: current ? getAlertKind(current) : (listAlertKinds(dataset, interval)[0] ?? 'late'),
    field: limitField ?? fields[0] ?? { name: 'value' },
    isOver: limit?.sign !== '<',
    band: (limit && findStressBand(limit)) ?? 'high',
    value: limit && !findStressBand(limit) ? limit.value : undefined,
    condition,
    rows,
  };
}

function toRule({ kind, field, isOver, band, value, condition, rows }: Draft): AlertRule | undefined {
  if (kind === 'late') return { kind };
  const limits: Readonly<Record<Exclude<AlertKind, 'late' | 'condition'>, ColumnLimit | undefined>> = {
    stressBand: { column: stressField, sign: '>=', value: stressLimits[band] },
    value: value === undefined ? undefined : { column: field.name, sign: isOver ? '>' : '<', value },
    rampAbove: value === undefined ? undefined : { column: rampField, sign: '>', value },
  };
  const limit = kind === 'condition' ? undefined : limits[kind];
  const text = limit ? formatLimit(limit) : condition;
  return text === '' ? undefined : { kind: 'condition', condition: text, ...(rows > 1 && { rows }) };
}

async function pickKind(
  position: StepPosition,
  options: AlertPromptOptions,
  draft: Draft,
): Promise<StepOutcome<unknown>> {
  const texts: Readonly<Record<AlertKind, readonly [label: string, detail: string]>> = {
    value: [t('Value over or under…'), t('a field of an hour is over or under a value')],
    stressBand: [t('Stress band reached…'), t('the stress index of an hour reaches a band')],
    rampAbove: [t('OCGT ramp above…'), t('OCGT output rose by more than a number of MW within the hour')],
    condition: [t('Condition…'), t('a formula of an hour is true, such as {0}', 'mean(wind_mw, 3h) < 1000')],
    late: [t('Data delayed'), t('the service reports that past hours are not available yet')],
  };
  const items = listAlertKinds(options.dataset, options.interval).map(kind => {
    const [label, description] = texts[kind];
    return { label, description, alertKind: kind };
  });
  items.sort((a, b) => Number(b.alertKind === draft.kind) - Number(a.alertKind === draft.kind));
  const placeholder = t('Select a condition. {0}', options.cost);
  return storeOutcome(pick(position, { placeholder, items: () => items }), ({ alertKind }) => (draft.kind = alertKind));
}

async function pickField(
  position: StepPosition,
  { dataset, interval }: AlertPromptOptions,
  draft: Draft,
): Promise<StepOutcome<unknown>> {
  const knownFields = listAlertFields(dataset, interval);
  const outcome = pick(position, {
    placeholder: t('Select a field, or enter another one'),
    items: typed => {
      const text = typed.trim();
      const isNewField = /^[\w.-]{1,100}$/.test(text) && !knownFields.some(({ name }) => name === text);
      const fields: AlertField[] = [...knownFields].sort(
        (a, b) => Number(b.name === draft.field.name) - Number(a.name === draft.field.name),
      );
      return [
        ...fields.map(field => ({
          label: formatFieldLabel(field),
          description: [field.info?.unit?.text, field.name].filter(Boolean).join(' · '),
          detail: field.info ? translateFieldInfo(field.info).meaning : '',
          field,
        })),
        ...(isNewField ? [{ label: text, description: t('as typed'), field: { name: text }, alwaysShow: true }] : []),
      ];
    },
  });
  return storeOutcome(outcome, ({ field }) => (draft.field = field));
}

async function pickSide(position: StepPosition, draft: Draft): Promise<StepOutcome<unknown>> {
  const items = [
    { label: t('Over'), description: t('alert above the value'), over: true },
    { label: t('Under'), description: t('alert below the value'), over: false },
  ];
  items.sort((a, b) => Number(b.over === draft.isOver) - Number(a.over === draft.isOver));
  const placeholder = t('Select when {0} triggers an alert', formatFieldLabel(draft.field));
  return storeOutcome(pick(position, { placeholder, items: () => items }), ({ over }) => (draft.isOver = over));
}

async function pickBand(
  position: StepPosition,
  options: AlertPromptOptions,
  draft: Draft,
): Promise<StepOutcome<unknown>> {
  const past = await options.past;
  // The lowest band is not offered, since every hour reaches it.
  const items = stressBandIds.slice(1).map(band => {
    const from = t('from {0}', formatMeasured(stressLimits[band], undefined));
    const fired = formatFires(past, { ...draft, band }, options);
    return { label: bandName(band), description: [from, fired].filter(Boolean).join(' · '), band };
  });
  items.sort((a, b) => Number(b.band === draft.band) - Number(a.band === draft.band));
  const outcome = pick(position, { placeholder: t('Select the minimum band'), items: () => items });
  return storeOutcome(outcome, ({ band }) => (draft.band = band));
}

async function promptValue(
  position: StepPosition,
  options: AlertPromptOptions,
  draft: Draft,
): Promise<StepOutcome<unknown>> {
  const field = draft.kind === 'value' ? draft.field : undefined;
  const unit = field ? field.info?.unit?.text : power.text;
  const locale = displayLocale();
  const plainNumber = new Intl.NumberFormat(locale, {
    useGrouping: false,
    maximumFractionDigits: 9,
    numberingSystem: 'latn',
  });
  const past = await options.past;
  const label = field ? formatFieldLabel(field) : t('OCGT ramp');
  const side = field && !draft.isOver ? t('under') : t('over');
  const prompt = unit
    ? t('Enter the value for {0} {1}, in {2}', label, side, unit)
    : t('Enter the value for {0} {1}', label, side);
  const outcome = input(position, {
    prompt: `${prompt} ${options.cost}`,
    placeholder: formatMeasured(unit ? 28_000 : 0.6, undefined),
    value: draft.value === undefined ? '' : plainNumber.format(draft.value),
    validate: typed => {
      const parsed = parseAlertValue(typed, field, locale);
      if (!parsed.ok) return describeValueProblem(parsed.problem);
      const fired = formatFires(past, { ...draft, value: parsed.value }, options);
      const message = [[label, side, formatMeasured(parsed.value, unit)].join(' '), fired].filter(Boolean).join(' · ');
      return { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  return storeOutcome(outcome, typed => {
    const parsed = parseAlertValue(typed, field, locale);
    if (parsed.ok) draft.value = parsed.value;
  });
}

async function promptCondition(
  position: StepPosition,
  options: AlertPromptOptions,
  draft: Draft,
): Promise<StepOutcome<unknown>> {
  const past = await options.past;
  const received = past?.frame?.columns ?? [];
  const columns = [
    ...received,
    ...options.columns.filter(({ name }) => !received.some(column => column.name === name)),
  ];
  const outcome = input(position, {
    prompt: `${t('Enter a condition on an hour.')} ${options.cost}`,
    placeholder: 'mean(residual_demand_mw, 3h) > 28000',
    value: draft.condition,
    validate: typed => {
      const parsed = parseCondition(typed, columns, past?.intervalMs);
      if (parsed instanceof FormulaError) return t(formulaProblems[parsed.reason], ...parsed.parts);
      const fired = formatFires(past, { ...draft, condition: typed.trim(), rows: 1 }, options);
      return fired ? { message: fired, severity: vscode.InputBoxValidationSeverity.Info } : undefined;
    },
  });
  return storeOutcome(outcome, typed => (draft.condition = typed.trim()));
}

const rowChoices = [1, 2, 3, 6, 12, 24];

async function pickRows(
  position: StepPosition,
  options: AlertPromptOptions,
  draft: Draft,
): Promise<StepOutcome<unknown>> {
  const past = await options.past;
  const choices = [...new Set([draft.rows, ...rowChoices])];
  const items = choices.map(rows => {
    const label = rows === 1 ? t('In any row') : t('{0} rows in a row', rows);
    return { label, description: formatFires(past, { ...draft, rows }, options), rows };
  });
  const placeholder = t('Select the number of consecutive rows');
  return storeOutcome(pick(position, { placeholder, items: () => items }), ({ rows }) => (draft.rows = rows));
}

/** Formats how often the alert would have fired. Returns an empty text if that is unknown. */
function formatFires(past: Reading | undefined, draft: Draft, { interval }: AlertPromptOptions): string {
  const rule = past && toRule(draft);
  return rule ? formatPastFires(countPastAlerts(past, rule), interval) : '';
}

function formatFieldLabel({ name, info }: AlertField): string {
  return info ? translateFieldInfo(info).label : name;
}

/**
 * Prompts for the duration of a snooze. Returns its end in UTC milliseconds, or undefined if the user cancels. `subject` is the name of the
 * alert or query.
 */
export async function promptSnooze(subject: string, now: number, zone: DisplayZone): Promise<number | undefined> {
  const items = [
    { label: t('1 hour'), ms: hourMs },
    { label: t('4 hours'), ms: 4 * hourMs },
    { label: t('12 hours'), ms: 12 * hourMs },
    { label: t('1 day'), ms: dayMs },
    { label: t('1 week'), ms: weekMs },
  ].map(({ label, ms }) => ({
    label,
    until: now + ms,
    description: t('until {0}', formatZonedInstant(now + ms, zone)),
  }));
  const placeHolder = t('Mute alerts for hours ending within');
  const selected = await showQuickPick(items, { title: t('Snooze {0}', subject), placeHolder });
  return selected?.until;
}

/** Asks whether to turn off alerts for this user or for everyone. Only a query in a workspace file has this choice. Returns undefined if the user cancels. */
export async function promptTurnOff({ store, query }: WatchedItem): Promise<AlertAudience | undefined> {
  if (store === 'personal') return 'everybody';
  const items: (vscode.QuickPickItem & { readonly audience: AlertAudience })[] = [
    { label: t('For Me'), description: t('does not change the file'), audience: 'mine' },
    { label: t('For Everyone'), description: t('changes {0}', queriesFileName.join('/')), audience: 'everybody' },
  ];
  const selected = await showQuickPick(items, {
    title: t('Turn Off Alerts · {0}', query.name),
    placeHolder: t(
      'This query is shared with everyone who has the folder. Turn off its alerts for everyone, or only for you?',
    ),
  });
  return selected?.audience;
}
