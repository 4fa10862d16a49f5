import { open } from 'node:fs/promises';

/** Read of the file, and kept of it. */
const mostReadBytes = 1024 * 1024;
const mostKeptCharacters = 24 * 1024;

/** The last state of each counter in a file of `pep --counters`, as JSON lines without their times; empty where there is none. */
export async function readLastCounters(file: string): Promise<string> {
  const last = new Map<string, string>();
  for (const line of (await readTail(file)).split('\n')) {
    const counts = parseCounts(line);
    if (counts === null) continue;
    const { kind, user, tunnel, slot, url, startedAt } = counts;
    last.set(JSON.stringify([kind, user, tunnel, slot, url, startedAt]), `${JSON.stringify(counts)}\n`);
  }
  let kept = '';
  // Pages are many: where not all fit, they leave room for users and connections.
  const inOrder = [...last.values()].toSorted((one, other) => Number(isPage(one)) - Number(isPage(other)));
  for (const line of inOrder) if (kept.length + line.length <= mostKeptCharacters) kept += line;
  return kept;
}

const isPage = (line: string) => line.includes('"kind":"page"');

async function readTail(file: string): Promise<string> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const length = Math.min(size, mostReadBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Null for a line that was cut. */
function parseCounts(line: string): Record<string, unknown> | null {
  try {
    const { at, ...counts } = JSON.parse(line) as Record<string, unknown>;
    return at === undefined ? null : counts;
  } catch {
    return null;
  }
}
