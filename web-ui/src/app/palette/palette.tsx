import '@mantine/spotlight/styles.css';
import { VisuallyHidden } from '@mantine/core';
import { Spotlight, createSpotlight, useSpotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paletteListId } from './find-key.ts';
import classes from './palette.module.css';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { mostSearchCharacters, splitWords } from '#core/protocol/api/run-search.ts';
import { useMayDo } from '../../access/use-role.ts';
import { isOpen, type RunSummary } from '#core/protocol/api/run-summary.ts';
import { agentsQuery, evaluationsQuery, runsQuery, studiesQuery, studyHash } from '../../api/queries.ts';
import { sitesQuery } from '../../api/site-requests.ts';
import { addRoundsDialog, dialogSearch, shareDialog } from '../../components/use-dialog-in-address.ts';
import { fetchRuns } from '../../api/run-requests.ts';
import { describeRunState } from '../../components/run/run-state-label.tsx';
import { loadPage } from '../../api/load-page.ts';
import { contents } from '../../pages/help/contents.ts';
import { places } from '../places.ts';

const settings = [
  { to: '/settings', label: 'Account and password', keywords: 'you name' },
  { to: '/settings/sessions', label: 'Sessions', keywords: 'sign out browser' },
  { to: '/settings/tokens', label: 'Tokens', keywords: 'api program agent' },
  { to: '/settings/people', label: 'People', keywords: 'roles invite admin' },
  { to: '/settings/audit', label: 'Audit log', keywords: 'who did what' },
  { to: '/settings/retention', label: 'Retention', keywords: 'storage traces disk' },
];

const typingPauseMs = 200;
const mostRuns = 8;
const mostEntries = 24;

/** The Controller finds Runs: there may be too many to have them all. */
const foundRunsQuery = (words: string) =>
  queryOptions({
    queryKey: ['runs', 'found', words],
    queryFn: ({ signal }) => fetchRuns({ search: { words } }, signal),
    staleTime: 10_000,
  });

/** They come with the first use: the other pages do without. */
const helpWordsQuery = queryOptions({
  queryKey: ['help words'],
  queryFn: async () => (await loadPage(() => import('../../pages/help/help-words.ts'))).helpWords,
  staleTime: Infinity,
});

const [store, palette] = createSpotlight();

const groups = [
  ['Page', 'Pages'],
  ['Action', 'Actions'],
  ['Evaluation', 'Evaluations'],
  ['Run', 'Runs'],
  ['Host', 'Hosts'],
  ['Site', 'Sites'],
  ['Study', 'Studies'],
  ['Setting', 'Settings'],
  ['Help', 'Help'],
] as const;

/** Enter needs a selected entry. It may have left the list, or moved in it, with an answer that came later. */
function keepSelection(): void {
  const shown = [...document.querySelectorAll(`#${paletteListId} [data-action]`)];
  const index = Math.max(
    0,
    shown.findIndex((entry) => entry.hasAttribute('data-selected')),
  );
  shown[index]?.setAttribute('data-selected', 'true');
  if (shown.length > 0 && store.getState().selected !== index)
    store.updateState((state) => ({ ...state, selected: index }));
}

