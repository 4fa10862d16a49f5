import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { CliProcess } from '#tests/support/cli-process.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { startOddOrigin, type OddOrigin } from './odd-origin.ts';

/** For the tests of a file: a folder with a key, an origin, and `./http-ae pep` with that key. */
export function usePepCommand() {
  const started = {} as { folder: string; origin: OddOrigin; keyFile: string };
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  const write = async (name: string, text: string) => {
    const file = path.join(started.folder, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    started.folder = folder.path;
    started.origin = await startOddOrigin();
    started.keyFile = await write('key', 'a key that both of the processes read\n');
  });
  afterAll(async () => {
    await started.origin[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return Object.assign(started, {
    write,
    /** One end, which prints its ports. */
    start: (...args: string[]) => new CliProcess(['pep', ...args, '--key', started.keyFile, '--json'], {}),
  });
}

/** The port that an end prints when it listens. */
export async function portOf(end: CliProcess): Promise<number> {
  return (JSON.parse(await end.firstLine()) as { port: number }).port;
}
