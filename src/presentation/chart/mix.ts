import { t } from '@vscode/l10n';
import type { Frame, NumberColumn } from '../../shared/frame.ts';
import { grossImportsField, windAndPvFields } from '../../core/frame/chartColumns.ts';
import { getMixColumns, mixColumnNames, mixFieldTexts } from '../../core/frame/mixColumns.ts';
import { columnInWords, say } from '../translate.ts';

/** The generation mix of a frame. */
export interface Mix {
  /** The parts of the stack, bottom first. */
  readonly parts: readonly NumberColumn[];
  /** The name of the part that is generated but not published separately; it is hatched. */
  readonly unpublished: string | undefined;
  /** The same part including its contradictory negative values, which `parts` omits. */
  readonly remainder: NumberColumn | undefined;
  /** The demand that the stack serves, drawn as a line over it. */
  readonly over: NumberColumn | undefined;
  /** The name of the sum of the visible parts. */
  readonly total: string;
  /** Explains what the stack includes and omits. */
  readonly caption: string;
}

/**
 * Computes the mix from the columns of the frame: the published sources; other renewables = total renewable − wind − PV; not published = total
 * generation (total renewable ÷ renewable share) − all of these; net import. Over them total demand = residual demand + total
 * renewable, or residual demand alone where no renewable part is shown. All are MW, one value per row. `hidden` lists the parts that are switched off.
 */
export function mixOf(frame: Frame, hidden: readonly string[]): Mix {
  const { sources, remainder, unpublished, renewables, imported, residualDemand, totalDemand } = getMixColumns(frame);
  const parts = [...sources, ...(unpublished ? [unpublished] : []), ...renewables, ...(imported ? [imported] : [])].map(
    columnInWords,
  );
  const isShown = ({ name }: NumberColumn): boolean => !hidden.includes(name);
  // Residual demand over a stack with renewables would look like a surplus of generation.
  const over = renewables.some(isShown) ? totalDemand : residualDemand;
  // If wind or PV has no values, the renewable part is incomplete.
  const isWhole = unpublished !== undefined && renewables.length > windAndPvFields.length && parts.every(isShown);
  return {
    parts,
    unpublished: unpublished?.name,
    remainder: remainder && columnInWords(remainder),
    over: over && columnInWords(over),
    total: isWhole ? totalName(imported?.name) : t('Sum of the values shown'),
    caption: captionOf(
      unpublished !== undefined,
      renewables.some(({ name }) => name === mixColumnNames.otherRenewable),
      over && (over === totalDemand ? 'total' : 'residual'),
    ),
  };
}

/** Names the sum of all sources and, if there is a column of imports, of these. */
function totalName(imports: string | undefined): string {
  if (imports === undefined) return say(mixFieldTexts.generation.label);
  return say(
    (imports === grossImportsField ? mixFieldTexts.generationAndGrossImport : mixFieldTexts.generationAndImport).label,
  );
}

function captionOf(isWhole: boolean, hasOther: boolean, over: 'total' | 'residual' | undefined): string {
  const inIt = isWhole
    ? t(
        'Not published (hatched) is total generation (total renewable ÷ renewable share) less the other sources. It is accurate to a few MW, since the share is rounded.',
      )
    : t(
        'Only sources that are published individually; without pumped storage and gas turbines of independent producers.',
      );
  const other = hasOther
    ? t('Other renewables is total renewable less wind and PV: concentrated solar, biomass, landfill gas and others.')
    : '';
  const lines = {
    total: t(
      'Total demand is residual demand plus total renewable. It includes shed load, so it may exceed generation.',
    ),
    residual: t('Residual demand is the demand left to sources that are not renewable. It includes shed load.'),
  };
  return [inIt, other, over ? lines[over] : ''].filter(Boolean).join(' ');
}
