import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from '#cli/run-program.ts';
import { pepEnds, type PepEnd } from '#httpep/command/pep-options.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { ask } from './support/ask.ts';
import { expandCommand, readSettings, unitFolder } from './support/read-unit.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const unitOf = (end: PepEnd) => `http-ae-pep-${end}.service`;
const program = '/opt/http-ae/http-ae';

/** The words after `http-ae`, as systemd makes them of a unit and of the EnvironmentFile beside it. */
function argumentsOf(end: PepEnd, credentials: string): string[] {
  const [command] = readSettings(unitOf(end)).get('ExecStart')!;
  const [options] = readSettings(`${end}.env`).get('HTTPEP_OPTIONS')!;
  const [file, ...words] = expandCommand(command!, { HTTPEP_OPTIONS: options!, CREDENTIALS_DIRECTORY: credentials });
  expect(file).toBe(program);
  return words;
}

async function findVersion(): Promise<number | null> {
  try {
    const { output } = await runProgram('systemd-analyze', ['--version'], { signal: AbortSignal.timeout(10_000) });
    return Number(/^systemd (\d+)/.exec(output)?.[1]);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

test('both ends start with the options of the units, and with a key as systemd gives it', async () => {
  await using folder = await makeTemporaryFolder();
  const key = path.join(folder.path, 'key');
  await writeFile(key, 'a key that both of the processes read\n');
  const start = (end: PepEnd, addresses: Record<string, string>) => {
    const words = argumentsOf(end, folder.path).map((word, index, all) => addresses[all[index - 1]!] ?? word);
    return new CliProcess([...words, '--json'], {});
  };
  const portOf = async (process: CliProcess) => (JSON.parse(await process.firstLine()) as { port: number }).port;
  const anyPort = { '--listen': '127.0.0.1:0', '--metrics': '127.0.0.1:0' };
  await chmod(key, 0o400); // on a file system without access control lists
  await using ground = start('ground', anyPort);
  const groundAddress = `127.0.0.1:${await portOf(ground)}`;
  await chmod(key, 0o440); // with them, the mode shows what the list allows at most
  await using remote = start('remote', { ...anyPort, '--ground': groundAddress });
  const port = await portOf(remote);
  await expect.poll(() => remote.stderr).toContain('The tunnel stands');
  const { status, headers } = await ask(`http://${groundAddress}/`, {}, port);
  expect(status).toBe(403);
  expect(JSON.stringify(headers)).toContain('destination_ip_prohibited');
});

describe.each(pepEnds)('the unit of the %s end', (end) => {
  test('is accepted by systemd, without a warning and with a low exposure', async ({ skip }) => {
    const version = await findVersion();
    if (version === null) {
      console.error('systemd-analyze is not installed: the units are NOT verified here. Run: apt-get install systemd');
      return skip('systemd-analyze is not installed');
    }
    await using folder = await makeTemporaryFolder();
    const file = path.join(folder.path, unitOf(end));
    const text = await readFile(path.join(unitFolder, unitOf(end)), 'utf8');
    await writeFile(file, text.replaceAll(program, path.join(root, 'http-ae')));
    const analyze = (...args: string[]) =>
      runProgram('systemd-analyze', [...args, file], { signal: AbortSignal.timeout(20_000) });
    const verified = await analyze('verify');
    expect(verified.output.split('\n').filter((line) => line.includes('http-ae'))).toEqual([]); // it also warns about other units
    expect(verified.exitCode).toBe(0);
    if (version < 250) return; // the first that rates files
    const { exitCode, output } = await analyze('security', '--offline=yes', '--threshold=15', '--no-pager');
    expect(exitCode, output).toBe(0);
  });
});
