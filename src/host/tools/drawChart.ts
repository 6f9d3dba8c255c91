import { listComparedPairs } from '../../core/compare/compareFrames.ts';
import { getIntervalMs } from '../../core/query/catalogue.ts';
import { formatDataMark } from '../../core/query/serviceMeta.ts';
import { listAvailableModes } from '../../presentation/chart/chartModes.ts';
import { parseChartOptions } from '../../presentation/chart/chartOptions.ts';
import { createPaperPicture } from '../../presentation/chart/savedPicture.ts';
import type { ChartKind } from '../../shared/chartKinds.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import { InputError } from '../inputError.ts';
import { displayLocale } from '../language.ts';
import { localizeFrame } from '../messages/catalogue.ts';
import { minCoverage } from '../settings.ts';

/** The chart that a language model requests. */
interface ChartRequest {
  readonly kind: ChartKind;
  /** The columns to draw, if the kind of chart has a choice; the default columns if left out. */
  readonly fields?: readonly string[] | undefined;
  readonly title: string;
  readonly connection: string;
  readonly zone: DisplayZone;
  readonly isResampled: boolean;
}

/** Draws the rows of a result as an SVG document. Throws InputError with the available kinds if the rows cannot have this one. */
export function drawChart(
  { frame, coverage, provenance }: Result,
  { kind, fields, title, connection, zone, isResampled }: ChartRequest,
): string {
  const modes = frame ? listAvailableModes(frame) : [];
  const mode = modes.find(({ id }) => id === kind);
  if (!frame || !mode) {
    const ids = modes.map(({ id }) => id).join(', ');
    const others = ids ? `Use ${ids}.` : 'A chart needs rows with a time and numbers.';
    throw new InputError(`These rows have no chart '${kind}'. ${others}`);
  }
  const model = {
    frame: localizeFrame(frame),
    locale: displayLocale(),
    zone,
    intervalMs: isResampled ? undefined : getIntervalMs(provenance.interval),
    ...(!isResampled && { start: provenance.start, coverage }),
    minCoverage: minCoverage(),
    isResampled,
    compared: listComparedPairs(frame),
    title,
    origin: { connection, mark: formatDataMark(provenance) ?? '' },
  };
  const choosable = mode.listSelectableColumns?.(frame) ?? [];
  const columns = choosable.map(({ name }) => name).filter(name => fields?.includes(name));
  const options = parseChartOptions({ mode: kind, ...(columns.length > 0 && { columns }) }, frame);
  const picture = createPaperPicture(model, options);
  if (!picture) throw new InputError(`These rows have no values to draw as '${kind}'.`);
  return picture.svg;
}
