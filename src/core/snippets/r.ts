import { maxPages, maxTries, keyVariable, createTemplateValues, type SnippetQuery } from './snippetQuery.ts';
import { quoteForPython } from './quote.ts';

/** Returns an R 4.1 program with httr2 that creates a data frame with POSIXct instants in UTC. */
export function formatRSnippet(snippetQuery: SnippetQuery): string {
  const values = createTemplateValues(snippetQuery);
  const { relative } = values;
  const time = quoteForPython(values.timeColumn);
  const range = relative
    ? `now <- floor(as.numeric(Sys.time()))
end <- (now + ${relative.shift}) %/% ${relative.grid} * ${relative.grid} - ${relative.shift}
start <- end - ${relative.length}`
    : `start <- ${values.start}  # ${values.startText}
end <- ${values.end}  # ${values.endText}`;
  const names = values.params
    .map(([name, value]) => `list(${quoteForPython(name)}, ${quoteForPython(value)})`)
    .join(', ');
  return `${values.comments.map(line => `# ${line}`).join('\n')}
# Needs: install.packages(c("httr2", "jsonlite"))
library(httr2)

key <- Sys.getenv("${keyVariable}")
if (key == "") stop("Set the environment variable ${keyVariable} to your API key first.", call. = FALSE)

url <- ${quoteForPython(values.url)}
path <- ${quoteForPython(values.path)}
fixed <- list(${names})
fixed <- setNames(lapply(fixed, \`[[\`, 2), vapply(fixed, \`[[\`, "", 1))
${range}
max_range <- ${values.maxRangeSeconds}  # maximum seconds per request: ${values.maxRangeNote}

instant <- function(seconds) {
  format(as.POSIXct(seconds, origin = "1970-01-01", tz = "UTC"), "%Y-%m-%dT%H:%M:%SZ")
}

# Sends one request. Waits as long as the service asks, and follows no redirect, which could send the key to another address.
get_page <- function(params) {
  response <- request(url) |>
    req_url_query(!!!params) |>
    req_headers("X-API-KEY" = key, .redact = "X-API-KEY") |>
    req_options(followlocation = FALSE) |>
    req_timeout(60) |>
    req_retry(max_tries = ${maxTries}, is_transient = function(response) resp_status(response) %in% c(429, 503)) |>
    req_error(is_error = function(response) FALSE) |>
    req_perform()
  if (resp_status(response) != 200) {
    stop("The service returned ", resp_status(response), ": ", substr(resp_body_string(response), 1, 300), call. = FALSE)
  }
  jsonlite::fromJSON(resp_body_string(response), flatten = TRUE)
}

# Returns the rows of a range as a list of data frames, one for each page.
pages_between <- function(from, until) {
  pages <- list()
  params <- c(list(start = instant(from), end = instant(until)), fixed)
  for (number in seq_len(${maxPages})) {
    body <- get_page(params)
    rows <- if (is.data.frame(body)) body else if (!is.null(body$data)) body$data else body$results
    if (is.data.frame(rows)) pages <- c(pages, list(rows))
    following <- if (is.data.frame(body)) NULL else body[["next"]]
    if (!is.character(following) || !grepl("?", following, fixed = TRUE)) break
    if (!endsWith(sub("/+$", "", sub("[?].*$", "", following)), path)) break
    # Only its parameters are used; the address stays the same.
    params <- url_parse(paste0(url, gsub("+", "%20", sub("^[^?]*", "", following), fixed = TRUE)))$query
  }
  pages
}

pages <- list()
part <- start
while (part < end) {
  until <- min(part + max_range, end)
  pages <- c(pages, pages_between(part, until))
  part <- until
}
if (length(pages) == 0) stop("Nothing is published for this range yet.", call. = FALSE)

columns <- unique(unlist(lapply(pages, names)))
rows <- do.call(rbind, lapply(pages, function(page) {
  page[setdiff(columns, names(page))] <- NA
  page[columns]
}))
if (${time} %in% names(rows)) {
  text <- sub("([+-][0-9]{2}):([0-9]{2})$", "\\\\1\\\\2", sub("Z$", "+0000", rows[[${time}]]))
  rows[[${time}]] <- as.POSIXct(text, format = "%Y-%m-%dT%H:%M:%OS%z", tz = "UTC")
  rows <- rows[!duplicated(rows[[${time}]], fromLast = TRUE), ]
  rows <- rows[order(rows[[${time}]]), ]
  seconds <- as.numeric(rows[[${time}]])
  rows <- rows[seconds >= start & seconds < end, ]
}
print(rows)
`;
}
