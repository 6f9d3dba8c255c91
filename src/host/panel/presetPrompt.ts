import { t } from '@vscode/l10n';
import { getWindowRowMs } from '../../core/formula/deriveColumns.ts';
import { fillPreset, hasEnergy, listPresets, type Preset, type PresetAnswers } from '../../core/pack/presets.ts';
import { getIntervalMs } from '../../core/query/catalogue.ts';
import { derivedLimits } from '../../shared/derivedColumns.ts';
import type { Column } from '../../shared/frame.ts';
import type { Result } from '../../shared/result.ts';
import { unitOf } from '../../shared/units.ts';
import type { View } from '../../shared/view.ts';
import { InputError, UnavailableError } from '../inputError.ts';
import { translateCatalogueText } from '../messages/catalogue.ts';
import { showQuickPick } from '../messages/messages.ts';
import { input, runStep } from '../messages/prompts.ts';

/** A preset with what the user answered to its questions. */
export interface ChosenPreset {
  readonly preset: Preset;
  readonly answers: PresetAnswers;
  /** Whether its formulas need the table of installed capacity. */
  readonly needsCapacity: boolean;
}

/**
 * Asks for a preset for a result, and for what its formulas need. `canJoin`: whether other columns can be joined to the result. Undefined if
 * the user cancels. Throws UnavailableError if there is no preset for these columns.
 */
export async function promptPreset(result: Result | undefined, canJoin: boolean): Promise<ChosenPreset | undefined> {
  const columns = result?.frame?.columns ?? [];
  const rowMs = result?.frame && getWindowRowMs(result.frame, getIntervalMs(result.provenance.interval));
  const presets = listPresets(columns, canJoin, rowMs);
  if (presets.length === 0) throw new UnavailableError(t('There is no preset for these columns.'));
  const picked = await showQuickPick(
    presets.map(preset => ({
      label: translateCatalogueText(preset.label),
      description: translateCatalogueText(preset.description),
      ...(preset.source !== undefined && { detail: t('Source: {0}', preset.source) }),
      preset,
    })),
    {
      title: t('Add Preset Columns'),
      placeHolder: t('Select what to compute'),
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  if (!picked) return undefined;
  const { preset } = picked;
  const answers = await promptAnswers(preset, columns);
  const needsCapacity = !listPresets(columns, false, rowMs).includes(preset);
  return answers && { preset, answers, needsCapacity };
}

async function promptAnswers(
  { label, needsEnergy, priceCount }: Preset,
  columns: readonly Column[],
): Promise<PresetAnswers | undefined> {
  const title = translateCatalogueText(label);
  const energy = needsEnergy && (await promptEnergyColumn(title, columns));
  if (needsEnergy && energy === undefined) return undefined;
  if (priceCount === undefined) return { energy };
  const isPrice = priceCount === 1;
  const typed = await runStep(energy === undefined ? title : `${title} · ${energy}`, async position =>
    input(position, {
      prompt: isPrice
        ? t('Price in R/MWh')
        : t(
            'Prices in c/kWh for peak, standard and off-peak: three of the high-demand season (June to August), then three of the low-demand season',
          ),
      placeholder: isPrice ? '5500' : '700 215 118 230 160 102',
      validate: text => (parsePrices(text, isPrice) ? undefined : describeFormat(isPrice)),
    }),
  );
  const prices = typed === undefined ? undefined : parsePrices(typed, isPrice);
  // The first three are also those of the low-demand season if the user enters no others.
  return prices && { energy, prices: isPrice ? prices : [...prices, ...prices].slice(0, priceCount) };
}

function describeFormat(isPrice: boolean): string {
  return isPrice
    ? t('Enter a number, such as 5500.')
    : t('Enter six numbers with decimal points, separated by spaces, or three that are valid all year.');
}

/** Parses one price, or three or six. Undefined if the text is something else. */
function parsePrices(text: string, isPrice: boolean): readonly number[] | undefined {
  const prices = text
    .trim()
    .split(/[\s;]+/)
    .map(part => (/^\d+(?:\.\d+)?$/.test(part) ? Number(part) : NaN));
  const isValid = prices.every(Number.isFinite) && (isPrice ? [1] : [3, 6]).includes(prices.length);
  return isValid ? prices : undefined;
}

/**
 * Asks for a column of energy or mean power. The last columns come first, since they are those of a joined source. A single column of energy,
 * such as that of a meter beside the power of the grid, is taken without a prompt; the next prompt names it.
 */
async function promptEnergyColumn(title: string, columns: readonly Column[]): Promise<string | undefined> {
  const priced = columns.filter(hasEnergy);
  const [energy, ...others] = priced.filter(({ field }) => unitOf(field).kind === 'energy');
  if (energy && others.length === 0) return energy.name;
  const items = priced.toReversed().map(({ name, field }) => ({ label: name, description: unitOf(field).text }));
  const picked = await showQuickPick(items, { title, placeHolder: t('Select the energy to price') });
  return picked?.label;
}

/** Returns a view with the columns of a preset. If names are in use, all of its columns get a number. Throws InputError if there are too many columns. */
export function addPreset(view: View, { preset, answers }: ChosenPreset, columns: readonly Column[]): View {
  const usedNames = new Set([...columns, ...view.derived].map(({ name }) => name));
  const existing = new Map(view.derived.map(({ name, formula }) => [name, formula]));
  let added = fillPreset(preset, answers, columns);
  const isPresent = added.every(({ name, formula }) => existing.get(name) === formula);
  for (let count = 2; !isPresent && added.some(({ name }) => usedNames.has(name)); count++)
    added = fillPreset(preset, answers, columns, `_${count}`);
  const derived = isPresent ? view.derived : [...view.derived, ...added];
  if (derived.length > derivedLimits.columns)
    throw new InputError(t('A panel can have {0} added columns. Remove some first.', derivedLimits.columns));
  const showsRows = view.tab === 'table' || view.tab === 'split' || view.tab === 'chart';
  const { resample } = preset;
  return { ...view, derived, ...(resample && { resample }), ...(!showsRows && { tab: 'table' }) };
}
