import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readImports, targetOf } from '../../house/support/read-imports.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

const NamesSchema = z.record(z.string(), z.string()).default({});
const PackageSchema = z.object({
  dependencies: NamesSchema,
  optionalDependencies: NamesSchema,
  devDependencies: NamesSchema,
});
const LockedSchema = z.object({
  version: z.string(),
  license: z.string().optional(),
  hasInstallScript: z.boolean().default(false),
  dev: z.boolean().default(false),
  devOptional: z.boolean().default(false),
});
const LinkSchema = z.object({ link: z.boolean().default(false) });
const LockSchema = z.object({ packages: z.record(z.string(), z.unknown()) });

export interface Dependency {
  name: string;
  version: string;
  licence: string;
  hasInstallScript: boolean;
  /** Whether it is built into pages or the extension, and no program of a host loads it. */
  isBuiltIn: boolean;
}

/** What is built into what runs in browsers. */
const builtFolders = ['web-ui/src', 'extension', 'probe'];

/** Without the project itself, and its own packages. */
function locked(): Record<string, unknown> {
  const { packages } = LockSchema.parse(read('package-lock.json'));
  const isOfOthers = ([place, entry]: [string, unknown]) =>
    place.includes('node_modules/') && !LinkSchema.parse(entry).link;
  return Object.fromEntries(Object.entries(packages).filter(isOfOthers));
}

function toDependency(name: string, entry: unknown, isBuiltIn: boolean): Dependency {
  const { version, license = 'none is named', hasInstallScript } = LockedSchema.parse(entry);
  return { name, version, licence: license, hasInstallScript, isBuiltIn };
}

/** What this project names and needs when it runs, by name: what Node loads, and what is built into pages. */
export function listDependencies(): Dependency[] {
  const { dependencies, optionalDependencies, devDependencies } = PackageSchema.parse(read('package.json'));
  const loaded = Object.keys({ ...dependencies, ...optionalDependencies });
  const imported = builtFolders
    .flatMap(readImports)
    // Settings of the build are no part of what is built.
    .filter((each) => targetOf(each) === null && !each.isTypeOnly && !each.file.endsWith('vite.config.ts'))
    .map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]);
  const builtIn = [...new Set(imported)].filter((name) => name in devDependencies);
  const packages = locked();
  const entryOf = (name: string) => packages[`node_modules/${name}`];
  return [
    ...loaded.sort().map((name) => toDependency(name, entryOf(name), false)),
    ...builtIn.sort().map((name) => toDependency(name, entryOf(name), true)),
  ];
}

/** Those that come with them, for any platform. */
export function listIndirect(): Dependency[] {
  const named = new Set(listDependencies().map(({ name }) => name));
  return Object.entries(locked()).flatMap(([place, entry]) => {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const { dev, devOptional } = LockedSchema.parse(entry);
    return dev || devOptional || named.has(name) ? [] : [toDependency(name, entry, false)];
  });
}

/** The last releases that a document states, by package: they are no part of the lock, and stay until they are asked for again. */
export function readReleases(document: string): Map<string, string> {
  return new Map(
    [...document.matchAll(/`([^`]+)` \(last release ([^)]+)\)/g)].map(([, name, release]) => [name!, release!]),
  );
}

const start = 'Packages that programs load:\n';

/** The document with all dependencies by their licence, and what is known of those that come with them. */
export function formatDependencies(document: string, releases = readReleases(document)): string {
  const named = listDependencies();
  const indirect = listIndirect();
  const nameOf = ({ name }: Dependency) => {
    const release = releases.get(name);
    return `\`${name}\`${release === undefined ? '' : ` (last release ${release})`}`;
  };
  const list = (all: readonly Dependency[]) => all.map(nameOf).join(', ') || 'none';
  const scriptsOf = (all: readonly Dependency[]) => list(all.filter(({ hasInstallScript }) => hasInstallScript));
  const listByLicence = (all: readonly Dependency[]) =>
    byLicence(all).map(([licence, those]) => `- ${licence}: ${list(those)}`);
  const text = [
    start,
    ...listByLicence(named.filter(({ isBuiltIn }) => !isBuiltIn)),
    '',
    'Packages that are built into pages and the extension:',
    '',
    ...listByLicence(named.filter(({ isBuiltIn }) => isBuiltIn)),
    '',
    `Install scripts of these: ${scriptsOf(named)}.`,
    '',
    `${indirect.length} more packages come with them. Install scripts of those: ${scriptsOf(indirect)}. Their licences:`,
    '',
    ...byLicence(indirect).map(([licence, { length }]) => `- ${licence}: ${length}`),
    '',
  ].join('\n');
  const from = document.indexOf(start);
  const to = document.indexOf('\n## ', from);
  if (from === -1 || to === -1) throw new Error('The document has no list of packages');
  return `${document.slice(0, from)}${text}${document.slice(to)}`;
}

/** The licence of most packages first. */
function byLicence(all: readonly Dependency[]): [string, Dependency[]][] {
  return [...Map.groupBy(all, ({ licence }) => licence)].sort(
    ([one, { length: many }], [other, { length: few }]) => few - many || one.localeCompare(other),
  );
}
