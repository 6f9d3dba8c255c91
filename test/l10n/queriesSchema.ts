import { toJsonSchema } from '@valibot/to-json-schema';
import { panelAnalysisObjectSchema } from '../../src/core/analysis/analysisSchema.ts';
import { datasets, getMembers, queriedDatasets, type QueriedDataset } from '../../src/core/query/catalogue.ts';
import { keyNamePattern } from '../../src/core/savedQueries/keyLike.ts';
import { maxNoteLength } from '../../src/core/savedQueries/savedItem.ts';
import { maxAlertRows } from '../../src/core/watch/alert.ts';
import { derivedLimits } from '../../src/shared/derivedColumns.ts';
import { displaySchema } from './displaySchema.ts';

const ranges = [
  'last 24 hours',
  'last 7 days',
  'last 30 days',
  'today',
  'yesterday',
  'this week',
  'last week',
  'month to date',
  'last month',
  'last quarter',
  'quarter to date',
  'year to date',
  '2023-05',
  '2023-Q1',
  '2023-H1',
  '2023-W05',
  '2023-01..2023-03',
  '2023-01-01T00:00Z..2023-01-08T00:00Z',
];

/** Creates the JSON schema of queries files from the catalogue. The editor uses it for completion and descriptions. */
export function createQueriesSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Saved queries of Grid Data Inspector',
    description: 'Queries that everyone who opens this folder can run. This file is shared: never put keys in it.',
    type: 'object',
    allowComments: true,
    allowTrailingCommas: true,
    required: ['queries'],
    properties: {
      $schema: { type: 'string' },
      queries: {
        $ref: '#/definitions/entries',
        description: 'Queries and folders, in display order.',
      },
    },
    patternProperties: keyLikeNames,
    additionalProperties: false,
    definitions: {
      entries: {
        type: 'array',
        items: { $ref: '#/definitions/entry' },
        defaultSnippets: [querySnippet, folderSnippet],
      },
      entry: {
        type: 'object',
        if: { anyOf: [{ required: ['folder'] }, { required: ['queries'] }] },
        then: { $ref: '#/definitions/folder' },
        else: { $ref: '#/definitions/query' },
        defaultSnippets: [querySnippet, folderSnippet],
      },
      folder: folderSchema,
      query: createQuerySchema(),
      alert: createAlertSchema(),
      analysis: createAnalysisSchema(),
      display: displaySchema,
      boardGroups,
    },
  };
}

const querySnippet = {
  label: 'Query',
  description: 'New query',
  body: {
    name: '${1:Name}',
    dataset: `\${2|${queriedDatasets.map(({ id }) => id).join(',')}|}`,
    range: '${3:last 24 hours}',
    interval: '${4:1h}',
  },
};

const folderSnippet = { label: 'Folder', description: 'New folder', body: { folder: '${1:Name}', queries: ['$2'] } };

/** The id of an item. It has no type here, because the extension checks that it is valid and unique. */
const id = {
  description: 'Set by the extension to identify a query when its name changes. Omit it in new queries.',
};

/** Allows names that look like keys. The extension reports them, and a second problem for the same mistake would be confusing. */
const keyLikeNames = { [ignoreCase(keyNamePattern.source)]: {} };

/** Makes a pattern case-insensitive. JSON schemas have no flag for it. */
function ignoreCase(pattern: string): string {
  return pattern.replace(/\[[a-z]+\]|[a-z]/g, part => {
    const letters = part.replace(/[[\]]/g, '');
    return `[${letters.toUpperCase()}${letters}]`;
  });
}

const boardGroups = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      size: { type: 'number', exclusiveMinimum: 0, description: 'The size of the group relative to the others.' },
      groups: {
        $ref: '#/definitions/boardGroups',
        description: 'Nested groups, laid out in the other direction.',
      },
      queries: {
        type: 'array',
        items: { type: 'string' },
        description: 'The ids of the queries that are shown here, each in a tab.',
      },
    },
  },
};

const folderSchema = {
  type: 'object',
  required: ['folder'],
  properties: {
    folder: { type: 'string', description: 'The name of the folder.' },
    note: {
      type: 'string',
      maxLength: maxNoteLength,
      description: "A note shown at the start of the folder's report.",
    },
    board: {
      description: "The layout of the folder's views when it is opened as a board. 'Save Board Layout' writes it.",
      properties: {
        orientation: { enum: [0, 1], description: '0 for groups side by side, 1 for groups stacked vertically.' },
        groups: { $ref: '#/definitions/boardGroups' },
      },
    },
    id,
    queries: {
      $ref: '#/definitions/entries',
      description: 'The contents of the folder, in display order.',
    },
  },
  patternProperties: keyLikeNames,
  additionalProperties: false,
};

