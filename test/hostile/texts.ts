/** An untrusted text: from a service, a workspace file or a link. */
interface HostileText {
  readonly name: string;
  readonly text: string;
}

const command = 'command:workbench.action.terminal.new';
const bell = '\u0007';
const escape = '\u001b';

/** Texts that must be shown literally. */
export const hostileTexts: readonly HostileText[] = [
  { name: 'a link to a command', text: `[Sign in](${command})` },
  { name: 'a link to a command with arguments', text: `[Sign in](${command}?%5B%22-c%22%2C%22id%22%5D)` },
  { name: 'a link to a command in capitals', text: '[Sign in](COMMAND:workbench.action.terminal.new)' },
  { name: 'a link with a title', text: `[Sign in](${command} "Opens the dashboard")` },
  { name: 'a link with a title in single quotes', text: `[Sign in](${command} 'Opens the dashboard')` },
  { name: 'a link with an empty title', text: `[Sign in](${command} "")` },
  { name: 'a link to a page', text: '[help](https://evil.example/?key=)' },
  { name: 'a link to a page without encryption', text: '[help](http://evil.example)' },
  { name: 'a link to a file', text: '[log](file:///etc/passwd)' },
  { name: 'a link into another extension', text: '[run](vscode://evil.extension/run)' },
  { name: 'a link of data', text: '[x](data:text/html,<script>alert(1)</script>)' },
  { name: 'a link of JavaScript', text: '[x](javascript:alert(1))' },
  { name: 'two links', text: `[a](${command}) and [b](https://evil.example)` },
  { name: 'a link in a link', text: `[[Sign in](${command})](${command})` },
  { name: 'a link with brackets in its label', text: `[Sign [in\\]](${command})` },
  { name: 'a link of many brackets', text: `${'['.repeat(500)}x${']'.repeat(500)}(${command})` },
  { name: 'a link in angle brackets', text: `[Sign in](<${command}>)` },
  { name: 'a link over two lines', text: `[Sign\nin](${command})` },
  { name: 'a link with a hidden character between its parts', text: `[Sign in]\u200b(${command})` },
  { name: 'a link with a soft hyphen and a joiner between its parts', text: `[Sign in]\u00ad\u200d(${command})` },
  { name: 'a link with an escaped bracket', text: `\\[Sign in\\](${command})` },
  { name: 'a link by reference', text: `[Sign in][1]\n\n[1]: ${command}` },
  { name: 'a picture', text: '![pixel](https://evil.example/pixel.png)' },
  { name: 'an address in angle brackets', text: '<https://evil.example/a> <mailto:a@evil.example>' },
  { name: 'bare addresses', text: 'https://evil.example www.evil.example a@evil.example' },
  { name: 'an address behind a backslash', text: '\\https://evil.example \\<https://evil.example>' },
  { name: 'HTML with scripts', text: '<img src=x onerror=alert(1)><script>alert(1)</script><svg/onload=alert(1)>' },
  {
    name: 'HTML with a link and a form',
    text: `<a href="${command}">x</a><form action="https://evil.example"><button>`,
  },
  { name: 'HTML written as entities', text: '&lt;a href=&quot;x&quot;&gt; &#91;x&#93;&#40;command:x&#41; &nbsp;' },
  { name: 'closing tags of the page', text: '</textarea></title></style></script><!--<h1>x</h1>-->' },
  {
    name: 'Markdown',
    text: '# Title\n\n> quote\n\n- item\n1. item\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n**bold** ~~x~~ `x`',
  },
  { name: 'an icon', text: '$(check) Verified' },
  { name: 'a spinning icon', text: '$(sync~spin)$(loading~spin) signing in' },
  { name: 'an icon behind a backslash', text: '\\$(error) \\\\$(error) $\u200b(error)' },
  { name: 'text with reversed direction', text: 'invoice\u202egnp.exe\u202c' },
  { name: 'direction isolates and marks', text: '\u2066\u2067\u2068a\u2069\u200e\u200f\u061cb' },
  { name: 'right-to-left letters', text: 'שלום [היכנס](command:x) مرحبا $(check)' },
  { name: 'control characters', text: `a\u0000b\u0008c${bell}d\u007fe\u0085f\r\n\t\u2028g\u2029h` },
  {
    name: 'terminal escape codes',
    text: `${escape}[31mred${escape}[0m ${escape}]8;;https://evil.example${bell}x${escape}]8;;${bell}`,
  },
  { name: 'zero-width characters', text: 'a\u200b\u200c\u200d\u2060\ufeff\u180eb' },
  { name: 'lone surrogates', text: '\ud83d a \ude00 b\udc00\ud800' },
  { name: 'stacked combining marks', text: `Z${'\u0335\u0300\u0344'.repeat(200)}` },
  { name: 'private characters, which may be glyphs of an icon font', text: '\ueb32\uea76 \u{f0000}' },
  { name: 'message placeholders', text: '{0} {1} {{0}} ${x} %s' },
  { name: 'the name of the prototype property', text: '__proto__' },
  { name: '10 MB of letters', text: 'x'.repeat(10_000_000) },
  { name: '10 MB of unclosed links', text: '[x]('.repeat(2_500_000) },
  { name: '10 MB of links', text: `[x](${command})`.repeat(230_000) },
  { name: '10 MB of icons', text: '$(x)'.repeat(2_500_000) },
  { name: '10 MB of spaces around a link', text: `${' '.repeat(5_000_000)}[x](${command})${'\n'.repeat(5_000_000)}` },
];
