// Lint rules of this project, for .oxlintrc.json.

import { isFragment, suggestName } from './language.ts';

interface BannedSyntax {
  /** An esquery selector over the ESTree of the file. */
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

const syntax: readonly BannedSyntax[] = [
  { selector: 'ExportDefaultDeclaration', message: 'Name every export.' },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that declares.' },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write its properties without a spread.',
  },
  { selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']", message: 'Inject random.' },
  // `npm run l10n` finds only calls of `t`, and sources without VS Code have no other function.
  { selector: 'CallExpression[callee.object.property.name="l10n"]', message: 'Translate by `t` of `@vscode/l10n`.' },
];

/** Ways to show a text in VS Code, which renders links and icons in many of them, and ways to reach `vscode` without its name. */
const uncheckedTexts: readonly BannedSyntax[] = [
  'MemberExpression[property.name=/^(show(Error|Warning|Information)Message|setStatusBarMessage|withProgress)$/]',
  'MemberExpression[property.name=/^((show|create)(QuickPick|InputBox)|create(TreeView|WebviewPanel))$/]',
  'NewExpression[callee.property.name=/^(MarkdownString|TreeItem|Diagnostic|CodeLens)$/]',
  // Exempt are the classes of messages.ts, which escape their texts, and elements of a page.
  'AssignmentExpression > MemberExpression.left[property.name="title"]:not([object.name=/^(list|box|cell)$/], [object.type="ThisExpression"])',
  'AssignmentExpression > MemberExpression.left[property.name="text"]:not([object.type="ThisExpression"])',
  'AssignmentExpression > MemberExpression.left[property.name="message"]:not([object.property.name="view"])',
  'ImportDeclaration[source.value="vscode"][importKind!="type"] > :not(ImportNamespaceSpecifier, Literal)',
  ':not(MemberExpression, TSQualifiedName, ImportNamespaceSpecifier) > Identifier[name="vscode"]',
  ':not(MemberExpression) > MemberExpression[object.name="vscode"][property.name="window"]',
  'MemberExpression[computed=true]:matches([object.name="vscode"], [object.property.name="window"])',
].map(selector => ({ selector, message: 'Show texts through src/host/messages/messages.ts, which escapes them.' }));

const createSyntaxRule = (bans: readonly BannedSyntax[]) => ({
  create: (context: RuleContext) =>
    Object.fromEntries(
      bans.map(({ selector, message }) => [
        selector,
        (node: unknown) => {
          context.report({ node, message });
        },
      ]),
    ),
});

/** Selects the identifiers that declare a name. */
const declarations = [
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

const language = {
  create: (context: RuleContext) => ({
    [declarations](node: { readonly name: string }) {
      const instead = suggestName(node.name);
      if (instead) context.report({ node, message: `Choose another name than '${node.name}': ${instead}.` });
    },
    Program() {
      let lastLine = -1;
      for (const node of context.sourceCode.getAllComments()) {
        // A line comment below another continues its sentence.
        const continues = node.type === 'Line' && node.loc.start.line === lastLine + 1;
        if (node.type === 'Line') lastLine = node.loc.end.line;
        if (!continues && isFragment(node.value))
          context.report({ node, message: 'Begin with the subject of a sentence, or with a verb.' });
      }
    },
  }),
};

// The structure that oxlint expects of a plugin.
const plugin = {
  meta: { name: 'grid-data' },
  rules: { syntax: createSyntaxRule(syntax), inert: createSyntaxRule(uncheckedTexts), language },
};
export { plugin as default };
