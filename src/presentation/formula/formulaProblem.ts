import { t } from '@vscode/l10n';
import { formulaProblems, type FormulaError } from '../../core/formula/formula.ts';

/** The sentence on a problem of a formula, in the person's language. */
export function formulaProblem({ reason, parts }: FormulaError): string {
  return t(formulaProblems[reason], ...parts);
}
