// Read before anything is installed, so built-ins only.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const usage = `Usage: npm run demo -- [options]

Starts VS Code with the extension, connected to a sandbox with sample data, and shows the last seven days.

  --port N        the port of VS Code's server; any free one if left out
  --no-open       do not open a browser, only print the address
  --replay FILE   let the sandbox serve the hours of a CSV or .xlsx file of the Eskom Data Portal
  --shift         move the hours of that file to the present by whole weeks: weekday and hour of day stay
  --service URL   connect to this service instead of a sandbox; its key is read from GRID_DATA_API_KEY,
                  else asked for here, else in VS Code
  --range TEXT    what to show; the last seven days there are if left out
  --help          print this
`;

const known = {
  port: { type: 'string' },
  'no-open': { type: 'boolean' },
  replay: { type: 'string' },
  shift: { type: 'boolean' },
  service: { type: 'string' },
  range: { type: 'string' },
  help: { type: 'boolean' },
};

/** What the command line asks for: `start`, `help`, or `wrong` with a sentence for the person. */
export function readDemoOptions(args, isFile = path => existsSync(path) && statSync(path).isFile()) {
  const { values, positionals, tokens } = parseArgs({ args, options: known, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const type = Object.hasOwn(known, token.name) ? known[token.name].type : undefined;
    if (!type) return wrong(`Unknown option ${token.rawName}; --help lists the options.`);
    if (type === 'string' && !token.value) return wrong(`${token.rawName} needs a value; --help lists the options.`);
    if (type === 'boolean' && token.value !== undefined) return wrong(`${token.rawName} takes no value.`);
  }
  if (positionals[0] !== undefined) return wrong(`"${positionals[0]}" is not an option; --help lists the options.`);
  if (values.help) return { kind: 'help' };
  const port = /^\d{1,5}$/.test(values.port ?? '0') ? Number(values.port ?? '0') : Number.NaN;
  if (!(port <= 65_535)) return wrong('--port takes a whole number from 0 to 65535.');
  if (values.replay !== undefined && values.service !== undefined)
    return wrong('Give --replay or --service, not both: only the sandbox replays a file.');
  if (values.shift && values.replay === undefined) return wrong('--shift moves the hours of --replay FILE: give both.');
  if (values.replay !== undefined && !isFile(values.replay)) return wrong(`There is no file ${values.replay}.`);
  if (values.service !== undefined && !isSafeUrl(values.service))
    return wrong(`--service takes https://…, or http:// on this machine only, not "${values.service}".`);
  return {
    kind: 'start',
    options: {
      port,
      open: values['no-open'] !== true,
      shift: values.shift === true,
      ...(values.range !== undefined && { range: values.range }),
      ...(values.replay !== undefined && { replay: resolve(values.replay) }),
      ...(values.service !== undefined && { service: values.service }),
    },
  };
}

function wrong(sentence) {
  return { kind: 'wrong', sentence };
}

/** The extension refuses any other address too: it would send the key unprotected. */
function isSafeUrl(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}
