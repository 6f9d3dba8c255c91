import { t } from '@vscode/l10n';
import { formulaProblems, type FormulaError } from '../../core/formula/formula.ts';

/** Describes an error in a formula, translated. */
export function describeFormulaProblem({ reason, parts }: FormulaError): string {
  return t(formulaProblems[reason], ...parts);
}
