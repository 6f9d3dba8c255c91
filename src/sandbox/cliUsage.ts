import { faultGrammar, faultKinds } from './faults/faultRules.ts';

const faultLines = Object.entries(faultKinds).map(([kind, facts]) => {
  const amount = 'amount' in facts ? ` (${facts.amount.unit}; ${facts.amount.usual} if left out)` : '';
  return `  ${kind.padEnd(9)} ${facts.meaning}${amount}`;
});

/** What --help prints. */
export const usage = `Usage: npm run sandbox -- [options]
       node dist/sandbox.js [options]     in the folder of the installed extension

Serves the grid data API on 127.0.0.1, with sample data.

  --port N        the port; any free one if left out
  --seed N        of the made-up data and of the faults, 1 if left out
  --replay FILE   serve the hours of a CSV or .xlsx file of the Eskom Data Portal; give it again for more files
  --shift-to-now  move replayed hours to the present by whole weeks: weekday and hour of day stay
  --now INSTANT   what the service takes for the present, such as 2023-06-15T12:00Z
  --late HOURS    the newest data is so many hours late
  --window S      seconds of the rate limits' window, 60 if left out
  --limits LIST   of keys without limits of their own, such as normalized_data=100,features=none (no limit)
  --state FOLDER  keep keys in this folder; without it they end with the sandbox
  --key NAME      make a key of this name; without it one is made where there is none
  --key-limits L  of that key alone, such as normalized_data=none,features=denied; denied is a 403
  --faults LIST   allow faults, and begin with these; "none" to begin without; the dashboard switches them
  --json          print one line: {"url", "dashboard"}, with "key" where one is made, and "dataEnd" where replayed data ends
  --help          print this

Faults are for trying clients: ${faultGrammar}, joined by commas. RATE is the share of the requests, 1 if
left out; SCOPE is normalized_data or features. Every answer names what it meets in the header X-Sandbox-Fault.

${faultLines.join('\n')}

For example: --faults latency=800@0.2,error=503@0.05/features
`;
