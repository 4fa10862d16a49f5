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

/** What a reader finds by, in the order of use; the rest is linked from these. */
export const contents = [
  { name: '', label: 'Overview' },
  { name: 'evaluation-reference', label: 'Settings of an Evaluation' },
  { name: 'sweeps', label: 'Variables, groups and sweeps' },
  { name: 'agents', label: 'Agents and engines' },
  { name: 'extension', label: 'The extension' },
  { name: 'http-engine', label: 'The engine http' },
  { name: 'testbed', label: 'The testbed: emulated links' },
  { name: 'metrics', label: 'Metrics' },
  { name: 'statistics', label: 'How Scenarios are compared' },
  { name: 'threats-to-validity', label: 'Threats to validity' },
  { name: 'figures', label: 'Figures' },
  { name: 'data-dictionary', label: 'Exported data' },
  { name: 'errors', label: 'Errors' },
  { name: 'security', label: 'Security' },
  { name: 'controllers', label: 'Several Controllers' },
  { name: 'httpep', label: 'HTTPEP, a split proxy' },
  { name: 'httpep-operator', label: 'HTTPEP for a satellite terminal' },
  { name: 'httpep-protocol', label: 'The protocol of HTTPEP' },
  { name: 'studies/README', label: 'Studies' },
  { name: 'studies/connections', label: 'A study, made by hand' },
] as const;
