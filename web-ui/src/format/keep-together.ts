/** The text without a place to break a line between a number and its unit, or within `p < 0.001`. */
export function keepTogether(text: string): string {
  return text
    .replace(/(?<=\d) (?=(?:%|ms|s|kb\/s|kB|MB)(?!\w))/g, '\u00A0')
    .replace(/\bp ([<=]) (?=\d)/g, 'p\u00A0$1\u00A0');
}
