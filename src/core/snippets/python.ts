import { maxPages, maxTries, keyVariable, createTemplateValues, type SnippetQuery } from './snippetQuery.ts';
import { formatPythonTransformations } from './panelTransformations.ts';
import { quoteForPython } from './quote.ts';

/** Returns Python statements that aggregate hours to days of a time zone. */
function formatDayAggregation(timeZone: string | undefined): string {
  if (timeZone === undefined) return '';
  return `    day = frame.index.tz_convert(${quoteForPython(timeZone)}).normalize()
    frame = frame.select_dtypes("number").groupby(day).agg(["mean", "sum", "min", "max", "count"])  # sum: MWh of a field in MW; count: its hours
`;
}

/** Returns a Python 3.9 program with requests and pandas that creates a data frame indexed by UTC instants. */
export function formatPythonSnippet(snippetQuery: SnippetQuery): string {
  const values = createTemplateValues(snippetQuery, true);
  const transformationLines = snippetQuery.transformations
    ? formatPythonTransformations(snippetQuery.transformations, 'df')
    : [];
  const { relative } = values;
  const time = quoteForPython(values.timeColumn);
  const range = relative
    ? `now = int(time.time())
end = datetime.fromtimestamp((now + ${relative.shift}) // ${relative.grid} * ${relative.grid} - ${relative.shift}, timezone.utc)
start = end - timedelta(seconds=${relative.length})`
    : `start = datetime.fromtimestamp(${values.start}, timezone.utc)  # ${values.startText}
end = datetime.fromtimestamp(${values.end}, timezone.utc)  # ${values.endText}`;
  return `${values.comments.map(line => `# ${line}`).join('\n')}
# Needs: pip install requests pandas${transformationLines.length > 0 ? ' duckdb' : ''}
import os
import sys
import time
from datetime import datetime, timedelta, timezone
from email.utils import formatdate, parsedate_to_datetime
from urllib.parse import parse_qsl, urlsplit

import pandas as pd
import requests

key = os.environ.get("${keyVariable}") or sys.exit("Set the environment variable ${keyVariable} to your API key first.")

URL = ${quoteForPython(values.url)}
PATH = ${quoteForPython(values.path)}
PARAMS = [${values.params.map(([name, value]) => `(${quoteForPython(name)}, ${quoteForPython(value)})`).join(', ')}]
${range}
MAX_RANGE = timedelta(seconds=${values.maxRangeSeconds})  # per request: ${values.maxRangeNote}


def wait_after(headers, attempt):
    """Returns the seconds to wait. Retry-After has a number of seconds, or a date by the clock of the service."""
    retry_after = headers.get("Retry-After", "")
    if retry_after.isascii() and retry_after.isdigit():
        return int(retry_after)
    try:
        now = parsedate_to_datetime(headers.get("Date") or formatdate(usegmt=True))
        return max(1, (parsedate_to_datetime(retry_after) - now).total_seconds())
    except (TypeError, ValueError):
        return 2**attempt


def get_page(params):
    """Sends one request. Waits as long as the service asks, and follows no redirect, which could send the key to another address."""
    for attempt in range(1, ${maxTries + 1}):
        response = requests.get(URL, params=params, headers={"X-API-KEY": key}, timeout=60, allow_redirects=False)
        if response.status_code not in (429, 503) or attempt == ${maxTries}:
            break
        time.sleep(wait_after(response.headers, attempt))
    if response.status_code != 200:
        sys.exit(f"The service returned {response.status_code}: {response.text[:300]}")
    return response.json()


def rows_between(start, end):
    """Returns the rows of a range from all pages."""
    params = [("start", f"{start:%Y-%m-%dT%H:%M:%SZ}"), ("end", f"{end:%Y-%m-%dT%H:%M:%SZ}"), *PARAMS]
    for _ in range(${maxPages}):
        body = get_page(params)
        if isinstance(body, list):
            yield from body
            return
        yield from body.get("data") or body.get("results") or []
        link = urlsplit(body.get("next") or "")
        if not link.query or not link.path.rstrip("/").endswith(PATH):
            return
        params = parse_qsl(link.query, keep_blank_values=True)  # only its parameters; the address stays the same


rows = []
part = start
while part < end:
    until = min(part + MAX_RANGE, end)
    rows += rows_between(part, until)
    part = until
if not rows:
    sys.exit("Nothing is published for this range yet.")

frame = pd.json_normalize(rows)
if ${time} in frame:
    frame[${time}] = pd.to_datetime(frame[${time}], utc=True)
    frame = frame.drop_duplicates(${time}, keep="last").set_index(${time}).sort_index()
    frame = frame[(frame.index >= start) & (frame.index < end)]
${formatDayAggregation(values.dayTimeZone)}${transformationLines.map(line => `${line}\n`).join('')}print(frame)
`;
}
