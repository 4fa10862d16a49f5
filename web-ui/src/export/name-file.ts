/** A name for a file, of letters, digits and dashes: `Run 7: total` → `run-7-total`. */
export function nameFile(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return name.slice(0, 80) || 'figure';
}
