// The custom lint rules that .oxlintrc.json enables.

import { isFragment, suggestName } from './language.ts';

interface BannedSyntax {
  /** An esquery selector that matches nodes of the syntax tree. */
  readonly selector: string;
  readonly message: string;
}

interface Comment {
  readonly type: 'Line' | 'Block' | 'Shebang';
  readonly value: string;
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
}

interface RuleContext {
  readonly sourceCode: { getAllComments(): readonly Comment[] };
  report(problem: { readonly node: unknown; readonly message: string }): void;
}

const bannedSyntax: readonly BannedSyntax[] = [
  { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' },
  { selector: 'ExportAllDeclaration', message: 'Do not re-export. Import from the file that declares the name.' },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties directly instead of spreading an object literal.',
  },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'Pass a random function as a parameter instead of calling Math.random.',
  },
  // `npm run l10n` collects only the texts in calls of `t`, and code that runs outside VS Code has no `vscode.l10n`.
  { selector: 'CallExpression[callee.object.property.name="l10n"]', message: 'Translate with `t` of `@vscode/l10n`.' },
];

/**
 * VS Code renders links and icons in many texts, so texts must be escaped. The first selectors match the calls and properties that show a
 * text. The last four match ways to import or pass on `vscode` that the first selectors cannot follow.
 */
const unescapedTexts: readonly BannedSyntax[] = [
  'MemberExpression[property.name=/^(show(Error|Warning|Information)Message|setStatusBarMessage|withProgress)$/]',
  'MemberExpression[property.name=/^((show|create)(QuickPick|InputBox)|create(TreeView|WebviewPanel))$/]',
  'NewExpression[callee.property.name=/^(MarkdownString|TreeItem|Diagnostic|CodeLens)$/]',
  // Elements of a page are exempt, and so are the classes of messages.ts, which escape their texts.
  'AssignmentExpression > MemberExpression.left[property.name="title"]:not([object.name=/^(list|box|cell)$/], [object.type="ThisExpression"])',
  'AssignmentExpression > MemberExpression.left[property.name="text"]:not([object.type="ThisExpression"])',
  'AssignmentExpression > MemberExpression.left[property.name="message"]:not([object.property.name="view"])',
  'ImportDeclaration[source.value="vscode"][importKind!="type"] > :not(ImportNamespaceSpecifier, Literal)',
  ':not(MemberExpression, TSQualifiedName, ImportNamespaceSpecifier) > Identifier[name="vscode"]',
  ':not(MemberExpression) > MemberExpression[object.name="vscode"][property.name="window"]',
  'MemberExpression[computed=true]:matches([object.name="vscode"], [object.property.name="window"])',
].map(selector => ({ selector, message: 'Show texts through src/host/messages/messages.ts, which escapes them.' }));

const createSyntaxRule = (banned: readonly BannedSyntax[]) => ({
  create: (context: RuleContext) =>
    Object.fromEntries(
      banned.map(({ selector, message }) => [
        selector,
        (node: unknown) => {
          context.report({ node, message });
        },
      ]),
    ),
});

/** A selector for the identifiers that declare a name. */
const declarationSelector = [
  ...['VariableDeclarator', 'ClassDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'].map(
    type => `${type} > Identifier.id`,
  ),
  ...[':function > Identifier.id', ':function > Identifier.params', 'TSFunctionType > Identifier.params'],
  ...[
    'ArrayPattern > Identifier',
    'ObjectPattern > Property > Identifier.value',
    'AssignmentPattern > Identifier.left',
  ],
  ...['PropertyDefinition', 'MethodDefinition', 'TSPropertySignature', 'TSMethodSignature'].map(
    type => `${type}[computed=false] > :matches(Identifier, PrivateIdentifier).key`,
  ),
].join(', ');

const languageRule = {
  create: (context: RuleContext) => ({
    [declarationSelector](node: { readonly name: string }) {
      const instead = suggestName(node.name);
      if (instead) context.report({ node, message: `Rename '${node.name}'. Use ${instead}.` });
    },
    Program() {
      let previousLine = -1;
      for (const node of context.sourceCode.getAllComments()) {
        // A line comment directly below another may continue its sentence, so it is not checked.
        const continues = node.type === 'Line' && node.loc.start.line === previousLine + 1;
        if (node.type === 'Line') previousLine = node.loc.end.line;
        if (!continues && isFragment(node.value))
          context.report({ node, message: 'Begin the comment with a subject or a verb.' });
      }
    },
  }),
};

// Oxlint expects a default export of this shape.
const plugin = {
  meta: { name: 'grid-data' },
  rules: { syntax: createSyntaxRule(bannedSyntax), inert: createSyntaxRule(unescapedTexts), language: languageRule },
};
export { plugin as default };
