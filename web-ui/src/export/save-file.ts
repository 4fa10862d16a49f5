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
