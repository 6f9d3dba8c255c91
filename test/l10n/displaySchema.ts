import { eventBands, eventChoices, maxRampHours } from '../../src/shared/eventSearch.ts';
import { maxTitleLength } from '../../src/presentation/chart/chartModel.ts';
import { numberStyles } from '../../src/shared/formatNumber.ts';
import { initialView, resultTabs } from '../../src/shared/view.ts';
import { scoreGroupings } from '../../src/shared/scorecard.ts';
import { initialSummaryFigures, summaryFigures } from '../../src/shared/summaryFigures.ts';

const text = { type: 'string' };
const names = { type: 'array', items: text };
const sort = {
  type: 'array',
  items: {
    type: 'object',
    required: ['column', 'descending'],
    properties: { column: text, descending: { type: 'boolean' } },
  },
  description: 'The columns to sort by, in order of priority. Use the column names of the service.',
};
const arrangement = {
  type: 'object',
  required: ['order', 'hidden', 'widths', 'frozen'],
  properties: {
    order: { ...names, description: 'Columns in the order shown. Others follow at the end.' },
    hidden: { ...names, description: 'Columns that are hidden.' },
    widths: {
      type: 'object',
      additionalProperties: { type: 'number' },
      description: 'Widths in pixels, by column. Others fit their content.',
    },
    frozen: { type: 'integer', minimum: 0, description: 'Number of columns frozen on the left.' },
    scaled: { ...names, description: 'Columns whose cells are colored by value.' },
  },
  description: 'Order, widths and visibility of the columns.',
};
const createFlag = (initial: boolean, description: string): object => ({
  type: 'boolean',
  default: initial,
  description,
});

/** The JSON schema of a saved display. It has no type and allows other properties, since the extension itself reports what it ignores, and preserves properties of other versions. */
export const displaySchema = {
  properties: {
    tab: { enum: resultTabs, default: initialView.tab, description: 'The tab that is open.' },
    zone: {
      ...text,
      examples: ['Africa/Johannesburg', 'UTC', 'Europe/Berlin'],
      description: 'The time zone shown, an IANA name. Defaults to that of the settings.',
    },
    arrangement,
    chart: {
      type: 'object',
      properties: {
        mode: {
          ...text,
          examples: ['lines', 'mix', 'stress', 'ramps', 'heatmap', 'overlay', 'duration', 'scatter', 'error'],
          description: 'The kind of chart.',
        },
        columns: { ...names, description: 'Columns that are drawn, where the kind of chart has a choice.' },
        hidden: { ...names, description: 'Columns that are switched off in the legend.' },
        picked: {
          type: 'object',
          additionalProperties: text,
          description: 'Chart options other than columns, such as axes and scales, as the panel saves them.',
        },
        asTable: { const: true, description: 'Shows the numbers instead of the plot.' },
        title: { type: 'string', maxLength: maxTitleLength, description: "A title that replaces the result's title." },
        limit: {
          type: 'object',
          required: ['value', 'unit'],
          properties: { value: { type: 'number' }, unit: { type: 'string', examples: ['MW', 'MWh', 'GWh', '%'] } },
          description: 'A value marked by a line, if the left axis has its unit.',
        },
      },
      description: 'Chart options.',
    },
    split: {
      type: 'number',
      minimum: 0.2,
      maximum: 0.8,
      default: initialView.split,
      description: "The chart's share of the split view.",
    },
    numbers: { enum: numberStyles, default: initialView.numbers, description: 'The number format.' },
    intervalEnd: createFlag(initialView.intervalEnd, 'Whether the end of each interval is a column.'),
    hints: createFlag(
      initialView.hints,
      'Whether cells have hints: the band of a stress index, and which gaps are null.',
    ),
    summaries: createFlag(initialView.summaries, 'Whether headers have a histogram and the number of gaps.'),
    linked: createFlag(initialView.linked, 'Whether the table is limited to the range of the chart.'),
    figures: {
      type: 'array',
      items: { enum: summaryFigures },
      default: initialSummaryFigures,
      description: 'The figures of each column in the statistics.',
    },
    selectedColumn: { ...text, description: 'The column whose statistics are shown in full.' },
    forecast: {
      type: 'object',
      properties: {
        actual: { ...text, description: 'The column with the actual values.' },
        forecast: { ...text, description: 'The column with the forecast, in the same unit.' },
        by: { enum: scoreGroupings, description: 'The grouping of the hours.' },
      },
      description: 'The forecast to score, and the method.',
    },
    events: {
      type: 'object',
      properties: {
        kind: { enum: eventChoices, description: 'The definition of an event.' },
        column: { ...text, description: 'The column that is searched.' },
        value: { ...text, description: 'The value of ramps and of runs over or under it, as typed.' },
        hours: { type: 'integer', minimum: 1, maximum: maxRampHours, description: 'The length of a ramp.' },
        band: { enum: eventBands, description: 'The lowest stress band that counts.' },
      },
      description: 'The events to search for.',
    },
    tables: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { sort, arrangement } },
      description: 'Sort order and columns of the tables in other tabs, by tab.',
    },
  },
};
