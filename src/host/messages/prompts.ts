import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { fileLimits } from '../../core/savedQueries/file/fileProblem.ts';
import { createInputBox, createQuickPick } from './messages.ts';
import { systemClock } from '../systemPorts.ts';
import { WhenAtRest } from '../whenAtRest.ts';

/** How a person left a step. */
export type StepOutcome<T> =
  | { readonly kind: 'next'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'cancel' };

/** The position of a step in its wizard; `first` steps have no Back button. */
export interface StepPosition {
  readonly title: string;
  readonly step: number;
  readonly total: number;
  readonly first: boolean;
}

/** One step: it asks, keeps the answer itself and says how it was left. */
export interface Step {
  /** False where there is nothing to choose: the step is passed over, and not counted. */
  readonly isNeeded?: () => boolean;
  readonly ask: (place: StepPosition) => Promise<StepOutcome<unknown>>;
}

/** The outcome of a step; an answer goes to `take`. */
export async function taken<T>(asked: Promise<StepOutcome<T>>, take: (value: T) => void): Promise<StepOutcome<T>> {
  const outcome = await asked;
  if (outcome.kind === 'next') take(outcome.value);
  return outcome;
}

/** Asks a single step; undefined when the person left. */
export async function askAlone<T>(
  title: string,
  ask: (place: StepPosition) => Promise<StepOutcome<T>>,
): Promise<T | undefined> {
  const outcome = await ask({ title, step: 1, total: 1, first: true });
  return outcome.kind === 'next' ? outcome.value : undefined;
}

/** Walks the steps with a way back; false when the person left. */
export async function askSteps(title: string, steps: readonly Step[]): Promise<boolean> {
  const needed = (step: Step): boolean => step.isNeeded?.() !== false;
  let current = steps.find(needed);
  while (current) {
    const asked = steps.filter(needed);
    const at = asked.indexOf(current);
    const outcome = await current.ask({ title, step: at + 1, total: asked.length, first: at === 0 });
    if (outcome.kind === 'cancel') return false;
    // What is asked next depends on the answer.
    const next: Step[] = steps.filter(step => step === current || needed(step));
    current = next[next.indexOf(current) + (outcome.kind === 'back' ? -1 : 1)];
  }
  return true;
}

export interface PickOptions<T extends vscode.QuickPickItem> {
  readonly placeholder: string;
  /** The items for what is typed; they are shown as given, without VS Code's own filter where `alwaysShow` is set. */
  readonly items: (typed: string) => readonly T[];
  /** The same items with what takes longer to find out; they replace the first ones unless the text has changed. */
  readonly itemsLater?: (typed: string) => Promise<readonly T[]>;
  readonly value?: string;
  readonly buttons?: readonly (vscode.QuickInputButton & { readonly press: () => Promise<void> })[];
  /** No item has the focus before the person moves it there: Enter alone chooses nothing. */
  readonly startsUnfocused?: boolean;
  /** Whether this item can be chosen; one that only explains cannot. */
  readonly accepts?: (item: T) => boolean;
}

