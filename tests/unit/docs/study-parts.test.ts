import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { formatRoughDuration } from '#cli/plain-text.ts';
import { readStudies, studiesFolder } from '#controller/studies/read-studies.ts';

const text = await readFile(path.resolve(import.meta.dirname, '../../../docs/studies/README.md'), 'utf8');
const studies = await readStudies(studiesFolder);

test('the time of each study there is the sum of its parts', () => {
  const hold = ({ name, parts }: (typeof studies)[number]) => {
    const total = (minutes: number[]) => formatRoughDuration(minutes.reduce((sum, each) => sum + each, 0) * 60_000);
    return [
      name,
      `${total(parts.map((part) => part.minutes))}, quick ${total(parts.map((part) => part.quickMinutes))}`,
    ];
  };
  const rows = [...text.matchAll(/^\| \[([\w-]+)\]\(.*?\| ([^|]*quick [^|]*) \|/gm)].map(([, name, time]) => [
    name,
    time,
  ]);
  expect(rows).toEqual(studies.map(hold));
});
