import type { FieldInfo, Figure } from '../../shared/frame.ts';

/** What a figure is called, {0} being the label or the meaning of the hours' field; one without a label is called as that. */
export const figureTexts: Readonly<Record<Figure, { readonly label?: string; readonly meaning: string }>> = {
  mean: { meaning: '{0}. Mean of the hours of the day that have a value' },
  share: {
    meaning:
      '{0}. Made from the energies of the day, not the mean of its hours; none where an hour has 0 %, as what that is a share of is not known',
  },
  total: { meaning: '{0}. Sum of the hours of the day that have a value' },
  energy: { label: '{0}, energy', meaning: '{0}. Energy of the hours of the day that have a value' },
  min: { label: '{0}, min', meaning: '{0}. The least hour of the day' },
  max: { label: '{0}, max', meaning: '{0}. The greatest hour of the day' },
};

/** Fills in {0} and so on; where a person reads it, in their language. */
export type Say = (text: string, ...parts: string[]) => string;

const inEnglish: Say = (text, ...parts) => text.replace(/\{(\d)\}/g, (_, at: string) => parts[Number(at)] ?? '');

/** A field with what its number is of the hours, in the words of `say`; left out, in English, which is what files say. */
export function fieldInWords({ figure, ...field }: FieldInfo, say = inEnglish): FieldInfo {
  const [label, meaning] = [say(field.label), say(field.meaning)];
  if (figure === undefined) return { ...field, label, meaning };
  const texts = figureTexts[figure];
  return {
    ...field,
    label: texts.label === undefined ? label : say(texts.label, label),
    meaning: say(texts.meaning, meaning || label),
  };
}
