import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const main = path.resolve(import.meta.dirname, '../../../cli/main.ts');

test('a command whose reader goes away ends without a word', async () => {
  // The schema is longer than a pipe holds.
  const script = '"$0" --conditions node "$1" schema | head -c 1; echo " ${PIPESTATUS[0]}"';
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script, process.execPath, main]);
  expect(stderr).toBe('');
  // 128 and the number of SIGTERM.
  expect(stdout).toBe('{ 143\n');
});

const run = async (script: string) => {
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script, process.execPath, main]);
  return { stdout, stderr };
};

test('a command whose output has no room says so, and ends in order', async () => {
  const { stdout, stderr } = await run('"$0" --conditions node "$1" schema > /dev/full; echo "$?"');
  expect(stderr).toMatch(/^The output cannot be written: ENOSPC: no space left on device, write\n(Terminated\n)?$/);
  expect(stdout).toBe('143\n');
});

test('a command whose messages have no room continues, and ends with its own status', async () => {
  const { stdout } = await run('"$0" --conditions node "$1" evaluate /nowhere.yaml 2> /dev/full; echo "$?"');
  expect(stdout).toBe('2\n');
});
