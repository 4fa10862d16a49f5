/** The words of a text as a POSIX shell splits them, without expansions; null where a quotation mark has no partner. */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word = '';
  let isInWord = false;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== '') {
      if (letter === quote) quote = '';
      else if (letter === '\\' && quote === '"' && /["\\$`]/.test(text[at + 1] ?? '')) word += text[++at]!;
      else word += letter;
    } else if (/\s/.test(letter)) {
      if (isInWord) words.push(word);
      isInWord = false;
      word = '';
    } else {
      isInWord = true;
      if (letter === '"' || letter === "'") quote = letter;
      else word += letter === '\\' ? (text[++at] ?? '') : letter;
    }
  }
  if (quote !== '') return null;
  return isInWord ? [...words, word] : words;
}
