import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formats } from '../../core/export/formats.ts';
import { exportFormats, exportScopes, type ExportTables } from '../../shared/exportOptions.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { exportSettingsPrefix } from '../ids.ts';
import { askSteps, pick, taken, type Step, type StepOutcome, type StepPosition } from '../messages/prompts.ts';
import { choiceText, formatText, placeName, scopeName, scopeText } from './exportMessages.ts';
import { exportPlaces, type ExportChoice } from './exportChoice.ts';
import { exportSettings } from '../settings.ts';

export interface ExportRequest {
  readonly title: string;
  /** The tables that can be exported, by scope. */
  readonly tables: ExportTables;
  readonly zone: DisplayZone;
  /** The last choice. */
  readonly last: ExportChoice | undefined;
  /** The parts of the choice that are not prompted for. */
  readonly given: Partial<ExportChoice>;
}

/** An item that updates the draft when it is chosen. */
interface ChoiceItem extends vscode.QuickPickItem {
  readonly onChosen: () => void;
}

/** Prompts for scope, format and destination. The last choice comes first. Returns undefined if the person cancels. */
export async function promptExport(question: ExportRequest): Promise<ExportChoice | undefined> {
  const { tables, last, given } = question;
  const scopes = exportScopes.filter(scope => tables[scope]);
  const { scope: wanted, ...settledOtherwise } = given;
  // The requested scope may not exist, such as a selection; then the person is asked.
  const isThere = wanted !== undefined && (scopes.length === 0 || scopes.includes(wanted));
  const only = isThere ? wanted : wanted === undefined && scopes.length === 1 ? scopes[0] : undefined;
  let draft: Partial<ExportChoice> = { ...settledOtherwise, ...(only && { scope: only }) };
  const settled = { ...draft };
  let isRepeated = false;
  const canRepeat = last && scopes.includes(last.scope) && Object.keys(given).length === 0;
  const repeat = (place: StepPosition): ChoiceItem[] => {
    if (!canRepeat || !place.first) return [];
    const onChosen = (): void => {
      draft = last;
      isRepeated = true;
    };
    return [{ label: t('Repeat Last Export'), description: choiceText(last), onChosen }];
  };
  const set = (part: Partial<ExportChoice>) => (): void => {
    draft = { ...draft, ...part };
  };
  const isText = (): boolean => draft.format === undefined || formats[draft.format].text !== undefined;
  const steps: Step[] = [
    {
      isNeeded: () => settled.scope === undefined,
      ask: async place => ask(place, t('Select what to export'), [...repeat(place), ...scopeItems(question, set)]),
    },
    {
      isNeeded: () => settled.format === undefined && !isRepeated,
      ask: async place => {
        const items = [...repeat(place), ...formatItems(settled.place, set)];
        return ask(place, t('Select a format'), items, [settingsButton()]);
      },
    },
    {
      isNeeded: () => settled.place === undefined && !isRepeated && isText(),
      ask: async asked => {
        const items = exportPlaces.map(place => ({ label: placeName(place), onChosen: set({ place }) }));
        return ask(asked, t('Select a destination'), items);
      },
    },
  ];
  if (!(await askSteps(question.title, steps))) return undefined;
  const { scope, format } = draft;
  // Binary formats always go to a file.
  const place = isText() ? draft.place : 'file';
  return scope && format && place && { scope, format, place };
}

type Set = (part: Partial<ExportChoice>) => () => void;

function scopeItems({ tables, zone }: ExportRequest, set: Set): ChoiceItem[] {
  return exportScopes.flatMap(scope => {
    const table = tables[scope];
    if (!table) return [];
    return { label: scopeName(scope), description: scopeText(scope, table, zone), onChosen: set({ scope }) };
  });
}

function formatItems(place: ExportChoice['place'] | undefined, set: Set): ChoiceItem[] {
  const { dialect, dialectLocale } = exportSettings();
  return exportFormats
    .filter(format => place === undefined || place === 'file' || formats[format].text !== undefined)
    .map(format => {
      const description = formatText(format, dialect, dialectLocale);
      return { label: formats[format].name, description, onChosen: set({ format }) };
    });
}

type PickButtons = NonNullable<Parameters<typeof pick>[1]['buttons']>;

async function ask(
  place: StepPosition,
  placeholder: string,
  items: readonly ChoiceItem[],
  buttons: PickButtons = [],
): Promise<StepOutcome<ChoiceItem>> {
  return taken(pick(place, { placeholder, items: () => items, buttons }), item => item.onChosen());
}

function settingsButton(): PickButtons[number] {
  const press = async (): Promise<void> =>
    vscode.commands.executeCommand('workbench.action.openSettings', exportSettingsPrefix);
  return { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Open Export Settings'), press };
}
