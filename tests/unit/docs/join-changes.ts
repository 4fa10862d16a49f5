import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A change is a file `changes/KIND-WORDS.md`, with the items that go under its kind. */
export const changeKinds = ['added', 'changed', 'fixed', 'removed', 'security'] as const;
type ChangeKind = (typeof changeKinds)[number];

const unreleased = '## Unreleased\n';

/** The changelog with these changes in what is not released yet, and with the version's heading above that if there is one. */
export function joinChanges(
  changelog: string,
  { changes, release }: { changes: readonly { name: string; text: string }[]; release: string | null },
): string {
  const start = changelog.indexOf(unreleased) + unreleased.length;
  const next = changelog.indexOf('\n## ', start);
  const end = next === -1 ? changelog.length : next;
  let section = changelog.slice(start, end).trimEnd();
  for (const { name, text } of changes) section = addTo(section, { kind: readKind(name), items: text.trim() });
  const heading = release === null ? '' : `\n## ${release}\n`;
  return `${changelog.slice(0, start)}${heading}${section}\n${changelog.slice(end)}`;
}

/** Throws for the name of a file that has no kind. */
export function readKind(name: string): ChangeKind {
  const kind = changeKinds.find((each) => name.startsWith(`${each}-`));
  if (!kind) throw new Error(`${name}: begin its name with ${changeKinds.join('-, ')}-`);
  return kind;
}

function addTo(section: string, { kind, items }: { kind: ChangeKind; items: string }): string {
  const heading = `### ${kind[0]!.toUpperCase()}${kind.slice(1)}`;
  const at = section.indexOf(`${heading}\n`);
  if (at === -1) return `${section}\n\n${heading}\n\n${items}`;
  const next = section.indexOf('\n\n### ', at);
  const end = next === -1 ? section.length : next;
  return `${section.slice(0, end)}\n${items}${section.slice(end)}`;
}

/** `node tests/unit/docs/join-changes.ts VERSION`, at a release. */
if (import.meta.main) {
  const [version] = process.argv.slice(2);
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new Error('Name the version, such as 0.2.0');
  const root = path.resolve(import.meta.dirname, '../../..');
  const files = globSync('changes/*-*.md', { cwd: root }).sort();
  const changes = files.map((name) => ({
    name: path.basename(name),
    text: readFileSync(path.join(root, name), 'utf8'),
  }));
  const file = path.join(root, 'CHANGELOG.md');
  writeFileSync(file, joinChanges(readFileSync(file, 'utf8'), { changes, release: version! }));
  for (const name of files) rmSync(path.join(root, name));
}
