/** As the build renders it. */
export interface HelpDocument {
  title: string;
  html: string;
}

const files = import.meta.glob<HelpDocument>(
  ['../../../../docs/**/*.md', '!../../../../docs/contributing/**', '../../../../README.md'],
  { import: 'default' },
);

/** Of each document by its name in the address; README has none. */
export const documents = new Map(Object.entries(files).map(([file, load]) => [nameOf(file), load]));

function nameOf(file: string): string {
  return /\/docs\/(.+)\.md$/.exec(file)?.[1] ?? '';
}
