import { writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { formatNotebook } from '../../src/core/snippets/notebook.ts';
import { readWith } from './dataFiles.ts';
import type { Engine } from './engine.ts';

/** Python code that runs a notebook in a separate kernel, and asserts that it ends without an error and draws a picture. */
const execute = `
import nbformat
import pandas as pd
from nbclient import NotebookClient

notebook = nbformat.read(path, 4)
notebook.cells.append(nbformat.v4.new_code_cell(f"frame.to_pickle({path + '.pkl'!r})"))
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
assert any("image/png" in output.get("data", {}) for output in outputs), "no picture"
frame = pd.read_pickle(path + ".pkl")
`;

/** Runs the notebook that the extension creates for each file of hours. */
export const engine: Engine = {
  run: machine =>
    readWith(({ label, data }) => {
      if (!label.startsWith('hours')) return undefined;
      const folder = dirname(data.path);
      const name = basename(data.path);
      const path = `${data.path}.ipynb`;
      writeFileSync(path, formatNotebook(data, name, name));
      const variables = `path, folder = ${JSON.stringify(path)}, ${JSON.stringify(folder)}`;
      return { kind: 'pandas', code: `${variables}\n${execute}` };
    }, machine),
};
