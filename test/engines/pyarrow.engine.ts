import type { DataForm } from '../../src/core/snippets/dataFile.ts';
import { readBy } from './dataFiles.ts';
import type { Engine } from './engine.ts';

/** Readers that no copied program names, with the path of the data in `path`. */
const readers: Readonly<Partial<Record<DataForm, string>>> = {
  parquet: 'import pyarrow.parquet as parquet\nrecords = parquet.read_table(path).to_pylist()',
  arrow: 'import pyarrow.feather as feather\nrecords = feather.read_table(path).to_pylist()',
  // By itself it has only the columns of the first file.
  hive: `import pyarrow
import pyarrow.dataset as dataset
found = dataset.dataset(path, partitioning="hive")
schema = pyarrow.unify_schemas([fragment.physical_schema for fragment in found.get_fragments()])
records = found.replace_schema(schema).to_table().to_pylist()`,
  xlsx: `from openpyxl import load_workbook
heading, *rows = load_workbook(path, read_only=True).active.values
records = [dict(zip(heading, row)) for row in rows]`,
};

/** pyarrow reads its own formats, openpyxl Excel's. */
export const engine: Engine = {
  run: machine =>
    readBy(({ data: { form, path } }) => {
      const reader = readers[form];
      return reader === undefined ? undefined : { kind: 'records', code: `path = ${JSON.stringify(path)}\n${reader}` };
    }, machine),
};
