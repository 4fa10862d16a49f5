import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { latencyIds, type LatencyId } from '#core/metrics/index.ts';
import { type LatencyOrigin, latencyOrigins } from '#core/metrics/latency-origin.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { fromSearch } from '../../api/run-requests.ts';
import { type FigureChoice, FigureChoiceSchema } from '#core/evaluation/figures/figure-choice.ts';

/** Which figure of a Comparison is shown: one of those with which its report opens, by its place, or one that was chosen there. */
type ShownFigure = { kind: 'declared'; index: number } | { kind: 'own'; choice: FigureChoice };

const key = 'figure';

/** What of the Comparison is looked at. The address holds it, so that a figure can be linked to. */
export interface View {
  /** From when latencies count. */
  from: LatencyOrigin;
  metric: LatencyId;
  /** Null: pooled over all User Agents. */
  userAgent: string | null;
  figure: ShownFigure;
  /** The Scenario whose means order the table; null for the order of the Evaluation. */
  sortedBy: string | null;
  isDescending: boolean;
  /** The URL whose distribution and Visits are open; null when none is. */
  openUrl: string | null;
  /** The Round whose throughput is open, as `block.scenario`; null when none is. */
  round: { block: number; scenario: string } | null;
}

export function useView(comparison: Comparison): [View, (change: Partial<View>) => void] {
  const [search, setSearch] = useSearchParams();
  const userAgent = search.get('userAgent');
  const figure = useMemo(() => readShownFigure(search), [search]);
  const view: View = {
    from: readLatencyOrigin(search),
    metric: latencyIds.find((id) => id === search.get('metric')) ?? comparison.primaryMetric,
    userAgent: userAgent !== null && comparison.userAgents.includes(userAgent) ? userAgent : null,
    figure,
    sortedBy: search.get('sort'),
    isDescending: search.has('descending'),
    openUrl: search.get('url'),
    round: readRound(search.get('round'), comparison),
  };
  // At once: a change that comes before this one was drawn would undo it.
  const change = (part: Partial<View>) =>
    setSearch(toSearch({ ...view, ...part }), { replace: true, preventScrollReset: true, flushSync: true });
  return [view, change];

  function toSearch(next: View): URLSearchParams {
    const result = new URLSearchParams(fromSearch(next.from));
    if (next.metric !== comparison.primaryMetric) result.set('metric', next.metric);
    if (next.userAgent !== null) result.set('userAgent', next.userAgent);
    writeShownFigure(result, next.figure);
    if (next.sortedBy !== null) result.set('sort', next.sortedBy);
    if (next.isDescending) result.set('descending', '');
    if (next.openUrl !== null) result.set('url', next.openUrl);
    if (next.round !== null) result.set('round', `${next.round.block}.${next.round.scenario}`);
    return result;
  }
}

function readRound(text: string | null, comparison: Comparison): View['round'] {
  const [, block, scenario] = /^(\d{1,6})\.(.*)$/s.exec(text ?? '') ?? [];
  return block !== undefined && scenario !== undefined && comparison.scenarios.includes(scenario)
    ? { block: Number(block), scenario }
    : null;
}

export function readShownFigure(search: URLSearchParams): ShownFigure {
  const choice = readChoice(search);
  if (choice) return { kind: 'own', choice };
  const place = /^\d{1,2}$/.exec(search.get(key) ?? '')?.[0];
  return { kind: 'declared', index: place === undefined ? 0 : Math.max(0, Number(place) - 1) };
}

/** The first figure needs no address. */
export function writeShownFigure(search: URLSearchParams, figure: ShownFigure): void {
  writeChoice(search, figure.kind === 'own' ? figure.choice : null);
  if (figure.kind === 'declared' && figure.index > 0) search.set(key, String(figure.index + 1));
}

/** From when latencies count on a page with that address. An unknown value counts as none. */
export function readLatencyOrigin(search: URLSearchParams): LatencyOrigin {
  return latencyOrigins.find((origin) => origin === search.get('from')) ?? 'navigation-start';
}

/** Fields of a choice in the address, each with `figure.` before it. */
const prefix = 'figure.';
const listed = ['series', 'panels'] as const;
const plain = ['title', 'kind', 'y', 'statistic', 'x'] as const;
const flags = ['logX', 'logY'] as const;
const isOff = 'off';

/** The choice that an address holds; null of one that holds none, or none that can be read. */
function readChoice(search: URLSearchParams): FigureChoice | null {
  const read = (field: string) => search.get(prefix + field);
  const fields: Record<string, unknown> = {};
  for (const field of plain) if (read(field) !== null) fields[field] = read(field);
  for (const field of listed) if (read(field) !== null) fields[field] = read(field)!.split(',').filter(Boolean);
  for (const field of flags) if (read(field) !== null) fields[field] = read(field) !== isOff;
  const only = readOnly(read('only'));
  if (only !== null) fields.only = only;
  if (Object.keys(fields).length === 0) return null;
  return FigureChoiceSchema.safeParse(fields).data ?? null;
}

/** Of a shown figure. What is left open stays so. */
function writeChoice(search: URLSearchParams, choice: FigureChoice | null): void {
  for (const key of [...search.keys()]) if (key.startsWith(prefix)) search.delete(key);
  if (choice === null) return;
  const write = (field: string, value: string) => search.set(prefix + field, value);
  for (const field of plain) if (choice[field] !== undefined) write(field, choice[field]);
  for (const field of listed) if (choice[field] !== undefined) write(field, choice[field].join());
  if (choice.logX !== undefined) write('logX', choice.logX ? '' : isOff);
  if (choice.logY) write('logY', '');
  if (choice.only !== undefined && Object.keys(choice.only).length > 0) write('only', JSON.stringify(choice.only));
}

function readOnly(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null; // a link that was cut off shows all
  }
}
