import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fetchCorpus } from '#cli/site/fetch-corpus.ts';
import { openSite } from '#site/open-site.ts';
import { findChrome } from './support/find-chrome.ts';

test('a page of the corpus is recorded with all its objects, and they are spread over hosts', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'corpus-'));
  try {
    const options = {
      folder,
      packagesFolder: path.join(folder, 'packages'),
      chromePath: findChrome(),
      say: () => undefined,
      signal: new AbortController().signal,
    };
    const [file] = await fetchCorpus(['agency'], options);
    await using opened = await openSite(file!);
    const { hosts, exchanges, pages } = opened.site;
    expect(pages.map(({ url }) => url)).toEqual(['https://www.agency.test/dist/index.html']);
    // With the icon.
    expect(exchanges.filter(({ status }) => status === 200)).toHaveLength(25);
    expect(hosts.map(({ name }) => name).sort()).toEqual([
      'party1.agency.test',
      'party2.agency.test',
      'www.agency.test',
    ]);
    expect(hosts.every(({ certificateNames, name }) => certificateNames.join() === name)).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
