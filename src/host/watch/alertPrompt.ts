import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type AlertField,
  alertFields,
  type AlertKind,
  alertKinds,
  type AlertRule,
  kindOf,
  readAlertValue,
} from '../../core/watch/alert.ts';
import { bandOf, limitText, parseLimit, type ColumnLimit } from '../../core/formula/columnLimit.ts';
import { FormulaError, formulaProblems, type FormulaColumn } from '../../core/formula/formula.ts';
import { parseCondition } from '../../core/formula/parseFormula.ts';
import { rampField, stressField } from '../../shared/fields.ts';
import { pastFires, type Reading } from '../../core/watch/reading.ts';
import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { bandName, firesText, valueProblemSentence } from '../messages/alertMessages.ts';
import { describeField } from '../messages/catalogue.ts';
import { measured } from '../messages/numbers.ts';
import { displayLocale } from '../language.ts';
import { askSteps, input, pick, taken, type Step, type StepOutcome, type StepPosition } from '../messages/prompts.ts';
import { power } from '../../shared/units.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { showQuickPick } from '../messages/messages.ts';
import { momentText } from '../messages/times.ts';
import { queriesFileName } from '../savedQueries/queryStore.ts';
import type { WatchedItem } from './savedQueriesPort.ts';
import type { Whose } from './watchEdits.ts';
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
  over: boolean;
  band: StressBand;
  value: number | undefined;
  condition: string;
  rows: number;
}

/** Prompts for the kind, field, side and value of an alert, with a Back button. Returns undefined if the user cancels. */
export async function promptAlert(options: AlertPromptOptions): Promise<AlertRule | undefined> {
  const draft = draftOf(options);
  const isValue = (): boolean => draft.kind === 'value';
  const isCondition = (): boolean => draft.kind === 'condition';
  const steps: Step[] = [
    { ask: async place => kindStep(place, options, draft) },
    { ask: async place => fieldStep(place, options, draft), isNeeded: isValue },
    { ask: async place => sideStep(place, draft), isNeeded: isValue },
    { ask: async place => bandStep(place, options, draft), isNeeded: () => draft.kind === 'stressBand' },
    { ask: async place => valueStep(place, options, draft), isNeeded: () => isValue() || draft.kind === 'rampAbove' },
    { ask: async place => conditionStep(place, options, draft), isNeeded: isCondition },
    { ask: async place => rowsStep(place, options, draft), isNeeded: () => draft.kind !== 'late' },
  ];
  return (await askSteps(options.title, steps)) ? ruleOf(draft) : undefined;
}

function draftOf({ dataset, interval, current }: AlertPromptOptions): Draft {
  const fields = alertFields(dataset, interval);
  const { condition = '', rows = 1 } = current?.kind === 'condition' ? current : {};
  const limit = parseLimit(condition);
  const named = limit && (fields.find(({ name }) => name === limit.column) ?? { name: limit.column });
  return {
    kind: current ? kindOf(current) : (alertKinds(dataset, interval)[0] ?? 'late'),
    field: named ?? fields[0] ?? { name: 'value' },
    over: limit?.sign !== '<',
    band: (limit && bandOf(limit)) ?? 'high',
    value: limit && !bandOf(limit) ? limit.value : undefined,
    condition,
    rows,
  };
}

function ruleOf({ kind, field, over, band, value, condition, rows }: Draft): AlertRule | undefined {
  if (kind === 'late') return { kind };
  const limits: Readonly<Record<Exclude<AlertKind, 'late' | 'condition'>, ColumnLimit | undefined>> = {
    stressBand: { column: stressField, sign: '>=', value: stressLimits[band] },
    value: value === undefined ? undefined : { column: field.name, sign: over ? '>' : '<', value },
    rampAbove: value === undefined ? undefined : { column: rampField, sign: '>', value },
  };
  const limit = kind === 'condition' ? undefined : limits[kind];
  const text = limit ? limitText(limit) : condition;
  return text === '' ? undefined : { kind: 'condition', condition: text, ...(rows > 1 && { rows }) };
}

