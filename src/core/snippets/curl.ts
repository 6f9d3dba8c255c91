import { maxPages, maxTries, keyVariable, createTemplateValues, type SnippetQuery } from './snippetQuery.ts';
import { quoteForBash, removeInvalidCharacters } from './quote.ts';

/**
 * Returns a script for bash and curl that prints the responses. It starts its own bash, so that it can be pasted into any shell. The key
 * is passed on standard input, because process lists show arguments.
 */
export function formatCurlSnippet(snippetQuery: SnippetQuery): string {
  const input = createTemplateValues(snippetQuery);
  const { relative, params } = input;
  const rangeLines = relative
    ? [
        `end=$(( ($(date +%s) + ${relative.shift}) / ${relative.grid} * ${relative.grid} - ${relative.shift} ))`,
        `start=$(( end - ${relative.length} ))`,
      ]
    : [`start=${input.start}  # ${input.startText}`, `end=${input.end}  # ${input.endText}`];
  const data = params.map(
    ([name, value]) =>
      `--data-urlencode ${quoteForBash(`${encodeURIComponent(removeInvalidCharacters(name))}=${value}`)}`,
  );
  return `bash <<'END_OF_SNIPPET'
${input.comments.map(line => `# ${line}`).join('\n')}
# Prints each answer as JSON. All rows in one list: put | jq -s '[.[].data[]]' after the first line.
set -euo pipefail
: "\${${keyVariable}:?is not set. Export it with your API key first.}"

url=${quoteForBash(input.url)}
path=${quoteForBash(input.path)}
params=(${data.join(' ')})
${rangeLines.join('\n')}
longest=${input.maxRangeSeconds}  # seconds in one request: ${input.maxRangeNote}

page=$(mktemp)
trap 'rm -f "$page"' EXIT

at() {  # seconds as ISO 8601, with GNU's date or that of macOS and BSD
  date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -r "$1" +%Y-%m-%dT%H:%M:%SZ
}

ask() {  # one request; curl waits as long as Retry-After says, and follows no redirect, which could lead the key elsewhere
  local status
  status=$(printf 'X-API-KEY: %s\\n' "$${keyVariable}" | curl --silent --show-error --globoff --header @- --no-location \\
    --proto '=${input.isPlainHttp ? 'http' : 'https'}' --compressed --max-time 120 --retry ${maxTries - 1} --output "$page" --write-out '%{http_code}' "$@")
  if [ "$status" != 200 ]; then
    echo "The service answered $status: $(head -c 300 "$page")" >&2
    exit 1
  fi
  cat "$page"
  echo
}

for (( part = start; part < end; part += longest )); do
  until=$(( part + longest < end ? part + longest : end ))
  ask --get --data-urlencode "start=$(at "$part")" --data-urlencode "end=$(at "$until")" "\${params[@]}" "$url"
  for (( more = 1; more < ${maxPages}; more++ )); do
    next=$(grep -oE '"next" *: *"[^"]+\\?[^"]+"' "$page" | head -n 1 | cut -d '"' -f 4 | sed 's/\\\\u0026/\\&/g; s|\\\\/|/|g' || true)
    case \${next%%\\?*} in *"$path" | *"$path/") ;; *) break ;; esac
    ask "$url?\${next#*\\?}"  # its parameters only: the address stays this one
  done
done
END_OF_SNIPPET
`;
}
