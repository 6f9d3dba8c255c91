import { defineConfig } from 'eslint/config';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const restrictedSyntax = [
  { selector: 'ExportDefaultDeclaration', message: 'Name every export.' },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that declares.' },
  { selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']", message: 'Inject random.' },
  // `npm run l10n` reads off no other call, and the sources that need no VS Code have no other.
  { selector: 'CallExpression[callee.object.property.name="l10n"]', message: 'Translate by `t` of `@vscode/l10n`.' },
];

/** What VS Code shows, much of it with links and icons in it, and whatever would reach that by another way than its name. */
const notInert = [
  'MemberExpression[property.name=/^(show(Error|Warning|Information)Message|setStatusBarMessage|withProgress)$/]',
  'MemberExpression[property.name=/^((show|create)(QuickPick|InputBox)|create(TreeView|WebviewPanel))$/]',
  'NewExpression[callee.property.name=/^(MarkdownString|TreeItem|Diagnostic|CodeLens)$/]',
  // Those of messages.ts, which make it inert themselves, and those of a page.
  'AssignmentExpression > MemberExpression.left[property.name="title"]:not([object.name=/^(list|box|cell)$/], [object.type="ThisExpression"])',
  'AssignmentExpression > MemberExpression.left[property.name="text"]:not([object.type="ThisExpression"])',
  'AssignmentExpression > MemberExpression.left[property.name="message"]:not([object.property.name="view"])',
  'ImportDeclaration[source.value="vscode"][importKind!="type"] > :not(ImportNamespaceSpecifier, Literal)',
  ':not(MemberExpression, TSQualifiedName, ImportNamespaceSpecifier) > Identifier[name="vscode"]',
  ':not(MemberExpression) > MemberExpression[object.name="vscode"][property.name="window"]',
  'MemberExpression[computed=true]:matches([object.name="vscode"], [object.property.name="window"])',
].map(selector => ({ selector, message: 'Show texts through src/host/messages/messages.ts, which makes them inert.' }));

export default defineConfig(
  { ignores: ['dist/', 'out/', '.vscode-test/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Returning a void call from an arrow is the shortest honest way to write an event handler.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['warn', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/host/messages/messages.ts'],
    rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax, ...notInert] },
  },
  {
    // The clock is injected: only the composition root and the tests may read the machine's.
    files: ['src/**/*.ts'],
    ignores: ['src/host/systemPorts.ts', 'src/sandbox/cli.ts', 'src/webview/**'],
    rules: {
      'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: 'Inject a Clock.' }],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        require: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        AbortSignal: 'readonly',
        fetch: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
  {
    // Types are checked there by the compiler, which knows a browser's globals.
    files: ['src/sandbox/dashboard/page/*.js'],
    rules: { 'no-undef': 'off' },
  },
);
