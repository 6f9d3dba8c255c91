import { escapeMarkdown } from '../export/markdown.ts';
import { describeData, createPandasReader, type DataFile, formatFirstLook, selectValueColumn } from './dataFile.ts';
import { cleanComment, quoteForPython } from './quote.ts';

/**
 * Returns a notebook (nbformat 4.5) that reads data with pandas and plots it, without a key or a request. `path` is the path of the
 * data, relative to the notebook's folder.
 */
export function formatNotebook(data: DataFile, path: string, title: string): string {
  const { needs, imports, lines } = createPandasReader({ ...data, path });
  const time = data.timeColumn === undefined ? undefined : quoteForPython(data.timeColumn);
  const cells = [
    { id: 'about', source: `# ${toMarkdown(title)}\n\n${toMarkdown(describeData(data).join(' '))}` },
    { id: 'install', code: `# %pip install ${[...needs, 'matplotlib'].join(' ')}` },
    {
      id: 'read',
      code: [
        ...imports,
        '',
        ...lines,
        ...(time ? [`frame = frame.set_index(${time}).sort_index()`] : []),
        'frame',
      ].join('\n'),
    },
    {
      id: 'plot',
      code: [
        'import matplotlib.pyplot as plt',
        '',
        selectValueColumn(data, 'frame.select_dtypes("number").columns[0]'),
        ...(time
          ? [
              `shown = frame.tz_convert(${quoteForPython(data.timeZone)})`,
              `axes = shown[value].plot(figsize=(11, 4), title=value, xlabel=${quoteForPython(data.timeZone)})`,
            ]
          : ['axes = frame[value].plot(figsize=(11, 4), title=value)']),
        'axes.grid(alpha=0.3)',
        'plt.show()',
      ].join('\n'),
    },
    { id: 'hours', code: formatFirstLook(data) },
  ];
  const notebook = {
    cells: cells.map(cell =>
      'code' in cell
        ? {
            cell_type: 'code',
            execution_count: null,
            id: cell.id,
            metadata: {},
            outputs: [],
            source: splitLines(cell.code),
          }
        : { cell_type: 'markdown', id: cell.id, metadata: {}, source: splitLines(cell.source) },
    ),
    metadata: {
      kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
      language_info: { name: 'python' },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, undefined, 1)}\n`;
}

/** Splits a text into lines that keep their line ends. */
function splitLines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function toMarkdown(text: string): string {
  return escapeMarkdown(cleanComment(text));
}
