import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gatherRecord } from '#cli/report/gather-record.ts';
import { readBundle } from '#cli/report/read-bundle.ts';
import type { AppError } from '#core/app-error.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { exportRun, openExporter } from './support/export-run.ts';

test('a bundle that was cut, changed or is none is refused with the place', async () => {
  await using exporter = await openExporter();
  const { folder } = exporter;
  const { file } = await exportRun(exporter, 'damaged');
  const packed = await readFile(file);
  const text = gunzipSync(packed).toString();
  const lines = text.trimEnd().split('\n');
  const tryWith = async (contents: Buffer) => {
    const damaged = path.join(folder.path, 'changed.bundle.gz');
    await writeFile(damaged, contents);
    return gatherRecord(readBundle(damaged), damaged).then(
      () => 'nothing',
      (error: unknown) => (error as AppError).message,
    );
  };
  const repack = (changed: string[]) => tryWith(gzipSync(`${changed.join('\n')}\n`));

  expect(await tryWith(packed.subarray(0, packed.length / 2))).toMatch(
    /is damaged or not a bundle: it cannot be unpacked after line \d+ \(unexpected end of file\)/,
  );
  expect(await repack(lines.slice(0, 30))).toContain('it ends too early, after line 30.');
  expect(await repack(lines.with(40, lines[40]!.slice(0, -9)))).toContain('line 41 is not JSON');
  expect(await repack(lines.map((line) => line.replace('"seed" : 7', '"seed" : 8')))).toContain('its hash differs');
  expect(
    await repack(
      lines.toSpliced(
        lines.findLastIndex((line) => line.startsWith('{"kind" : "visit"')),
        1,
      ),
    ),
  ).toMatch(/counts \d+ lines, but it has \d+/);
  expect(await repack(['{"kind":"run"}'])).toContain('line 1 is invalid');
  expect(await repack(lines.with(0, lines[0]!.replace('"version":1', '"version":3')))).toContain(
    'another version of HTTP-AE wrote it',
  );
  expect(await tryWith(Buffer.from('name: an Evaluation'))).toContain('cannot be unpacked');
  expect(await repack(lines)).toBe('nothing');
  const missing = await runCli(['report', path.join(folder.path, 'missing')]);
  expect([missing.exitCode, missing.stderr]).toEqual([
    2,
    expect.stringMatching(/missing cannot be read \(ENOENT/) as string,
  ]);
});
