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
# Prints each response as JSON. For all rows in one list, add | jq -s '[.[].data[]]' to the first line.
set -euo pipefail
: "\${${keyVariable}:?is not set. Export it with your API key first.}"

url=${quoteForBash(input.url)}
path=${quoteForBash(input.path)}
params=(${data.join(' ')})
${rangeLines.join('\n')}
max_range=${input.maxRangeSeconds}  # maximum seconds per request: ${input.maxRangeNote}

page=$(mktemp)
trap 'rm -f "$page"' EXIT

to_iso() {  # formats seconds as ISO 8601, with date of GNU or of macOS and BSD
  date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -r "$1" +%Y-%m-%dT%H:%M:%SZ
}

get() {  # sends one request; curl waits as long as Retry-After says, and follows no redirect, which could send the key to another address
  local status
  status=$(printf 'X-API-KEY: %s\\n' "$${keyVariable}" | curl --silent --show-error --globoff --header @- --no-location \\
    --proto '=${input.isPlainHttp ? 'http' : 'https'}' --compressed --max-time 120 --retry ${maxTries - 1} --output "$page" --write-out '%{http_code}' "$@")
  if [ "$status" != 200 ]; then
    echo "The service returned $status: $(head -c 300 "$page")" >&2
    exit 1
  fi
  cat "$page"
  echo
}

for (( part = start; part < end; part += max_range )); do
  until=$(( part + max_range < end ? part + max_range : end ))
  get --get --data-urlencode "start=$(to_iso "$part")" --data-urlencode "end=$(to_iso "$until")" "\${params[@]}" "$url"
  for (( more = 1; more < ${maxPages}; more++ )); do
    next=$(grep -oE '"next" *: *"[^"]+\\?[^"]+"' "$page" | head -n 1 | cut -d '"' -f 4 | sed 's/\\\\u0026/\\&/g; s|\\\\/|/|g' || true)
    case \${next%%\\?*} in *"$path" | *"$path/") ;; *) break ;; esac
    get "$url?\${next#*\\?}"  # only its parameters; the address stays the same
  done
done
END_OF_SNIPPET
`;
}
