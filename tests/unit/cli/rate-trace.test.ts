import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inlineRateTraces } from '#cli/evaluate/inline-files.ts';
import { readLinkProfile } from '#cli/testbed/run-testbed.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

/** A folder with a YAML file and trace files, and the path of the YAML file. */
async function write(yaml: string, traces: Record<string, string>) {
  const folder = await makeTemporaryFolder();
  const yamlFile = path.join(folder.path, 'link.yaml');
  await mkdir(path.join(folder.path, 'traces'));
  for (const [name, text] of [['link.yaml', yaml], ...Object.entries(traces)] as const)
    await writeFile(path.join(folder.path, name), text);
  return { yamlFile, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const trace = 'seconds,kbps\n# an outage of half a second\n0,512\n5 , 0\r\n5.5,512\n\n';
const steps = [
  [0, 512],
  [5000, 0],
  [5500, 512],
];

describe('a rate trace in a file', () => {
  it('is read beside the YAML file, with what is written beside its name, and the profile is as if its steps stood there', async () => {
    await using files = await write(
      'preset: geo-1m\nforward: { rateTrace: { file: traces/rain.csv, repeatAfterMs: 10000 } }\n',
      { 'traces/rain.csv': trace },
    );
    const profile = await readLinkProfile(files.yamlFile);
    expect(profile.forward.rate).toEqual({ kind: 'trace', trace: { steps, repeatAfterMs: 10_000 } });
  });

  it('leaves every line where it was, however the YAML is written', async () => {
    const yaml = `# two of them
forward:
  rateTrace:   # in block style
    file: a.csv
    repeatAfterMs: 9000
  delayMs: 300
return:
  rateTrace: {
    file: "a.csv"
  }
  delayMs: 301
other: &twice { rateTrace: { file: a.csv } } # as somebody wrote it
again: *twice
last: 1
`;
    await using files = await write(yaml, { 'a.csv': trace });
    const inlined = await inlineRateTraces(yaml, files.yamlFile);
    expect(parse(inlined)).toEqual({
      forward: { rateTrace: { steps, repeatAfterMs: 9000 }, delayMs: 300 },
      return: { rateTrace: { steps }, delayMs: 301 },
      other: { rateTrace: { steps } },
      again: { rateTrace: { steps } },
      last: 1,
    });
    const lineOf = (text: string, words: string) => text.split('\n').findIndex((line) => line.includes(words));
    for (const words of ['delayMs: 300', 'delayMs: 301', 'other:', 'last: 1'])
      expect(lineOf(inlined, words), words).toBe(lineOf(yaml, words));
  });

  it('leaves a text without one, and one that is not YAML, as it is', async () => {
    for (const yaml of ['forward: { rateTrace: { steps: [[0, 5]] } }', 'a: [', 'rateTrace: { file: 7 }', ''])
      expect(await inlineRateTraces(yaml, 'x.yaml')).toBe(yaml);
  });

  it.each([
    [
      '0,512\n5000 512\n',
      /a\.csv:2: must be "seconds,kbps", such as "0\.5,256", not "5000 512" \(named in .*link\.yaml:1\)/,
    ],
    ['1,512\n', /a\.csv:1: "1,512": the time must be 0/],
    ['0,512\n\n# x\n0,256\n', /a\.csv:4: "0,256": the time must be later than the step before it/],
    ['0,99999999\n', /a\.csv:1: "0,99999999": the rate must be at most/],
    ['seconds,kbps\n', /a\.csv: its steps must have at least one/],
    ['0,0\n', /a\.csv: its steps must not end in an outage/],
  ])('%j is refused by file and line', async (text, message) => {
    await using files = await write('preset: geo-1m\n', { 'a.csv': text });
    await expect(inlineRateTraces('rateTrace: { file: a.csv }', files.yamlFile)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('that is not there is refused with where it was looked for', async () => {
    await using files = await write('preset: geo-1m\n', {});
    await expect(inlineRateTraces('\nrateTrace: { file: none.csv }', files.yamlFile)).rejects.toThrow(
      /none\.csv cannot be read \(ENOENT.*link\.yaml:2\)/,
    );
  });
});
