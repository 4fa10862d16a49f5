const mostWords = 10;

/** The words that are looked for. */
export function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, mostWords);
}
