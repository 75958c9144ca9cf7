/** Text from the wire as a terminal may show it. */

/** Characters of one text that are shown. */
const MAX_SHOWN = 2000;

/** The text with every control character and every invisible one written out, and not too long. */
export function visible(text: string, limit: number = MAX_SHOWN): string {
  const shown = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return shown.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return character === "\n" ? "\\n" : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