/** Finds Runs, Evaluations, hosts, Sites, studies and pages by typing. It opens whenever `uses` rises. */
export function Palette({ uses }: { uses: number }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const entries = useEntries(text, isOpen);
  const { selected } = useSpotlight(store);
  const inOrder = groups.map(([kind, label]) => ({ label, own: entries.filter((entry) => entry.kind === kind) }));
  useEffect(() => palette.open(), [uses]);
  useEffect(() => {
    if (isOpen) keepSelection();
  }, [entries, isOpen]);
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      // When it begins to fade out: at the end of that, or when it is opened again, letters may have been typed already.
      clearQueryOnClose={false}
      onSpotlightOpen={() => setIsOpen(true)}
      onSpotlightClose={() => {
        setText('');
        setIsOpen(false);
      }}
      shortcut={null}
      scrollable
      maxHeight={460}
      title="Find"
      classNames={{ header: classes.header!, actionDescription: classes.description! }}
    >
      <Spotlight.Search placeholder="Run, Evaluation, host, Site, page or action" aria-label="Find" />
      <Spotlight.ActionsList id={paletteListId}>
        {inOrder.map(
          ({ label, own }) =>
            own.length > 0 && (
              <Spotlight.ActionsGroup key={label} label={label}>
                {own.map((entry) => (
                  <Spotlight.Action
                    key={entry.id}
                    label={entry.label}
                    description={entry.detail ?? ''}
                    onClick={() => void navigate(entry.to)}
                  />
                ))}
              </Spotlight.ActionsGroup>
            ),
        )}
        {entries.length === 0 && <Spotlight.Empty>Nothing found.</Spotlight.Empty>}
      </Spotlight.ActionsList>
      {/* The focus stays in the field: a screen reader learns from this what Enter opens. */}
      <VisuallyHidden aria-live="polite">{inOrder.flatMap(({ own }) => own)[selected]?.label}</VisuallyHidden>
    </Spotlight.Root>
  );
}

