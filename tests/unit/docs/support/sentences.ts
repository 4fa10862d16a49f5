/** Phrases that `docs/contributing/words.md` replaces by plainer ones. */
const banned =
  /\b(tell|tells|telling|told|whoever|whomever|whatever|whichever|anew|mend|mends|mended|stands? in|goes on|go on|for ever|as it were|thereof|wherein|whereof|of that of|be it|nothing but|cannot but)\b/i;

export const longestWords = 25;

/** The phrase of the text that is not to be used, if any. */
export function findBanned(text: string): string | null {
  return banned.exec(text)?.[0] ?? null;
}

/** The words of each sentence. Code in backticks counts as one word, a list of such names too, a link by its text, and a quotation of a paper as one word. */
export function countWords(text: string): { sentence: string; words: number }[] {
  const plain = text
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/"[^"]{40,}"/g, 'QUOTATION')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*/g, '');
  return plain
    .split(/(?<=[.!?:]["”’)]?)\s+(?=["“(]?[A-Z0-9…])|(?<=[.!?]["”’)])\s+|\n{2,}/)
    .map((sentence) => ({
      sentence: sentence.trim(),
      words: sentence
        .replace(/^CODE(?:, CODE)+(?=\.?$)/, 'CODE')
        .split(/\s+/)
        .filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    }))
    .filter(({ words }) => words > 0);
}

/** The prose of a Markdown document: paragraphs, items of lists and cells of tables, without code and comments. */
export function readProse(markdown: string): string[] {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/<!--[\s\S]*?-->/g, '');
  const lines = text.split('\n');
  const prose: string[] = [];
  let current = '';
  const end = () => {
    if (current.trim() !== '') prose.push(current.trim());
    current = '';
  };
  for (const line of lines) {
    if (line.startsWith('|')) {
      end();
      prose.push(
        ...line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim())
          .filter((cell) => /[\p{L}]/u.test(cell)),
      );
    } else if (line.trim() === '' || line.startsWith('#')) {
      end();
      current = line.replace(/^#+\s+/, '');
      end();
    } else if (/^\s*([-*]|\d+\.)\s/.test(line)) {
      end();
      current = line.replace(/^\s*([-*]|\d+\.)\s+/, '');
    } else {
      current += ` ${line.trim()}`;
    }
  }
  end();
  return prose;
}
