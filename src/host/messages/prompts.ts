import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { fileLimits } from '../../core/savedQueries/file/fileProblem.ts';
import { createInputBox, createQuickPick } from './messages.ts';
import { systemClock } from '../systemPorts.ts';
import { Debouncer } from '../debouncer.ts';

/** How the user left a step. */
export type StepOutcome<T> =
  | { readonly kind: 'next'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'cancel' };

/** The position of a step in a multi-step prompt. The first step has no Back button. */
export interface StepPosition {
  readonly title: string;
  readonly step: number;
  readonly total: number;
  readonly first: boolean;
}

/** A step of a multi-step prompt. It stores the user's choice itself and returns how it was left. */
export interface PromptStep {
  /** Returns false if there is nothing to choose: the step is skipped and not counted. */
  readonly isNeeded?: () => boolean;
  readonly prompt: (position: StepPosition) => Promise<StepOutcome<unknown>>;
}

/** Awaits the outcome of a step and passes its value to `store`. */
export async function storeOutcome<T>(
  pending: Promise<StepOutcome<T>>,
  store: (value: T) => void,
): Promise<StepOutcome<T>> {
  const outcome = await pending;
  if (outcome.kind === 'next') store(outcome.value);
  return outcome;
}

/** Runs a single step. Returns undefined if the user cancels. */
export async function runStep<T>(
  title: string,
  prompt: (position: StepPosition) => Promise<StepOutcome<T>>,
): Promise<T | undefined> {
  const outcome = await prompt({ title, step: 1, total: 1, first: true });
  return outcome.kind === 'next' ? outcome.value : undefined;
}

/** Runs the steps in order, with a Back button. Returns false if the user cancels. */
export async function runSteps(title: string, steps: readonly PromptStep[]): Promise<boolean> {
  const isStepNeeded = (step: PromptStep): boolean => step.isNeeded?.() !== false;
  let current = steps.find(isStepNeeded);
  while (current) {
    const neededSteps = steps.filter(isStepNeeded);
    const index = neededSteps.indexOf(current);
    const outcome = await current.prompt({ title, step: index + 1, total: neededSteps.length, first: index === 0 });
    if (outcome.kind === 'cancel') return false;
    // The choice may have changed which steps are needed.
    const next: PromptStep[] = steps.filter(step => step === current || isStepNeeded(step));
    current = next[next.indexOf(current) + (outcome.kind === 'back' ? -1 : 1)];
  }
  return true;
}

export interface PickOptions<T extends vscode.QuickPickItem> {
  readonly placeholder: string;
  /** Returns the items for the typed text. VS Code filters them unless an item has `alwaysShow`. */
  readonly items: (typed: string) => readonly T[];
  /** Returns the same items with details that take longer to compute. They replace the first ones unless the text has changed. */
  readonly itemsLater?: (typed: string) => Promise<readonly T[]>;
  readonly value?: string;
  readonly buttons?: readonly (vscode.QuickInputButton & { readonly press: () => Promise<void> })[];
  /** Whether no item has the focus at first, so that pressing Enter chooses nothing. */
  readonly startsUnfocused?: boolean;
  /** Whether this item can be chosen; one that only gives information cannot. */
  readonly accepts?: (item: T) => boolean;
}

/** Shows a quick pick whose items depend on the typed text. */
export async function pick<T extends vscode.QuickPickItem>(
  position: StepPosition,
  options: PickOptions<T>,
): Promise<StepOutcome<T>> {
  const box = createQuickPick<T>();
  Object.assign(box, getTitleProperties(position));
  box.placeholder = options.placeholder;
  box.matchOnDescription = false;
  box.value = options.value ?? '';
  box.items = options.items(box.value);
  if (options.startsUnfocused) box.activeItems = [];
  box.buttons = [...(position.first ? [] : [vscode.QuickInputButtons.Back]), ...(options.buttons ?? [])];
  const debouncer = createTypingDebouncer(box, options.itemsLater, items => {
    const active = box.items.findIndex(item => item === box.activeItems[0]);
    box.items = items;
    box.activeItems = items.slice(Math.max(0, active), Math.max(0, active) + 1);
  });
  if (options.itemsLater) debouncer.trigger();
  box.onDidChangeValue(typed => {
    box.items = options.items(typed);
    debouncer.trigger();
  });
  return new Promise(resolve => {
    let isButtonPromptOpen = false;
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
      const pressedButton = options.buttons?.find(candidate => candidate === button);
      if (!pressedButton) return;
      // The button's own prompt hides this one, which is shown again afterwards.
      isButtonPromptOpen = true;
      void pressedButton.press().then(() => {
        isButtonPromptOpen = false;
        box.show();
        box.items = options.items(box.value);
      });
    });
    box.onDidHide(() => {
      debouncer.cancel();
      if (isButtonPromptOpen) return;
      resolve({ kind: 'cancel' });
      box.dispose();
    });
    box.show();
  });
}

/** Calls `compute` after a pause in typing, and `show` with the result unless the text has changed. */
function createTypingDebouncer<T>(
  box: { readonly value: string },
  compute: ((typed: string) => Promise<T>) | undefined,
  show: (result: T) => void,
): Debouncer {
  const run = async (): Promise<void> => {
    const typed = box.value;
    const result = await compute?.(typed);
    if (result !== undefined && box.value === typed) show(result);
  };
  return new Debouncer({ clock: systemClock, restMs: 200, run });
}

export interface InputOptions {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /** Returns an error message for an invalid text, or information on what a valid one means. */
  readonly validate: (typed: string) => vscode.InputBoxValidationMessage | string | undefined;
  /** Returns a message that takes longer to compute. */
  readonly validateLater?: (typed: string) => Promise<vscode.InputBoxValidationMessage | undefined>;
}

/** Shows an input box that accepts only a valid text. */
export async function input(position: StepPosition, options: InputOptions): Promise<StepOutcome<string>> {
  const box = createInputBox();
  Object.assign(box, getTitleProperties(position));
  box.prompt = options.prompt;
  box.placeholder = options.placeholder ?? '';
  box.value = options.value ?? '';
  box.password = options.password ?? false;
  box.buttons = position.first ? [] : [vscode.QuickInputButtons.Back];
  const check = (): boolean => {
    const message = options.validate(box.value);
    box.validationMessage = message;
    return (
      message === undefined ||
      (typeof message !== 'string' && message.severity !== vscode.InputBoxValidationSeverity.Error)
    );
  };
  const debouncer = createTypingDebouncer(box, options.validateLater, message => {
    box.validationMessage = message;
  });
  box.onDidChangeValue(() => {
    debouncer.trigger();
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
      debouncer.cancel();
      resolve({ kind: 'cancel' });
      box.dispose();
    });
    box.show();
  });
}

function getTitleProperties(position: StepPosition): Pick<vscode.QuickInput, 'title' | 'step' | 'totalSteps'> {
  return position.total > 1
    ? { title: position.title, step: position.step, totalSteps: position.total }
    : { title: position.title, step: undefined, totalSteps: undefined };
}

/** Explains why a name is invalid: it is empty, or longer than a queries file allows. Returns undefined for a valid name. */
export function describeNameProblem(typed: string): string | undefined {
  if (!typed.trim()) return t('Enter a name.');
  return typed.trim().length > fileLimits.text ? t('Enter at most {0} characters.', fileLimits.text) : undefined;
}
