import * as vscode from 'vscode';
import { toInertText } from '../../core/inertText.ts';
import { createMarkdown } from '../messages/messages.ts';
import { describeToolError, type GridTool, type PreparedTool } from './gridTool.ts';
import { createGridTools, type ToolsDeps } from './gridTools.ts';

/** Creates the tools for language models, by their names in package.json. */
export function languageModelTools(
  deps: ToolsDeps & { readonly logError: (error: unknown) => void },
): Readonly<Record<string, vscode.LanguageModelTool<unknown>>> {
  return Object.fromEntries(
    Object.entries(createGridTools(deps)).map(([name, tool]) => [name, toLanguageModelTool(tool, deps.logError)]),
  );
}

/** Adapts a tool to VS Code's interface. An error becomes a sentence that says what to change; an unknown one is logged. */
export function toLanguageModelTool(
  tool: GridTool,
  logError: (error: unknown) => void,
): vscode.LanguageModelTool<unknown> {
  return {
    async prepareInvocation({ input }) {
      // Invalid input is reported to the model by the call itself, which then sends no request.
      return toPreparedInvocation(await tool.prepare(input).catch(() => ({})));
    },
    async invoke({ input }, token) {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => controller.abort());
      try {
        if (token.isCancellationRequested) controller.abort();
        const { text, picture } = await tool.invoke(input, controller.signal).catch((error: unknown) => {
          throw new Error(describeToolError(error, logError));
        });
        const chart = picture ? [vscode.LanguageModelDataPart.image(picture, 'image/png')] : [];
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text), ...chart]);
      } finally {
        subscription.dispose();
      }
    },
  };
}

/** Converts the texts to Markdown, which chats render. */
function toPreparedInvocation({
  invocationMessage,
  confirmationMessages,
}: PreparedTool): vscode.PreparedToolInvocation {
  const { title, message } = confirmationMessages ?? {};
  return {
    ...(invocationMessage !== undefined && { invocationMessage: createMarkdown([invocationMessage]) }),
    ...(title !== undefined &&
      message !== undefined && {
        confirmationMessages: { title: toInertText(title), message: createMarkdown([message]) },
      }),
  };
}
