/**
 * Writes the packages of docs/security.md, after a change of package.json: `node tests/unit/docs/write-dependencies.ts [NAME…]`. The registry is asked for the last
 * release of those that are named, and of no other.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { formatDependencies, listDependencies, readReleases } from './support/format-dependencies.ts';

const AnswerSchema = z.object({ version: z.string(), time: z.record(z.string(), z.string()) });

const file = path.resolve(import.meta.dirname, '../../../docs/security.md');
const document = await readFile(file, 'utf8');
const known = new Set(listDependencies().map(({ name }) => name));
const releases = readReleases(document);
const today = new Date().toISOString().slice(0, 10);
for (const name of process.argv.slice(2)) {
  if (!known.has(name)) throw new Error(`${name} is no dependency`);
  const asked = ['view', name, 'version', 'time', '--json'];
  const { stdout } = await promisify(execFile)('npm', asked, { maxBuffer: 2 ** 26 });
  const { version, time } = AnswerSchema.parse(JSON.parse(stdout));
  const released = time[version];
  if (released !== undefined) releases.set(name, `${version} of ${released.slice(0, 10)}, asked on ${today}`);
}
await writeFile(file, formatDependencies(document, releases));
