/** The words of each document, as the build lists them, by the name that it has in its address. */
const files = import.meta.glob<string>(
  ['../../../../docs/*.md', '../../../../docs/studies/*.md', '../../../../README.md'],
  { query: '?words', import: 'default', eager: true },
);

export const helpWords: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([file, words]) => [/\/docs\/(.+)\.md$/.exec(file)?.[1] ?? '', words]),
);
