import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { watchInterrupts } from '#cli/watch-interrupts.ts';
import { pepCommand } from '#httpep/command/pep-command.ts';
import { chooseCompression } from '#httpep/command/run-pep.ts';
import type { CliProcess } from '#tests/support/cli-process.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { ask } from './support/ask.ts';
import { listRefusedOptions } from './support/refused-options.ts';
import { portOf, usePepCommand } from './support/use-pep-command.ts';

const pep = usePepCommand();

test('both ends publish their counters, and write them at the end', async () => {
  const files = ['ground', 'remote'].map((end) => path.join(pep.folder, `${end}.jsonl`));
  const publish = (n: number) => ['--metrics', '127.0.0.1:0', '--counters', files[n]!];
  const metricsOf = async (end: CliProcess) => {
    const { metricsPort } = JSON.parse(await end.firstLine()) as { metricsPort: number };
    return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  };
  {
    await using ground = pep.start(
      'ground',
      '--listen',
      '127.0.0.1:0',
      '--allow-private',
      '127.0.0.0/8',
      ...publish(0),
    );
    const groundPort = await portOf(ground);
    await using remote = pep.start(
      'remote',
      '--listen',
      '127.0.0.1:0',
      '--ground',
      `127.0.0.1:${groundPort}`,
      ...publish(1),
    );
    expect(
      (await ask(`${pep.origin.url}/plain`, { headers: { accept: 'text/html' } }, await portOf(remote))).status,
    ).toBe(200);
    expect(await metricsOf(remote)).toContain('httpep_remote_user_requests_total{user="127.0.0.1"} 1\n');
    expect(await metricsOf(ground)).toContain('httpep_ground_user_requests_total{user="127.0.0.1"} 1\n');
  }
  const [groundLines, remoteLines] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  expect(groundLines).toContain('"kind":"user","user":"127.0.0.1","requests":1');
  expect(remoteLines).toContain(`"kind":"page","user":"127.0.0.1","url":"${pep.origin.url}/plain"`);
});

test('the ground end compresses texts with Brotli and leaves images as they are, unless options say otherwise', () => {
  expect(chooseCompression({})).toEqual({ text: 'brotli', images: null });
  expect(chooseCompression({ text: 'none', imageQuality: 80 })).toEqual({ text: null, images: null });
  expect(chooseCompression({ text: 'zstd', images: 'webp' })).toEqual({
    text: 'zstd',
    images: { format: 'webp', quality: 50 },
  });
  expect(chooseCompression({ images: 'jpeg', imageQuality: 80 }).images).toEqual({ format: 'jpeg', quality: 80 });
});

describe('what is refused, with what to do', () => {
  test.for(listRefusedOptions({ keyFile: () => pep.keyFile, write: pep.write }))('%s', async ([, args, message]) => {
    const command = pepCommand(watchInterrupts)
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    const words = typeof args === 'function' ? await args() : args;
    await expect(command.parseAsync(words, { from: 'user' })).rejects.toThrow(message);
  });

  test('a key that all can read', async () => {
    const open = await pep.write('open', 'a key of more than thirty-two characters');
    await chmod(open, 0o644);
    const { exitCode, stderr } = await runCli(['pep', 'ground', '--listen', '127.0.0.1:0', '--key', open]);
    expect(stderr).toContain(`Run: chmod 600 ${open}`);
    expect(exitCode).toBe(2);
  });

  test('a port that is taken', async () => {
    const { exitCode, stderr } = await runCli([
      'pep',
      'ground',
      '--listen',
      `127.0.0.1:${pep.origin.port}`,
      '--key',
      pep.keyFile,
    ]);
    expect(stderr).toContain(`Cannot listen on 127.0.0.1:${pep.origin.port}`);
    expect(exitCode).toBe(1);
  });
});
