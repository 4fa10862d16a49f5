import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of the test's own, removed when disposed of. */
export async function makeTemporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-test-'));
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
