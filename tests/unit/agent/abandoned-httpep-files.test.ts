import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { holdAgent } from './hold-agent.ts';

const script = path.join(import.meta.dirname, 'hold-httpep-command.ts');

afterEach(() => vi.unstubAllEnvs());

/** A process with files of HTTPEP in the folder, and how to kill it. */
async function holdFiles(folder: string) {
  const holder = spawn(process.execPath, [script], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(holder.stdout), 'line');
  const gone = once(holder, 'exit');
  return async () => {
    holder.kill('SIGKILL');
    await gone;
  };
}

test('the key that a killed Agent leaves is removed by the next one, and that of a living Agent is not', async () => {
  await using folder = await makeTemporaryFolder();
  const kill = await holdFiles(folder.path);
  const abandoned = await readdir(folder.path);
  expect(abandoned).toHaveLength(1);
  expect(await readdir(path.join(folder.path, abandoned[0]!))).toContain('key');
  await kill();
  const killLiving = await holdFiles(folder.path);
  try {
    vi.stubEnv('TMPDIR', folder.path);
    await using agent = await holdAgent();
    await expect.poll(() => agent.said.some(({ type }) => type === 'hello')).toBe(true);
    const left = (await readdir(folder.path)).filter((name) => name.startsWith('http-ae-httpep-'));
    expect(left).toHaveLength(1);
    expect(left).not.toEqual(abandoned);
  } finally {
    await killLiving();
  }
});
