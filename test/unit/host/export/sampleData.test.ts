import assert from 'node:assert/strict';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { dataEngines, dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import { formatNotebook } from '../../../../src/core/snippets/notebook.ts';
import { queryLanguages, querySnippets } from '../../../../src/core/snippets/querySnippets.ts';
import { tableContent, type ExportContent } from '../../../../src/host/export/exportContent.ts';
import { exportFormats, exportProvenances, type ExportOptions } from '../../../../src/shared/exportOptions.ts';
import type { Provenance, Result } from '../../../../src/shared/result.ts';
import { createSnippetQuery } from '../../core/snippets/questions.ts';
import { sast, standard } from '../../service/export/anyFrame.ts';
import { zipText, zipTexts } from '../../service/export/zipText.ts';

const start = Date.parse('2026-05-01T00:00:00Z');
const end = Date.parse('2026-05-01T02:00:00Z');
const provenance: Provenance = {
  connection: 'Sample | Data',
  dataset: 'systemState',
  datasetTitle: 'System state',
  range: 'today',
  start,
  end,
  interval: '1h',
  params: {},
  fetchedAt: end,
  requestsSpent: 1,
  archivedIntervals: 0,
  nextPublication: end,
  rowsOutside: 0,
  incomplete: false,
  meta: { meta: { source: 'synthetic' } },
};
const frame = recordsToFrame([
  { ts: '2026-05-01T00:00:00Z', residual_demand_mw: 20_000 },
  { ts: '2026-05-01T01:00:00Z', residual_demand_mw: 21_000 },
]);

function createContent(options: Partial<ExportOptions>, meta = provenance.meta): ExportContent {
  const result: Result = { frame, bodies: [], coverage: undefined, provenance: { ...provenance, meta } };
  return tableContent({ frame, columns: [0, 1] }, { ...standard, zone: sast, ...options }, result, {});
}

async function writeToBuffer(content: ExportContent): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content.chunks({})) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the readable text of a file; a workbook is unzipped. */
async function readableText(content: ExportContent): Promise<string> {
  const bytes = await writeToBuffer(content);
  return content.extension === 'xlsx' ? zipText(bytes, 'xl/workbook.xml') : bytes.toString();
}

describe('a file of Sample Data', () => {
  for (const format of exportFormats)
    it(`writes SAMPLE DATA into the file, and connection and dates into it or its metadata file: ${format}`, async () => {
      for (const exportProvenance of exportProvenances) {
        const content = createContent({ format, provenance: exportProvenance });
        assert.match(await readableText(content), /SAMPLE DATA/, exportProvenance);
        const all = `${(await writeToBuffer(content)).toString()}${content.sidecar ?? ''}`.replaceAll('\\', '');
        const visibleText = format === 'xlsx' ? zipText(await writeToBuffer(content), 'xl/worksheets/sheet1.xml') : all;
        for (const fact of ['Sample | Data', '2026-05-01T00:00:00Z', '2026-05-01T02:00:00Z'])
          assert.ok(visibleText.includes(fact), `${fact} with ${exportProvenance}`);
      }
    });

  it('leaves the other columns and rows of Sample Data unchanged', async () => {
    assert.equal(
      (await writeToBuffer(createContent({ format: 'csv' }))).toString(),
      [
        'ts,residual_demand_mw,SAMPLE DATA',
        '2026-05-01T00:00:00Z,20000,true',
        '2026-05-01T01:00:00Z,21000,true',
        '',
      ].join('\r\n'),
    );
    const [record] = JSON.parse((await writeToBuffer(createContent({ format: 'json' }))).toString()) as unknown[];
    assert.deepEqual(record, { ts: '2026-05-01T00:00:00Z', residual_demand_mw: 20_000, 'SAMPLE DATA': true });
    const workbook = await readableText(createContent({ format: 'xlsx' }));
    assert.deepEqual(workbook.match(/(?<=<sheet [^>]*name=")[^"]+/g), ['SAMPLE DATA', 'Provenance']);
    assert.match(
      (await writeToBuffer(createContent({ format: 'markdown' }))).toString(),
      /^\*\*SAMPLE DATA \(synthetic\) · Sample \\\| Data · 2026-05-01T00:00:00Z to 2026-05-01T02:00:00Z\*\*\n\n\| ts \|/,
    );
  });

  it('distinguishes Sample Data from data of a measuring service', async () => {
    for (const format of exportFormats)
      for (const exportProvenance of exportProvenances) {
        const content = createContent({ format, provenance: exportProvenance }, { meta: { source: 'scada' } });
        const bytes = await writeToBuffer(content);
        const text = format === 'xlsx' ? zipTexts(bytes) : bytes.toString();
        assert.doesNotMatch(text + (content.sidecar ?? ''), /SAMPLE DATA/, format);
      }
    assert.equal(createContent({ format: 'json' }, {}).sidecar, undefined);
  });
});

describe('the metadata file of an export', () => {
  it('writes no metadata file for Parquet and Arrow, which contain the provenance and are read as folders', () => {
    for (const meta of [provenance.meta, {}])
      for (const format of exportFormats) {
        const hasSidecar = createContent({ format, provenance: 'sidecar' }, meta).sidecar !== undefined;
        assert.equal(hasSidecar, format !== 'parquet' && format !== 'arrow', format);
      }
  });
});

describe('code for Sample Data', () => {
  it('starts code with a comment that names Sample Data, in each language and for each file', () => {
    const mark = /^(?:.*\n)?(?:#|--|\/\/) SAMPLE DATA: no grid was measured\.\n/;
    const query = createSnippetQuery('http://127.0.0.1:1');
    for (const language of queryLanguages) {
      assert.match(
        querySnippets[language].write({ ...query, sample: 'SAMPLE DATA: no grid was measured.' }),
        mark,
        language,
      );
      assert.doesNotMatch(querySnippets[language].write(query), /SAMPLE DATA/, language);
    }
    const readByCode = exportFormats.filter(format => createContent({ format }).data);
    assert.deepEqual(
      readByCode,
      exportFormats.filter(format => format !== 'markdown'),
    );
    for (const format of readByCode) {
      const { data } = createContent({ format });
      assert.ok(data);
      for (const engine of dataEngines)
        assert.match(dataSnippets[engine].write({ ...data, path: 'x' }), mark, `${engine} of ${format}`);
      assert.match(
        formatNotebook({ ...data, path: 'x' }, 'x', 'x'),
        /# x\\n",\s*"\\n",\s*"SAMPLE DATA: no grid was measured\./,
      );
    }
  });
});
