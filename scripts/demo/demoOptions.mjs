// Uses built-in modules only, since it runs before anything is installed.
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

const optionTypes = {
  port: { type: 'string' },
  'no-open': { type: 'boolean' },
  replay: { type: 'string' },
  shift: { type: 'boolean' },
  service: { type: 'string' },
  range: { type: 'string' },
  help: { type: 'boolean' },
};

/** Parses the command line into `start`, `help`, or `invalid` with a message for the user. */
export function readDemoOptions(args, isFile = path => existsSync(path) && statSync(path).isFile()) {
  const { values, positionals, tokens } = parseArgs({ args, options: optionTypes, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const type = Object.hasOwn(optionTypes, token.name) ? optionTypes[token.name].type : undefined;
    if (!type) return invalid(`Unknown option ${token.rawName}; --help lists the options.`);
    if (type === 'string' && !token.value) return invalid(`${token.rawName} needs a value; --help lists the options.`);
    if (type === 'boolean' && token.value !== undefined) return invalid(`${token.rawName} takes no value.`);
  }
  if (positionals[0] !== undefined) return invalid(`"${positionals[0]}" is not an option; --help lists the options.`);
  if (values.help) return { kind: 'help' };
  const port = /^\d{1,5}$/.test(values.port ?? '0') ? Number(values.port ?? '0') : Number.NaN;
  if (!(port <= 65_535)) return invalid('--port takes a whole number from 0 to 65535.');
  if (values.replay !== undefined && values.service !== undefined)
    return invalid('Give --replay or --service, not both: only the sandbox replays a file.');
  if (values.shift && values.replay === undefined)
    return invalid('--shift moves the hours of --replay FILE: give both.');
  if (values.replay !== undefined && !isFile(values.replay)) return invalid(`There is no file ${values.replay}.`);
  if (values.service !== undefined && !isSafeUrl(values.service))
    return invalid(`--service takes https://…, or http:// on this machine only, not "${values.service}".`);
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

function invalid(message) {
  return { kind: 'invalid', message };
}

/** Whether the key can be sent to the address; the extension rejects the same ones, which would send it unencrypted. */
function isSafeUrl(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}
