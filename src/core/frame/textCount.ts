import { tableLimits } from '../../shared/tableLimits.ts';
import { TableLimitError } from '../errors.ts';

/** Counts the different texts of all columns of a table. */
export class TextCount {
  #texts = 0;
  #characters = 0;

  /** Throws TableLimitError where the table has no room for the text. */
  add(text: string): void {
    if (this.hasRoomFor(text)) return;
    throw new TableLimitError(this.#texts > tableLimits.texts ? 'tooManyTexts' : 'textsTooLong');
  }

  /** Counts the text. Throws TableLimitError where it is too long for a cell. */
  hasRoomFor(text: string): boolean {
    if (text.length > tableLimits.cellLength) throw new TableLimitError('cellTooLong');
    this.#texts++;
    this.#characters += text.length;
    return this.#texts <= tableLimits.texts && this.#characters <= tableLimits.textLength;
  }

  /** Texts of a column that is left out. */
  remove(texts: Iterable<string>): void {
    for (const { length } of texts) {
      this.#texts--;
      this.#characters -= length;
    }
  }
}
