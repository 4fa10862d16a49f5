/** About one frame of a display. */
const askAgainAfterMs = 16;

/** What is found within this time; null when nothing is. */
export async function waitFor<T>(find: () => T | null, timeoutMs: number): Promise<T | null> {
  const endMs = performance.now() + timeoutMs;
  while (true) {
    const found = find();
    if (found !== null || performance.now() >= endMs) return found;
    await new Promise((resolve) => setTimeout(resolve, askAgainAfterMs));
  }
}
