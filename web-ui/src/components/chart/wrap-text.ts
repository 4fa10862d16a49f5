/** A text in lines of at most so many letters, broken at spaces; a longer word stands alone. */
export function wrapText(text: string, mostLetters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= mostLetters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
