import { maxPages, maxTries, keyVariable, createTemplateValues, type SnippetQuery } from './snippetQuery.ts';
import { quoteForPowerShell as text } from './quote.ts';

/** Returns a PowerShell 7 script that outputs one object per row, in the order of their instants. */
export function formatPowerShellSnippet(snippetQuery: SnippetQuery): string {
  const values = createTemplateValues(snippetQuery);
  const { relative } = values;
  const time = text(values.timeColumn);
  const range = relative
    ? `$now = [DateTimeOffset]::UtcNow.ToUnixTimeSeconds()
$end = [long] [Math]::Floor(($now + ${relative.shift}) / ${relative.grid}) * ${relative.grid} - ${relative.shift}
$start = $end - ${relative.length}`
    : `$start = ${values.start}  # ${values.startText}
$end = ${values.end}  # ${values.endText}`;
  return `${values.comments.map(line => `# ${line}`).join('\n')}
# Needs PowerShell 7.
$ErrorActionPreference = 'Stop'

$key = $env:${keyVariable}
if (-not $key) { throw 'Set the environment variable ${keyVariable} to your API key first.' }

$url = ${text(values.url)}
$path = ${text(values.path)}
$fixed = @(${values.params.map(([name, value]) => `, @(${text(name)}, ${text(value)})`).join('; ')})
${range}
$maxRange = ${values.maxRangeSeconds}  # maximum seconds per request: ${values.maxRangeNote}

function Format-Instant([long] $seconds) {
  [DateTimeOffset]::FromUnixTimeSeconds($seconds).ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", [cultureinfo]::InvariantCulture)
}

# Returns the seconds to wait. Retry-After has a number of seconds, or a date by the clock of the service.
function Get-Wait($headers, [int] $attempt) {
  $retryAfter = "$($headers['Retry-After'])"
  if ($retryAfter -match '^[0-9]+$') { return [double] $retryAfter }
  $now = [DateTimeOffset]::UtcNow
  $until = $now
  $invariant = [cultureinfo]::InvariantCulture
  $asUtc = [Globalization.DateTimeStyles]::AssumeUniversal
  if (-not [DateTimeOffset]::TryParse($retryAfter, $invariant, $asUtc, [ref] $until)) { return [Math]::Pow(2, $attempt) }
  if (-not [DateTimeOffset]::TryParse("$($headers['Date'])", $invariant, $asUtc, [ref] $now)) { $now = [DateTimeOffset]::UtcNow }
  [Math]::Max(1, ($until - $now).TotalSeconds)
}

# Sends one request. Waits as long as the service asks, and follows no redirect, which could send the key to another address.
function Get-Page([string] $query) {
  for ($attempt = 1; ; $attempt++) {
    $response = Invoke-WebRequest -Uri "\${url}?$query" -Headers @{ 'X-API-KEY' = $key } -MaximumRedirection 0 -SkipHttpErrorCheck -TimeoutSec 60
    if ($response.StatusCode -eq 200) { return , ($response.Content | ConvertFrom-Json -NoEnumerate) }
    if ($response.StatusCode -notin 429, 503 -or $attempt -eq ${maxTries}) {
      throw "The service returned $($response.StatusCode): $($response.Content)"
    }
    Start-Sleep -Seconds (Get-Wait $response.Headers $attempt)
  }
}

# Returns the rows of a range from all pages.
function Get-Rows([long] $from, [long] $until) {
  $params = @(, @('start', (Format-Instant $from)); , @('end', (Format-Instant $until))) + $fixed
  $query = ($params | ForEach-Object { [uri]::EscapeDataString($_[0]) + '=' + [uri]::EscapeDataString($_[1]) }) -join '&'
  for ($page = 1; $page -le ${maxPages}; $page++) {
    $body = Get-Page $query
    if ($body -is [array]) { return $body }
    if ($null -ne $body.data) { $body.data } else { $body.results }
    $link = "$($body.next)" -split '\\?', 2
    if ($link.Count -lt 2 -or -not $link[0].TrimEnd('/').EndsWith($path)) { return }
    $query = $link[1]  # only its parameters; the address stays the same
  }
}

$byInstant = @{}
for ($part = $start; $part -lt $end; $part += $maxRange) {
  foreach ($row in @(Get-Rows $part ([Math]::Min($part + $maxRange, $end)))) {
    # ConvertFrom-Json converts ISO 8601 texts to dates.
    $at = ([DateTimeOffset] $row.${time}).ToUnixTimeSeconds()
    if ($at -ge $start -and $at -lt $end) { $byInstant[$at] = $row }
  }
}
$rows = @($byInstant.Keys | Sort-Object | ForEach-Object { $byInstant[$_] })
$rows | Format-Table
`;
}
