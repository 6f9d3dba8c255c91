const mostCharacters = 100;
/** They would change how a list or a terminal shows the text around the name. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The name of a key as it is kept, without blanks around it; undefined for a text that cannot be one. */
export function readKeyName(text: string): string | undefined {
  const name = text.trim();
  return name !== '' && name.length <= mostCharacters && !unseen.test(name) ? name : undefined;
}

/** What may be a name, for sentences. */
export const keyNameRule = `1 to ${mostCharacters} characters, none of which controls a line or the direction of the text`;
