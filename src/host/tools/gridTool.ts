import * as vscode from 'vscode';
import { toInertText } from '../../core/inertText.ts';
import { InputError } from '../inputError.ts';
import { createMarkdown } from '../messages/messages.ts';
import { getFailureAdvice } from '../../core/summary/modelText.ts';

/** The messages that VS Code shows before a tool runs. With `confirmationMessages`, the user has to confirm. */
export interface PreparedTool {
  readonly invocationMessage?: string;
  readonly confirmationMessages?: { readonly title: string; readonly message: string };
}

/** The result of a tool. */
export interface ToolResult {
  readonly text: string;
  /** A chart, as the bytes of a PNG file. */
  readonly picture?: Uint8Array;
}

/** A tool for language models. */
export interface GridTool {
  /** Describes what a call would do, without sending a request. Throws if the input is invalid. */
  prepare(input: unknown): Promise<PreparedTool>;
  invoke(input: unknown, signal: AbortSignal): Promise<ToolResult>;
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
          throw new Error(describeError(error, logError));
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

function describeError(error: unknown, logError: (error: unknown) => void): string {
  if (error instanceof InputError) return error.message;
  const advice = getFailureAdvice(error);
  if (advice === undefined) logError(error);
  return (
    advice ?? 'Something went wrong inside Grid Data; its log has the details. Do not call again with the same input.'
  );
}