async function kindStep(place: StepPosition, options: AlertPromptOptions, draft: Draft): Promise<StepOutcome<unknown>> {
  const words: Readonly<Record<AlertKind, readonly [label: string, detail: string]>> = {
    value: [t('Value over or under…'), t('a field of an hour is over or under a value')],
    stressBand: [t('Stress band reached…'), t('the stress index of an hour reaches a band')],
    rampAbove: [t('OCGT ramp above…'), t('OCGT output rose by more than so many MW within the hour')],
    condition: [t('Condition…'), t('a formula of an hour is true, such as {0}', 'mean(wind_mw, 3h) < 1000')],
    late: [t('Data delayed'), t('the service reports that past hours are not available yet')],
  };
  const items = alertKinds(options.dataset, options.interval).map(kind => {
    const [label, description] = words[kind];
    return { label, description, chosen: kind };
  });
  items.sort((a, b) => Number(b.chosen === draft.kind) - Number(a.chosen === draft.kind));
  const placeholder = t('Select a condition. {0}', options.cost);
  return taken(pick(place, { placeholder, items: () => items }), ({ chosen }) => (draft.kind = chosen));
}

async function fieldStep(
  place: StepPosition,
  { dataset, interval }: AlertPromptOptions,
  draft: Draft,
): Promise<StepOutcome<unknown>> {
  const known = alertFields(dataset, interval);
  const asked = pick(place, {
    placeholder: t('Select a field, or enter another one'),
    items: typed => {
      const text = typed.trim();
      const isNewField = /^[\w.-]{1,100}$/.test(text) && !known.some(({ name }) => name === text);
      const fields: AlertField[] = [...known].sort(
        (a, b) => Number(b.name === draft.field.name) - Number(a.name === draft.field.name),
      );
      return [
        ...fields.map(field => ({
          label: labelOf(field),
          description: [field.info?.unit?.text, field.name].filter(Boolean).join(' · '),
          detail: field.info ? describeField(field.info).meaning : '',
          field,
        })),
        ...(isNewField ? [{ label: text, description: t('as typed'), field: { name: text }, alwaysShow: true }] : []),
      ];
    },
  });
  return taken(asked, ({ field }) => (draft.field = field));
}

async function sideStep(place: StepPosition, draft: Draft): Promise<StepOutcome<unknown>> {
  const items = [
    { label: t('Over'), description: t('alert above the value'), over: true },
    { label: t('Under'), description: t('alert below the value'), over: false },
  ];
  items.sort((a, b) => Number(b.over === draft.over) - Number(a.over === draft.over));
  const placeholder = t('Select when {0} triggers an alert', labelOf(draft.field));
  return taken(pick(place, { placeholder, items: () => items }), ({ over }) => (draft.over = over));
}

async function bandStep(place: StepPosition, options: AlertPromptOptions, draft: Draft): Promise<StepOutcome<unknown>> {
  const past = await options.past;
  // The lowest band is not offered, since every hour reaches it.
  const items = stressBandIds.slice(1).map(band => {
    const from = t('from {0}', measured(stressLimits[band], undefined));
    const fired = firesOf(past, { ...draft, band }, options);
    return { label: bandName(band), description: [from, fired].filter(Boolean).join(' · '), band };
  });
  items.sort((a, b) => Number(b.band === draft.band) - Number(a.band === draft.band));
  const asked = pick(place, { placeholder: t('Select the minimum band'), items: () => items });
  return taken(asked, ({ band }) => (draft.band = band));
}

