import { t } from '@vscode/l10n';
import { fillPreset, listPresets, type Preset, type PresetAnswers } from '../../core/pack/presets.ts';
import { derivedLimits, type DerivedColumn } from '../../shared/derivedColumns.ts';
import type { Column } from '../../shared/frame.ts';
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
}

/**
 * Asks for a preset and for what its formulas need. `canJoin`: whether other columns can be joined to these. Undefined if the user cancels.
 * Throws InputError if there is no preset for these columns.
 */
export async function promptPreset(columns: readonly Column[], canJoin: boolean): Promise<ChosenPreset | undefined> {
  const presets = listPresets(columns).filter(({ joinsInstalledCapacity }) => canJoin || !joinsInstalledCapacity);
  if (presets.length === 0) throw new UnavailableError(t('There is no preset for these columns.'));
  const picked = await showQuickPick(
    presets.map(preset => ({
      label: translateCatalogueText(preset.label),
      description: translateCatalogueText(preset.description),
      ...(preset.source !== '' && { detail: t('Source: {0}', preset.source) }),
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
  return answers && { preset, answers };
}

async function promptAnswers(
  { label, asks = [] }: Preset,
  columns: readonly Column[],
): Promise<PresetAnswers | undefined> {
  const title = translateCatalogueText(label);
  const energy = asks.includes('energy') ? await promptEnergyColumn(title, columns) : undefined;
  if (asks.includes('energy') && energy === undefined) return undefined;
  const priceTitle = energy === undefined ? title : `${title} · ${energy}`;
  const isPrice = asks.includes('price');
  if (!isPrice && !asks.includes('tariffPrices')) return { ...(energy !== undefined && { energy }) };
  const typed = await runStep(priceTitle, async position =>
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
  if (!prices) return undefined;
  const [a = NaN, b = NaN, c = NaN, d = a, e = b, f = c] = prices;
  return {
    ...(energy !== undefined && { energy }),
    ...(isPrice ? { price: a } : { tariffPrices: [a, b, c, d, e, f] }),
  };
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
  const priced = columns.filter(({ kind, field }) => {
    const unit = unitOf(field);
    return kind === 'number' && !unit.difference && (unit.kind === 'energy' || unit.mwhPerHour !== undefined);
  });
  const [energy, ...others] = priced.filter(({ field }) => unitOf(field).kind === 'energy');
  if (energy && others.length === 0) return energy.name;
  if (priced.length === 0)
    throw new InputError(
      t(
        "No column is energy or power. Give one a unit by Add Column, such as 'meter * 1 kWh', and use its formula for the cost.",
      ),
    );
  const items = priced.toReversed().map(({ name, field }) => ({ label: name, description: unitOf(field).text }));
  const picked = await showQuickPick(items, { title, placeHolder: t('Select the energy to price') });
  return picked?.label;
}

/** Returns a view with the columns of a preset. If names are in use, all of its columns get a number. Throws InputError if there are too many columns. */
export function addPreset(view: View, { preset, answers }: ChosenPreset, names: readonly string[]): View {
  const usedNames = new Set([...names, ...view.derived.map(({ name }) => name)]);
  const fill = (suffix: string): readonly DerivedColumn[] => fillPreset(preset, answers, name => `${name}${suffix}`);
  const existing = new Map(view.derived.map(({ name, formula }) => [name, formula]));
  let added = fill('');
  const isPresent = added.every(({ name, formula }) => existing.get(name) === formula);
  for (let count = 2; !isPresent && added.some(({ name }) => usedNames.has(name)); count++) added = fill(`_${count}`);
  const derived = isPresent ? view.derived : [...view.derived, ...added];
  if (derived.length > derivedLimits.columns)
    throw new InputError(t('A panel can have {0} added columns. Remove some first.', derivedLimits.columns));
  const showsRows = view.tab === 'table' || view.tab === 'split' || view.tab === 'chart';
  const { resample } = preset;
  return { ...view, derived, ...(resample && { resample }), ...(!showsRows && { tab: 'table' }) };
}
