/** The URIs that the document loads, as the webview resolves them, and a nonce for this page. */
interface PanelHtmlParts {
  readonly cspSource: string;
  readonly nonce: string;
  readonly scriptUris: readonly string[];
  readonly styleUris: readonly string[];
  readonly codiconsUri: string;
  readonly language: string;
  readonly title: string;
}

/** Returns the document of the page. It has no inline script or style, no network access and no data: messages bring the data. */
export function createPanelHtml(parts: PanelHtmlParts): string {
  const { cspSource, nonce } = parts;
  const csp = [
    `default-src 'none'`,
    `img-src ${cspSource} data:`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(parts.language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(csp)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${escapeHtml(parts.codiconsUri)}">
${parts.styleUris.map(uri => `<link rel="stylesheet" href="${escapeHtml(uri)}">`).join('\n')}
<title>${escapeHtml(parts.title)}</title>
</head>
<body>
<div id="app"></div>
${parts.scriptUris.map(uri => `<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(uri)}"></script>`).join('\n')}
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