function createQuerySchema(): object {
  return {
    type: 'object',
    required: ['name', 'dataset', 'range'],
    properties: {
      name: { type: 'string', description: 'The name of the query. Free text.' },
      dataset: {
        enum: queriedDatasets.map(dataset => dataset.id),
        enumDescriptions: queriedDatasets.map(describeDataset),
        description: 'The dataset to query.',
      },
      range: {
        type: 'string',
        description:
          'A time range. A relative range such as "last 7 days" is resolved on each run. Periods include their last interval; an instant at the end is exclusive.',
        examples: ranges,
      },
      timeZone: {
        type: 'string',
        default: 'UTC',
        description:
          'The time zone of the days and months in the range: UTC, SAST or a name such as Europe/Berlin. It applies to everyone who runs the query.',
        examples: ['UTC', 'SAST', 'Europe/Berlin'],
      },
      interval: {
        type: 'string',
        description:
          'The interval of the rows. Defaults to the first interval of the dataset. "1d" returns the daily values of the service, in UTC. "1d@SAST" and "1d@Europe/Berlin" return days of that zone, calculated from hours.',
        examples: [...new Set(datasets.flatMap(({ intervals }) => intervals)), '1d@SAST'],
      },
      params: {
        type: 'object',
        description: 'Extra query parameters, name to value. Never a key.',
        patternProperties: keyLikeNames,
        additionalProperties: { type: ['string', 'number', 'boolean'] },
      },
      connection: {
        type: 'string',
        description:
          'The name of a connection. Defaults to the active connection. If the name is unknown, you can select a connection.',
      },
      keepFresh: {
        type: 'boolean',
        default: false,
        description: 'Refreshes the query once an hour, just after publication, while VS Code is open.',
      },
      alerts: {
        type: 'array',
        items: { $ref: '#/definitions/alert' },
        description: 'The alerts of the query. They require "keepFresh".',
      },
      note: {
        type: 'string',
        maxLength: maxNoteLength,
        description: "A note shown in the query's section of a report.",
      },
      analysis: {
        $ref: '#/definitions/analysis',
        description: 'The analysis applied to the rows when the query is opened.',
      },
      display: { $ref: '#/definitions/display', description: 'Display options.' },
      id,
    },
    patternProperties: keyLikeNames,
    additionalProperties: false,
    allOf: queriedDatasets.map(createDatasetCondition),
  };
}

/** Creates the schema of an analysis from the schema with which the extension validates it, and adds descriptions. */
function createAnalysisSchema(): object {
  const { properties = {} } = toJsonSchema(panelAnalysisObjectSchema, { errorMode: 'ignore' });
  const describedProperties = Object.entries(properties).map(([part, form]) => {
    const description = analysisParts[part as keyof typeof analysisParts];
    return [part, { ...(form as object), description }];
  });
  const tableKinds = ['resample', 'find', 'score'];
  const conflicts = tableKinds.map(part => ({ required: tableKinds.filter(otherKind => otherKind !== part) }));
  return {
    type: 'object',
    properties: Object.fromEntries(describedProperties) as object,
    additionalProperties: false,
    not: { anyOf: conflicts },
  };
}

const analysisParts = {
  derive: 'Columns that are added in this order, by formulas such as "wind_mw + pv_mw" or "mean(wind_mw, 24h)".',
  where: 'Filters as typed in the panel, by column: { "wind_mw": ">2000", "ts": "Mon-Fri 17:00-20:00" }.',
  compare: 'The period to compare the rows with: relative to their range, or a range as text.',
  resample: 'The period or grouping of the resampled rows, in the displayed time zone.',
  figures: 'The figures of each column in the resampled rows. Defaults to all.',
  find: 'The events to search for.',
  score: 'The forecast to score, and the method.',
  missing: 'Whether the table has rows for intervals without data.',
  summarize: 'Statistics of each column instead of the rows.',
  sort: 'The columns to sort by, in order of priority. Use the column names of the service.',
} as const;

function describeDataset(dataset: QueriedDataset): string {
  const paths = getMembers(dataset).map(({ path }) => path);
  return `${dataset.title} (${paths.join(', ')})`;
}

/** Creates a condition by which the editor suggests the intervals and parameters of one dataset. */
function createDatasetCondition({ id: dataset, intervals, params }: QueriedDataset): object {
  const paramProperties = params.map(({ name, value, meaning }) => [name, { description: meaning, examples: [value] }]);
  return {
    if: { properties: { dataset: { const: dataset } }, required: ['dataset'] },
    then: {
      properties: {
        interval: { examples: [...intervals, '1d@SAST'], default: intervals[0] },
        params: { properties: Object.fromEntries(paramProperties) as Record<string, unknown> },
      },
    },
  };
}

function createAlertSchema(): object {
  const common = {
    on: { type: 'boolean', default: true, description: 'Whether the alert is on.' },
    snoozedUntil: {
      type: 'string',
      format: 'date-time',
      description: 'The alert ignores hours that end at or before this time.',
    },
    id: { type: 'string', description: 'Set by the extension.' },
  };
  const alert = (kind: string, required: readonly string[], kindProperties: Record<string, object>): object => ({
    properties: { kind: { const: kind }, ...kindProperties, ...common },
    required: ['kind', ...required],
    additionalProperties: false,
  });
  return {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: {
        enum: ['condition', 'late'],
        enumDescriptions: ['A formula is true for an hour.', 'The service reports that its data is delayed.'],
      },
    },
    oneOf: [
      alert('condition', ['condition'], {
        condition: {
          type: 'string',
          minLength: 1,
          maxLength: derivedLimits.formula,
          examples: [
            'residual_demand_mw > 28000',
            'mean(residual_demand_mw, 3h) > 28000',
            'value >= 0.6',
            'residual_demand_mw - residual_forecast_mw > 500',
          ],
          description:
            'A formula that is true or false in each row. It can use the columns of the query and its derived columns.',
        },
        rows: {
          type: 'integer',
          minimum: 1,
          maximum: maxAlertRows,
          default: 1,
          description: 'The number of consecutive rows in which the condition must be true.',
        },
      }),
      alert('late', [], {}),
    ],
  };
}
