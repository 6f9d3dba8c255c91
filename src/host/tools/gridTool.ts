import { getFailureAdvice } from '../../core/summary/modelText.ts';
import { InputError } from '../inputError.ts';

/** The messages that VS Code shows before a tool runs. With `confirmationMessages`, the user has to confirm. */
export interface PreparedTool {
  readonly invocationMessage?: string;
  /** The number of requests that the confirmation allows. */
  readonly requests?: number;
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

/** Returns a sentence for the model that says what to change. An unknown error is logged. */
export function describeToolError(error: unknown, logError: (error: unknown) => void): string {
  if (error instanceof InputError) return error.message;
  const advice = getFailureAdvice(error);
  if (advice === undefined) logError(error);
  return (
    advice ?? 'Something went wrong inside Grid Data; its log has the details. Do not call again with the same input.'
  );
}
