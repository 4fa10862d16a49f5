import { createHash } from 'node:crypto';
import { createReadStream, existsSync, openAsBlob } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import path from 'node:path';
import { isScalar, visit } from 'yaml';
import { AppError } from '#core/app-error.ts';
import { openYaml } from '#core/input/yaml-text.ts';
import { ProblemError, type ControllerClient } from '../controller/controller-client.ts';

/** Of a name of at most 80 characters, with room for a number. */
const longestFileName = 70;

/**
 * Writes a Site's name in the place of each file that a `site: FILE.wacz` of a YAML text names; the path is as seen from the YAML file. `nameOf` is asked once for each file. Every line keeps its
 * number. Faults of the YAML are left to its reader.
 */
export async function nameSites(
  yaml: string,
  yamlFile: string,
  nameOf: (file: string) => Promise<string>,
): Promise<string> {
  const { document, faults } = openYaml(yaml);
  if (faults.length > 0) return yaml;
  const found: { file: string; begin: number; end: number }[] = [];
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'site' || !isScalar(value) || typeof value.value !== 'string') return;
      if (!value.value.endsWith('.wacz')) return;
      const [begin, end] = value.range!;
      found.push({ file: path.resolve(path.dirname(yamlFile), value.value), begin, end });
    },
  });
  const names = new Map<string, string>();
  for (const { file } of found) names.set(file, names.get(file) ?? (await nameOf(file)));
  // From the last to the first, as what is put in moves what follows.
  return found
    .toReversed()
    .reduce(
      (text, { file, begin, end }) =>
        `${text.slice(0, begin)}${JSON.stringify(names.get(file))}${'\n'.repeat(text.slice(begin, end).split('\n').length - 1)}${text.slice(end)}`,
      yaml,
    );
}

/** The name of the Site that has this file, which is uploaded unless the Controller has it. Where another Site has its title, it is named after the file. Throws `invalid-input` where it cannot be read, and what the Controller refuses. */
export async function uploadSite(client: ControllerClient, file: string): Promise<string> {
  const known = await findSite(client, await hashFile(file));
  if (known !== null) return known;
  const contents = await openAsBlob(file);
  const { name } = await client.uploadSite(contents).catch(async (error: unknown) => {
    if (!(error instanceof ProblemError) || error.code !== 'conflict') throw error;
    return client.uploadSite(contents, await findFreeName(client, file));
  });
  process.stderr.write(`Uploaded ${file} as the Site "${name}"\n`);
  return name;
}

async function findFreeName(client: ControllerClient, file: string): Promise<string> {
  const taken = new Set((await client.listSites()).map(({ name }) => name));
  const base = path.basename(file, '.wacz').slice(0, longestFileName);
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base} ${number}`;
  return name;
}

/** The name of the Site that has this file, without an upload; that of the file where there is none. */
export async function guessSite(client: ControllerClient, file: string): Promise<string> {
  return (existsSync(file) && (await findSite(client, await hashFile(file)))) || path.basename(file);
}

async function findSite(client: ControllerClient, sha256: string): Promise<string | null> {
  return (await client.listSites()).find((site) => site.sha256 === sha256)?.name ?? null;
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (cause) {
    throw new AppError(
      'invalid-input',
      `${file} cannot be read (${(cause as Error).message}): site must name a recording, or a Site of the Controller`,
      { cause },
    );
  }
  return hash.digest('hex');
}
