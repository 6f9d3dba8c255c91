import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { exportFormatDescriptors } from '../../core/export/formats.ts';
import { exportFormats, exportScopes, type ExportTables } from '../../shared/exportOptions.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { exportSettingsPrefix } from '../ids.ts';
import {
  runSteps,
  pick,
  storeOutcome,
  type PromptStep,
  type StepOutcome,
  type StepPosition,
} from '../messages/prompts.ts';
import { formatChoice, describeFormat, destinationName, scopeName, describeExportScope } from './exportMessages.ts';
import { exportDestinations, type ExportChoice } from './exportChoice.ts';
import { exportSettings } from '../settings.ts';

export interface ExportPromptOptions {
  readonly title: string;
  /** The tables that can be exported, by scope. */
  readonly tables: ExportTables;
  readonly zone: DisplayZone;
  /** The last choice. */
  readonly last: ExportChoice | undefined;
  /** The parts of the choice that are not prompted for. */
  readonly fixedChoices: Partial<ExportChoice>;
}

/** An item that updates the draft when it is chosen. */
interface ChoiceItem extends vscode.QuickPickItem {
  readonly onChosen: () => void;
}

/** Prompts for scope, format and destination. The last choice comes first. Returns undefined if the user cancels. */
export async function promptExport(options: ExportPromptOptions): Promise<ExportChoice | undefined> {
  const { tables, last, fixedChoices } = options;
  const scopes = exportScopes.filter(scope => tables[scope]);
  const { scope: requestedScope, ...otherChoices } = fixedChoices;
  // The requested scope may not exist, such as a selection; then the user is prompted for it.
  const isAvailable = requestedScope !== undefined && (scopes.length === 0 || scopes.includes(requestedScope));
  const presetScope = isAvailable
    ? requestedScope
    : requestedScope === undefined && scopes.length === 1
      ? scopes[0]
      : undefined;
  let draft: Partial<ExportChoice> = { ...otherChoices, ...(presetScope && { scope: presetScope }) };
  const preset = { ...draft };
  let isRepeated = false;
  const canRepeat = last && scopes.includes(last.scope) && Object.keys(fixedChoices).length === 0;
  const repeatItems = (position: StepPosition): ChoiceItem[] => {
    if (!canRepeat || !position.first) return [];
    const onChosen = (): void => {
      draft = last;
      isRepeated = true;
    };
    return [{ label: t('Repeat Last Export'), description: formatChoice(last), onChosen }];
  };
  const set = (part: Partial<ExportChoice>) => (): void => {
    draft = { ...draft, ...part };
  };
  const isText = (): boolean => draft.format === undefined || exportFormatDescriptors[draft.format].text !== undefined;
  const steps: PromptStep[] = [
    {
      isNeeded: () => preset.scope === undefined,
      prompt: async position =>
        pickChoice(position, t('Select what to export'), [...repeatItems(position), ...createScopeItems(options, set)]),
    },
    {
      isNeeded: () => preset.format === undefined && !isRepeated,
      prompt: async position => {
        const items = [...repeatItems(position), ...formatItems(preset.place, set)];
        return pickChoice(position, t('Select a format'), items, [createSettingsButton()]);
      },
    },
    {
      isNeeded: () => preset.place === undefined && !isRepeated && isText(),
      prompt: async position => {
        const items = exportDestinations.map(destination => ({
          label: destinationName(destination),
          onChosen: set({ place: destination }),
        }));
        return pickChoice(position, t('Select a destination'), items);
      },
    },
  ];
  if (!(await runSteps(options.title, steps))) return undefined;
  const { scope, format } = draft;
  // Binary formats always go to a file.
  const destination = isText() ? draft.place : 'file';
  return scope && format && destination && { scope, format, place: destination };
}

type SetChoice = (part: Partial<ExportChoice>) => () => void;

function createScopeItems({ tables, zone }: ExportPromptOptions, set: SetChoice): ChoiceItem[] {
  return exportScopes.flatMap(scope => {
    const table = tables[scope];
    if (!table) return [];
    return { label: scopeName(scope), description: describeExportScope(scope, table, zone), onChosen: set({ scope }) };
  });
}

function formatItems(destination: ExportChoice['place'] | undefined, set: SetChoice): ChoiceItem[] {
  const { dialect, dialectLocale } = exportSettings();
  return exportFormats
    .filter(
      format =>
        destination === undefined || destination === 'file' || exportFormatDescriptors[format].text !== undefined,
    )
    .map(format => {
      const description = describeFormat(format, dialect, dialectLocale);
      return { label: exportFormatDescriptors[format].name, description, onChosen: set({ format }) };
    });
}

type PickButtons = NonNullable<Parameters<typeof pick>[1]['buttons']>;

async function pickChoice(
  position: StepPosition,
  placeholder: string,
  items: readonly ChoiceItem[],
  buttons: PickButtons = [],
): Promise<StepOutcome<ChoiceItem>> {
  return storeOutcome(pick(position, { placeholder, items: () => items, buttons }), item => item.onChosen());
}

function createSettingsButton(): PickButtons[number] {
  const press = async (): Promise<void> =>
    vscode.commands.executeCommand('workbench.action.openSettings', exportSettingsPrefix);
  return { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Open Export Settings'), press };
}
