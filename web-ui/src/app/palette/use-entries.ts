import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { mostSearchCharacters } from '#core/protocol/api/run-search.ts';
import { useMayDo } from '../../access/use-role.ts';
import { agentsQuery, evaluationsQuery, studiesQuery } from '../../api/queries.ts';
import { fetchRuns } from '../../api/run-requests.ts';
import { studyHash } from '../../api/study-requests.ts';
import { describeRunState } from '../../components/run/describe-run-state.ts';
import { findEntries } from './find-entries.ts';
import { listPages } from './list-pages.ts';
import type { PaletteEntry } from './palette-entry.ts';

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

/** What the palette shows for a text. */
export function useEntries(text: string, isOpen: boolean): PaletteEntry[] {
  const mayChange = useMayDo('evaluator');
  const [settled] = useDebouncedValue(text.trim().slice(0, mostSearchCharacters), typingPauseMs);
  const { data: evaluations = [] } = useQuery({ ...evaluationsQuery, enabled: isOpen });
  const { data: agents = [] } = useQuery({ ...agentsQuery, enabled: isOpen });
  const { data: studies = [] } = useQuery({ ...studiesQuery, enabled: isOpen });
  const { data: runs = [] } = useQuery({
    ...foundRunsQuery(settled.replace(/^run\s+/i, '')),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const known: PaletteEntry[] = [
    ...listPages({ mayChange }),
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