async function valueStep(
  place: StepPosition,
  options: AlertPromptOptions,
  draft: Draft,
): Promise<StepOutcome<unknown>> {
  const field = draft.kind === 'value' ? draft.field : undefined;
  const unit = field ? field.info?.unit?.text : power.text;
  const locale = displayLocale();
  const plain = new Intl.NumberFormat(locale, {
    useGrouping: false,
    maximumFractionDigits: 9,
    numberingSystem: 'latn',
  });
  const past = await options.past;
  const label = field ? labelOf(field) : t('OCGT ramp');
  const side = field && !draft.over ? t('under') : t('over');
  const what = unit
    ? t('Enter the value for {0} {1}, in {2}', label, side, unit)
    : t('Enter the value for {0} {1}', label, side);
  const asked = input(place, {
    prompt: `${what} ${options.cost}`,
    placeholder: measured(unit ? 28_000 : 0.6, undefined),
    value: draft.value === undefined ? '' : plain.format(draft.value),
    validate: typed => {
      const read = readAlertValue(typed, field, locale);
      if (!read.ok) return valueProblemSentence(read.problem);
      const fired = firesOf(past, { ...draft, value: read.value }, options);
      const message = [[label, side, measured(read.value, unit)].join(' '), fired].filter(Boolean).join(' · ');
      return { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  return taken(asked, typed => {
    const read = readAlertValue(typed, field, locale);
    if (read.ok) draft.value = read.value;
  });
}

async function conditionStep(
  place: StepPosition,
  options: AlertPromptOptions,
  draft: Draft,
): Promise<StepOutcome<unknown>> {
  const past = await options.past;
  const received = past?.frame?.columns ?? [];
  const columns = [...received, ...options.columns.filter(({ name }) => !received.some(one => one.name === name))];
  const asked = input(place, {
    prompt: `${t('Enter a condition on an hour.')} ${options.cost}`,
    placeholder: 'mean(residual_demand_mw, 3h) > 28000',
    value: draft.condition,
    validate: typed => {
      const read = parseCondition(typed, columns, past?.stepMs);
      if (read instanceof FormulaError) return t(formulaProblems[read.reason], ...read.parts);
      const fired = firesOf(past, { ...draft, condition: typed.trim(), rows: 1 }, options);
      return fired ? { message: fired, severity: vscode.InputBoxValidationSeverity.Info } : undefined;
    },
  });
  return taken(asked, typed => (draft.condition = typed.trim()));
}

const rowChoices = [1, 2, 3, 6, 12, 24];

async function rowsStep(place: StepPosition, options: AlertPromptOptions, draft: Draft): Promise<StepOutcome<unknown>> {
  const past = await options.past;
  const all = [...new Set([draft.rows, ...rowChoices])];
  const items = all.map(rows => {
    const label = rows === 1 ? t('In any row') : t('{0} rows in a row', rows);
    return { label, description: firesOf(past, { ...draft, rows }, options), rows };
  });
  const placeholder = t('Select for how many rows in a row it must hold');
  return taken(pick(place, { placeholder, items: () => items }), ({ rows }) => (draft.rows = rows));
}

/** Formats how often the alert would have fired; empty if that is unknown. */
function firesOf(past: Reading | undefined, draft: Draft, { interval }: AlertPromptOptions): string {
  const rule = past && ruleOf(draft);
  return rule ? firesText(pastFires(past, rule), interval) : '';
}

function labelOf({ name, info }: AlertField): string {
  return info ? describeField(info).label : name;
}

/**
 * Prompts for the duration of a snooze. Returns its end in UTC milliseconds, or undefined if the user cancels. `about` is the name of the
 * alert or query.
 */
export async function promptSnooze(about: string, now: number, zone: DisplayZone): Promise<number | undefined> {
  const items = [
    { label: t('1 hour'), ms: hourMs },
    { label: t('4 hours'), ms: 4 * hourMs },
    { label: t('12 hours'), ms: 12 * hourMs },
    { label: t('1 day'), ms: dayMs },
    { label: t('1 week'), ms: weekMs },
  ].map(({ label, ms }) => ({ label, until: now + ms, description: t('until {0}', momentText(now + ms, zone)) }));
  const placeHolder = t('Mute alerts for hours ending within');
  const chosen = await showQuickPick(items, { title: t('Snooze {0}', about), placeHolder });
  return chosen?.until;
}

/** Asks for whom to turn off alerts, which matters only for a query in a workspace file. Returns undefined if the user cancels. */
export async function promptTurnOff({ store, query }: WatchedItem): Promise<Whose | undefined> {
  if (store === 'personal') return 'everybody';
  const items: (vscode.QuickPickItem & { readonly whose: Whose })[] = [
    { label: t('For Me'), description: t('does not change the file'), whose: 'mine' },
    { label: t('For Everyone'), description: t('changes {0}', queriesFileName.join('/')), whose: 'everybody' },
  ];
  const chosen = await showQuickPick(items, {
    title: t('Turn Off Alerts · {0}', query.name),
    placeHolder: t(
      'This query is shared with everyone who has the folder. Turn off its alerts for everyone, or only for you?',
    ),
  });
  return chosen?.whose;
}
