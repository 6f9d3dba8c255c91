import { t } from '@vscode/l10n';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { exportFormats } from '../../shared/exportOptions.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { choiceArgument, type ExportChoice } from './exportChoice.ts';
import type { ResultExport } from './resultExport.ts';
import { commands } from '../ids.ts';
import { InputError } from '../inputError.ts';
import type { QuerySessions } from '../panel/querySessions.ts';

export interface ExportCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly sessions: QuerySessions;
  readonly exporting: ResultExport;
}

/** Registers Export Result…, Repeat Last Export and Open Result in Editor…. */
export function registerExportCommands({ boundary, sessions, exporting }: ExportCommandsDeps): vscode.Disposable {
  return vscode.Disposable.from(
    boundary.register(commands.exportResult, async argument =>
      exporting.export(sessions.activeOne(), choiceOf(argument)),
    ),
    boundary.register(commands.exportResultAgain, async () => exporting.again(sessions.activeOne())),
    boundary.register(commands.openResultInEditor, async argument => {
      await exporting.openInEditor(
        sessions.activeOne(),
        exportFormats.find(format => format === argument),
      );
    }),
  );
}

/** Reads the argument of a keybinding, such as {"format": "csv", "place": "clipboard"}. Throws InputError. */
function choiceOf(argument: unknown): Partial<ExportChoice> {
  const parsed = v.safeParse(choiceArgument, argument ?? {});
  if (parsed.success) return definedOf(parsed.output);
  const { message } = parsed.issues[0];
  throw new InputError(t('Invalid export arguments: {0}', message));
}

function definedOf(choice: v.InferOutput<typeof choiceArgument>): Partial<ExportChoice> {
  const { scope, format, place } = choice;
  return { ...(scope && { scope }), ...(format && { format }), ...(place && { place }) };
}
