import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { chooseAccount, userOf } from '#controller/database/embedded/choose-account.ts';
import { locateBinaries } from '#controller/database/embedded/start-embedded-postgres.ts';

const execute = promisify(execFile);

test.each([{ mayChangeUser: true }, { mayChangeUser: false }])(
  'PostgreSQL never runs as root, and finds its binaries (%o)',
  async (options) => {
    const account = await chooseAccount(await locateBinaries(), options);
    const run = async (...command: string[]) => {
      const [first, ...rest] = [...account.prefix, ...command];
      return (await execute(first!, rest, { cwd: '/', ...userOf(account) })).stdout.trim();
    };
    expect(await run('id', '-u')).not.toBe('0');
    expect(await run(path.join(account.binaries, 'postgres'), '--version')).toMatch(/^postgres \(PostgreSQL\) \d+/);
  },
);
