import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { joinChanges, readKind } from './join-changes.ts';

const folder = path.resolve(import.meta.dirname, '../../../changes');
const files = readdirSync(folder).filter((name) => name !== 'README.md');

test.for(files)('%s has a kind, and items', (name) => {
  readKind(name);
  expect(readFileSync(path.join(folder, name), 'utf8')).toMatch(/^(- .+\n)+$/);
});

test('changes go under their kinds, and get the heading of the release', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- a\n\n### Fixed\n\n- b\n\n## 0.1.0\n\n- c\n';
  const changes = [
    { name: 'added-x.md', text: '- x\n' },
    { name: 'fixed-y.md', text: '- y\n' },
    { name: 'security-z.md', text: '- z\n' },
  ];
  expect(joinChanges(changelog, { changes, release: '0.2.0' })).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n### Added\n\n- a\n- x\n\n### Fixed\n\n- b\n- y\n\n### Security\n\n- z\n\n## 0.1.0\n\n- c\n',
  );
});

test('a file without a kind is refused', () => {
  expect(() => readKind('news.md')).toThrow('news.md: begin its name with added-, changed-');
});
