import * as vscode from 'vscode';
import { inertText } from '../../core/inertText.ts';
import { InputError } from '../inputError.ts';
import { createMarkdown } from '../messages/messages.ts';
import { adviceOn } from '../../core/summary/modelText.ts';

/** What VS Code shows before a tool runs; where `confirmationMessages` are, the person is asked. */
export interface PreparedTool {
  readonly invocationMessage?: string;
  readonly confirmationMessages?: { readonly title: string; readonly message: string };
}

/** The answer of a tool. */
export interface ToolAnswer {
  readonly text: string;
  /** A chart, the bytes of a PNG. */
  readonly picture?: Uint8Array;
}

/** One tool of a language model: what it would do, and its answer. */
export interface GridTool {
  /** Sends nothing. Throws where the input cannot be used. */
  prepare(input: unknown): Promise<PreparedTool>;
  answer(input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
}

/** A tool in VS Code's interface. An error becomes a sentence on what to change; an unknown one is logged. */
export function asLanguageModelTool(
  tool: GridTool,
  logError: (error: unknown) => void,
): vscode.LanguageModelTool<unknown> {
  return {
    async prepareInvocation({ input }) {
      // The call itself reports invalid input to the model, and sends no request then.
      return asInvocation(await tool.prepare(input).catch(() => ({})));
    },
    async invoke({ input }, token) {
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      try {
        if (token.isCancellationRequested) abort.abort();
        const { text, picture } = await tool.answer(input, abort.signal).catch((error: unknown) => {
          throw new Error(sentenceOn(error, logError));
        });
        const chart = picture ? [vscode.LanguageModelDataPart.image(picture, 'image/png')] : [];
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text), ...chart]);
      } finally {
        listening.dispose();
      }
    },
  };
}

/** Chats read texts as Markdown. */
function asInvocation({ invocationMessage, confirmationMessages }: PreparedTool): vscode.PreparedToolInvocation {
  const { title, message } = confirmationMessages ?? {};
  return {
    ...(invocationMessage !== undefined && { invocationMessage: createMarkdown([invocationMessage]) }),
    ...(title !== undefined &&
      message !== undefined && {
        confirmationMessages: { title: inertText(title), message: createMarkdown([message]) },
      }),
  };
}

function sentenceOn(error: unknown, logError: (error: unknown) => void): string {
  if (error instanceof InputError) return error.message;
  const advice = adviceOn(error);
  if (advice === undefined) logError(error);
  return (
    advice ?? 'Something went wrong inside Grid Data; its log has the details. Do not call again with the same input.'
  );
}
