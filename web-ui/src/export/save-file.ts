/** Gives the reader a file to keep. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has taken the Blob by the next task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name for a file, of letters, digits and dashes: `Run 7: total` → `run-7-total`. */
export function nameFile(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return name.slice(0, 80) || 'figure';
}
