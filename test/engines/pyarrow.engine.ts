import type { DataForm } from '../../src/core/snippets/dataFile.ts';
import { readWith } from './dataFiles.ts';
import type { Engine } from './engine.ts';

/** Readers that the extension's snippets do not use; `path` has the path of the data. */
const readers: Readonly<Partial<Record<DataForm, string>>> = {
  parquet: 'import pyarrow.parquet as parquet\nrecords = parquet.read_table(path).to_pylist()',
  arrow: 'import pyarrow.feather as feather\nrecords = feather.read_table(path).to_pylist()',
  // By default the dataset has only the columns of the first file.
  hive: `import pyarrow
import pyarrow.dataset as dataset
found = dataset.dataset(path, partitioning="hive")
schema = pyarrow.unify_schemas([fragment.physical_schema for fragment in found.get_fragments()])
records = found.replace_schema(schema).to_table().to_pylist()`,
  xlsx: `from openpyxl import load_workbook
heading, *rows = load_workbook(path, read_only=True).active.values
records = [dict(zip(heading, row)) for row in rows]`,
};

/** Reads Parquet and Arrow with pyarrow, and Excel files with openpyxl. */
export const engine: Engine = {
  run: machine =>
    readWith(({ data: { form, path } }) => {
      const reader = readers[form];
      return reader === undefined ? undefined : { kind: 'records', code: `path = ${JSON.stringify(path)}\n${reader}` };
    }, machine),
};
