import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { packageRoot } from '#cli/installation.ts';
import { testVariables } from '#cli/test/test-options.ts';
import { writingVariable } from './support/recorded-wireshark.ts';

/** Writes what the capinfos and tshark of this machine say of the traces of the tests: `node tests/testbed/write-recorded.ts`. */
const vitest = path.join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs');
const files = ['capture-statistics', 'odd-traces', 'http-requests'].map((name) => `tests/testbed/${name}.slow.test.ts`);
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'testbed-without-link', ...files], {
  cwd: packageRoot,
  stdio: 'inherit',
  env: { ...process.env, [testVariables.all]: 'yes', [writingVariable]: 'yes' },
});
process.exitCode = status ?? 1;
