import { t } from '@vscode/l10n';
import type { Frame, NumberColumn } from '../../shared/frame.ts';
import { grossImportsField, windAndPvFields } from '../../core/frame/chartColumns.ts';
import { getMixColumns, mixColumnNames, mixFieldTexts } from '../../core/frame/mixColumns.ts';
import { translateColumn, translate } from '../translate.ts';

/** The generation mix of a frame. */
export interface Mix {
  /** The parts of the stack, bottom first. */
  readonly parts: readonly NumberColumn[];
  /** The name of the part that is generated but not published separately; it is hatched. */
  readonly unpublishedName: string | undefined;
  /** The same part including its contradictory negative values, which `parts` omits. */
  readonly remainder: NumberColumn | undefined;
  /** The demand that the stack serves, drawn as a line over it. */
  readonly demand: NumberColumn | undefined;
  /** The name of the sum of the visible parts. */
  readonly totalLabel: string;
  /** Explains what the stack includes and omits. */
  readonly caption: string;
}

/**
 * Computes the mix from the columns of the frame: the published sources; other renewables = total renewable − wind − PV; not published = total
 * generation (total renewable ÷ renewable share) − all of these; net import. Over them total demand = residual demand + total
 * renewable, or only residual demand if no renewable part is visible. All are MW, one value per row. `hidden` lists the parts that are switched off.
 */
export function createMix(frame: Frame, hidden: readonly string[]): Mix {
  const { sources, remainder, unpublished, renewables, imported, residualDemand, totalDemand } = getMixColumns(frame);
  const parts = [...sources, ...(unpublished ? [unpublished] : []), ...renewables, ...(imported ? [imported] : [])].map(
    translateColumn,
  );
  const isVisible = ({ name }: NumberColumn): boolean => !hidden.includes(name);
  // Residual demand over a stack with renewables would look like a surplus of generation.
  const demand = renewables.some(isVisible) ? totalDemand : residualDemand;
  // If wind or PV has no values, the renewable part is incomplete.
  const isComplete = unpublished !== undefined && renewables.length > windAndPvFields.length && parts.every(isVisible);
  return {
    parts,
    unpublishedName: unpublished?.name,
    remainder: remainder && translateColumn(remainder),
    demand: demand && translateColumn(demand),
    totalLabel: isComplete ? formatTotalLabel(imported?.name) : t('Sum of the values shown'),
    caption: createMixCaption(
      unpublished !== undefined,
      renewables.some(({ name }) => name === mixColumnNames.otherRenewable),
      demand && (demand === totalDemand ? 'total' : 'residual'),
    ),
  };
}

/** Names the sum of all sources and, if there is a column of imports, of these. */
function formatTotalLabel(imports: string | undefined): string {
  if (imports === undefined) return translate(mixFieldTexts.generation.label);
  return translate(
    (imports === grossImportsField ? mixFieldTexts.generationAndGrossImport : mixFieldTexts.generationAndImport).label,
  );
}

function createMixCaption(
  hasUnpublished: boolean,
  hasOtherRenewables: boolean,
  demand: 'total' | 'residual' | undefined,
): string {
  const stackSentence = hasUnpublished
    ? t(
        'Not published (hatched) is total generation (total renewable ÷ renewable share) less the other sources. It is accurate to a few MW, since the share is rounded.',
      )
    : t(
        'Only sources that are published individually; without pumped storage and gas turbines of independent producers.',
      );
  const otherRenewablesSentence = hasOtherRenewables
    ? t('Other renewables is total renewable less wind and PV: concentrated solar, biomass, landfill gas and others.')
    : '';
  const demandSentences = {
    total: t(
      'Total demand is residual demand plus total renewable. It includes shed load, so it may exceed generation.',
    ),
    residual: t('Residual demand is the demand left to sources that are not renewable. It includes shed load.'),
  };
  return [stackSentence, otherRenewablesSentence, demand ? demandSentences[demand] : ''].filter(Boolean).join(' ');
}
