import { tableLimits } from '../../shared/tableLimits.ts';
import { TableLimitError } from '../errors.ts';

/** Counts the distinct texts of all columns of a table. */
export class TextCounter {
  #texts = 0;
  #characters = 0;

  /** Throws TableLimitError if the text exceeds the limits of the table. */
  add(text: string): void {
    if (this.hasRoomFor(text)) return;
    throw new TableLimitError(this.#texts > tableLimits.texts ? 'tooManyTexts' : 'textsTooLong');
  }

  /** Counts the text and returns whether it is within the limits. Throws TableLimitError if it is too long for a cell. */
  hasRoomFor(text: string): boolean {
    if (text.length > tableLimits.cellLength) throw new TableLimitError('cellTooLong');
    this.#texts++;
    this.#characters += text.length;
    return this.#texts <= tableLimits.texts && this.#characters <= tableLimits.textLength;
  }

  /** Subtracts the texts of an omitted column. */
  remove(texts: Iterable<string>): void {
    for (const { length } of texts) {
      this.#texts--;
      this.#characters -= length;
    }
  }
}