/** What the palette shows for a text. */
function useEntries(text: string, isOpen: boolean): PaletteEntry[] {
  const mayChange = useMayDo('evaluator');
  const [settled] = useDebouncedValue(text.trim().slice(0, mostSearchCharacters), typingPauseMs);
  const { data: evaluations = [] } = useQuery({ ...evaluationsQuery, enabled: isOpen });
  const { data: agents = [] } = useQuery({ ...agentsQuery, enabled: isOpen });
  const { data: sites = [] } = useQuery({ ...sitesQuery, enabled: isOpen });
  const { data: studies = [] } = useQuery({ ...studiesQuery, enabled: isOpen });
  const { data: runs = [] } = useQuery({
    ...foundRunsQuery(settled.replace(/^run\s+/i, '')),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const { data: newest = [] } = useQuery({ ...runsQuery, enabled: isOpen });
  const { data: helpWords } = useQuery({ ...helpWordsQuery, enabled: isOpen });
  const { pathname } = useLocation();
  const known: PaletteEntry[] = [
    ...listActions(newest, { pathname, mayChange }),
    ...listPages({ mayChange, helpWords }),
    ...evaluations.map(({ id, name, description, tags, note }) => ({
      id: `evaluation ${id}`,
      kind: 'Evaluation' as const,
      label: name,
      detail: description,
      keywords: [...tags, note].join(' '),
      to: `/evaluations/${id}`,
    })),
    ...agents.map(({ name, isConnected }) => ({
      id: `host ${name}`,
      kind: 'Host' as const,
      label: name,
      detail: isConnected ? 'connected' : 'not connected',
      to: '/hosts',
    })),
    ...sites.map(({ id, name, title }) => ({
      id: `site ${id}`,
      kind: 'Site' as const,
      label: name,
      detail: title,
      to: `/sites/${id}`,
    })),
    ...studies.map(({ name, title, summary }) => ({
      id: `study ${name}`,
      kind: 'Study' as const,
      label: title,
      detail: summary,
      keywords: name,
      to: `/evaluations/new${studyHash(name)}`,
    })),
  ];
  const found = runs.slice(0, mostRuns).map((run): PaletteEntry => ({
    id: `run ${run.id}`,
    kind: 'Run',
    label: `Run ${run.id}: ${run.evaluationName}`,
    detail: [describeRunState(run).label, run.outcome?.text].filter((part) => part !== undefined).join(' · '),
    keywords: [...run.tags, run.note].join(' '),
    to: `/runs/${run.id}`,
  }));
  // The last answer stays until the next one comes: of it, what no longer matches is left out.
  return [...findEntries(known, text, mostEntries), ...findEntries(found, text, mostRuns)];
}

/** Entries that have every word, at most `limit`: first those whose label begins with the text, then those with all words in the label, then the others, and at last those that only their long text has. */
export function findEntries(entries: readonly PaletteEntry[], text: string, limit: number): PaletteEntry[] {
  const words = splitWords(text.toLowerCase());
  const start = words.join(' ');
  const found = entries.flatMap((entry) => {
    const label = entry.label.toLowerCase();
    const all = [label, entry.kind, entry.detail ?? '', entry.keywords ?? ''].join('\n').toLowerCase();
    if (!words.every((word) => all.includes(word))) {
      const isInText = words.every((word) => all.includes(word) || entry.text?.includes(word));
      return isInText ? [{ entry, rank: 3 }] : [];
    }
    const rank = label.startsWith(start) ? 0 : words.every((word) => label.includes(word)) ? 1 : 2;
    return [{ entry, rank }];
  });
  return found
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, limit)
    .map(({ entry }) => entry);
}

/** The pages that are there in any case. */
function listPages({
  mayChange,
  helpWords,
}: {
  mayChange: boolean;
  helpWords: ReadonlyMap<string, string> | undefined;
}): PaletteEntry[] {
  return [
    ...places.map(({ to, label }) => ({ id: `page ${to}`, kind: 'Page' as const, label, to })),
    ...(mayChange ? [{ id: 'page new', kind: 'Page' as const, label: 'New Evaluation', to: '/evaluations/new' }] : []),
    { id: 'page compare', kind: 'Page', label: 'Runs side by side', keywords: 'compare runs', to: '/runs/compare' },
    { id: 'page har', kind: 'Page', label: 'HARs', keywords: 'open har waterfall', to: '/har' },
    { id: 'page add', kind: 'Page', label: 'Add a host', keywords: 'agent', to: '/hosts?add=' },
    { id: 'page ssh', kind: 'Page', label: 'Hosts by SSH', keywords: 'agent ansible inventory', to: '/hosts/ssh' },
    ...settings.map((setting) => ({ id: `setting ${setting.to}`, kind: 'Setting' as const, ...setting })),
    ...contents.map(({ name, label }) => ({
      id: `help ${name}`,
      kind: 'Help' as const,
      label,
      to: name === '' ? '/help' : `/help/${name}`,
      text: helpWords?.get(name) ?? '',
    })),
  ];
}

/** What can be done with the Run whose page is open, or else with the newest one that has ended. */
export function listActions(
  newest: readonly Pick<RunSummary, 'id' | 'state'>[],
  { pathname, mayChange }: { pathname: string; mayChange: boolean },
): PaletteEntry[] {
  const [, shown] = /^\/runs\/(\d+)(?:\/|$)/.exec(pathname) ?? [];
  const id = shown ?? newest.find(({ state }) => state === 'completed' || state === 'stopped')?.id;
  if (id === undefined) return [];
  // What is done with a result waits for the end of the Run: its pages have no such dialogs before.
  const isOver = !newest.some((run) => run.id === id && isOpen(run.state));
  const action = (label: string, to: string, keywords: string): PaletteEntry => ({
    id: `action ${label}`,
    kind: 'Action',
    label,
    to,
    keywords,
  });
  return [
    action(`Comparison of Run ${id}`, `/runs/${id}/comparison`, 'result report export'),
    action(`Visits of Run ${id}`, `/runs/${id}/visits`, 'list waterfall'),
    ...(mayChange && isOver
      ? [
          action(
            `Share the Comparison of Run ${id}`,
            `/runs/${id}/comparison${dialogSearch(shareDialog)}`,
            'link people',
          ),
          action(`Add Rounds to Run ${id}`, `/runs/${id}${dialogSearch(addRoundsDialog)}`, 'more continue'),
        ]
      : []),
    ...(mayChange ? [action(`Change one thing of Run ${id}, and run`, `/evaluations/new?run=${id}`, 'vary copy')] : []),
  ];
}

/** Something that the palette finds. */
export interface PaletteEntry {
  /** Unique. */
  id: string;
  kind: 'Action' | 'Page' | 'Evaluation' | 'Run' | 'Host' | 'Site' | 'Study' | 'Setting' | 'Help';
  label: string;
  /** Smaller, below it. */
  detail?: string;
  /** What else it is found by. */
  keywords?: string;
  /** Likewise, after all others: in lower case. */
  text?: string;
  to: string;
}
