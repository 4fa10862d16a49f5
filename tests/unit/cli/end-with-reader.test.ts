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