/** A quick pick whose items follow the typed text. */
export async function pick<T extends vscode.QuickPickItem>(
  place: StepPosition,
  options: PickOptions<T>,
): Promise<StepOutcome<T>> {
  const box = createQuickPick<T>();
  Object.assign(box, titles(place));
  box.placeholder = options.placeholder;
  box.matchOnDescription = false;
  box.value = options.value ?? '';
  box.items = options.items(box.value);
  if (options.startsUnfocused) box.activeItems = [];
  box.buttons = [...(place.first ? [] : [vscode.QuickInputButtons.Back]), ...(options.buttons ?? [])];
  const later = whenTyped(box, options.itemsLater, items => {
    const active = box.items.findIndex(item => item === box.activeItems[0]);
    box.items = items;
    box.activeItems = items.slice(Math.max(0, active), Math.max(0, active) + 1);
  });
  if (options.itemsLater) later.stir();
  box.onDidChangeValue(typed => {
    box.items = options.items(typed);
    later.stir();
  });
  return new Promise(resolve => {
    let pressed = false;
    const leave = (outcome: StepOutcome<T>): void => {
      resolve(outcome);
      box.hide();
    };
    box.onDidAccept(() => {
      const item = box.selectedItems[0] ?? box.activeItems[0];
      if (item && options.accepts?.(item) !== false) leave({ kind: 'next', value: item });
    });
    box.onDidTriggerButton(button => {
      if (button === vscode.QuickInputButtons.Back) leave({ kind: 'back' });
      const own = options.buttons?.find(candidate => candidate === button);
      if (!own) return;
      // Its own prompt hides this one; the step is shown again when it ends.
      pressed = true;
      void own.press().then(() => {
        pressed = false;
        box.show();
        box.items = options.items(box.value);
      });
    });
    box.onDidHide(() => {
      later.stop();
      if (pressed) return;
      resolve({ kind: 'cancel' });
      box.dispose();
    });
    box.show();
  });
}

/** Calls `ask` after a pause in typing, and `show` with the result unless the text has changed. */
function whenTyped<T>(
  box: { readonly value: string },
  ask: ((typed: string) => Promise<T>) | undefined,
  show: (answer: T) => void,
): WhenAtRest {
  const act = async (): Promise<void> => {
    const typed = box.value;
    const answer = await ask?.(typed);
    if (answer !== undefined && box.value === typed) show(answer);
  };
  return new WhenAtRest({ clock: systemClock, restMs: 200, act });
}

export interface InputOptions {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /** The sentence on what is wrong with the text, or a remark on what it means. */
  readonly validate: (typed: string) => vscode.InputBoxValidationMessage | string | undefined;
  /** The same with what takes longer to find out. */
  readonly validateLater?: (typed: string) => Promise<vscode.InputBoxValidationMessage | undefined>;
}

/** An input box that keeps what was typed until it is right. */
export async function input(place: StepPosition, options: InputOptions): Promise<StepOutcome<string>> {
  const box = createInputBox();
  Object.assign(box, titles(place));
  box.prompt = options.prompt;
  box.placeholder = options.placeholder ?? '';
  box.value = options.value ?? '';
  box.password = options.password ?? false;
  box.buttons = place.first ? [] : [vscode.QuickInputButtons.Back];
  const check = (): boolean => {
    const remark = options.validate(box.value);
    box.validationMessage = remark;
    return (
      remark === undefined ||
      (typeof remark !== 'string' && remark.severity !== vscode.InputBoxValidationSeverity.Error)
    );
  };
  const later = whenTyped(box, options.validateLater, message => {
    box.validationMessage = message;
  });
  box.onDidChangeValue(() => {
    later.stir();
    if (box.validationMessage !== undefined || !options.password) check();
  });
  return new Promise(resolve => {
    box.onDidAccept(() => {
      if (!check()) return;
      resolve({ kind: 'next', value: box.value });
      box.hide();
    });
    box.onDidTriggerButton(button => {
      if (button !== vscode.QuickInputButtons.Back) return;
      resolve({ kind: 'back' });
      box.hide();
    });
    box.onDidHide(() => {
      later.stop();
      resolve({ kind: 'cancel' });
      box.dispose();
    });
    box.show();
  });
}

function titles(place: StepPosition): Pick<vscode.QuickInput, 'title' | 'step' | 'totalSteps'> {
  return place.total > 1
    ? { title: place.title, step: place.step, totalSteps: place.total }
    : { title: place.title, step: undefined, totalSteps: undefined };
}

/** A sentence on why a name is not valid: empty, or longer than the files allow. */
export function nameProblem(typed: string): string | undefined {
  if (!typed.trim()) return t('Enter a name.');
  return typed.trim().length > fileLimits.text ? t('Enter at most {0} characters.', fileLimits.text) : undefined;
}
