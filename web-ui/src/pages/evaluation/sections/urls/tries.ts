import { useQuery } from '@tanstack/react-query';
import { isObeyed } from '#core/evaluation/browser/engine-settings.ts';
import { TrustedKeysSchema } from '#core/evaluation/browser/trusted-keys.ts';
import { VariablesSchema, type Variables } from '#core/evaluation/pages/variables.ts';
import type { ListedVisit } from '#core/protocol/api/listed-visit.ts';
import { isOpen, RunSummarySchema, type RunSummary } from '#core/protocol/api/run-summary.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import type { TryRequest } from '#core/protocol/api/try.ts';
import { describeWaiting } from '#core/protocol/meeting.ts';
import { fetchVisitPage } from '../../../../api/reports.ts';
import { loadPage } from '../../../../api/load-page.ts';
import { json, request } from '../../../../api/request.ts';
import { fetchRun } from '../../../../api/run-progress.ts';
import { readList, readPath, readText } from '../../editor/path.ts';
import type { EditorState } from '../../editor/use-editor-state.ts';
import type { Measurer } from '../../list-measurers.ts';

const pollMs = 1000;

/** How the baseline loads an address. */
export interface TryConditions {
  variables: Variables;
  trustedKeys: readonly string[];
  /** Of the first User Agent; empty where there is none. */
  host: string;
  engine: string;
  /** What must be right before anything can be tried as the baseline loads it; null where all is known. */
  problem: string | null;
}

/** What the draft says of how addresses are loaded, also while something else in it is wrong. */
export function readTryConditions({ input, evaluation }: Pick<EditorState, 'input' | 'evaluation'>): TryConditions {
  const scenarios: readonly unknown[] = evaluation ? evaluation.scenarios : readList(input, ['scenarios']);
  const baseline = scenarios.find((each) => readPath(each, ['baseline']) === true) ?? scenarios[0];
  const [user]: readonly unknown[] = evaluation ? evaluation.userAgents : readList(input, ['userAgents']);
  const variables = VariablesSchema.safeParse(readPath(baseline, ['variables']) ?? {});
  const keys = TrustedKeysSchema.safeParse(readPath(baseline, ['browser', 'trustedKeys']) ?? undefined);
  const wrong = [
    !variables.success && ['variables', variables.error.issues[0]!.message],
    !keys.success && ['browser.trustedKeys', keys.error.issues[0]!.message],
  ].find((each) => each !== false);
  return {
    variables: variables.data ?? {},
    trustedKeys: keys.data ?? [],
    host: readText(user, ['host']),
    engine: readText(user, ['engine']) || 'chrome',
    problem: wrong
      ? `Correct the first Scenario first, which addresses are tried with: ${wrong.join(' ')}.`
      : readPath(baseline, ['network', 'hosts']) === undefined
        ? null
        : 'The first Scenario has hosts of its own, which are there only during a Run. So no address can be tried before.',
  };
}

/** What is loaded, by whom. */
interface Tried {
  urls: string[];
  by: Measurer;
}

/** Loads each URL once: the Run that does it. */
export function tryUrls({ urls, by }: Tried, trustedKeys: readonly string[]): Promise<RunSummary> {
  const what: TryRequest = {
    urls,
    host: by.host,
    engine: by.engine,
    trustedKeys: isObeyed('trustedKeys', by) ? [...trustedKeys] : [],
  };
  return request({ method: 'POST', path: '/api/tries', body: { json: what }, answer: json(RunSummarySchema) });
}

/** The Run of a try, read again until it is over. */
export function useTriedRun(runId: string) {
  const { data: run, error } = useQuery({
    queryKey: ['tries', runId],
    queryFn: ({ signal }) => fetchRun(runId, signal),
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data.state) ? false : pollMs),
  });
  const noResult = run?.problem ?? run?.rounds.map(({ problem }) => problem).find(Boolean) ?? 'No result.';
  const isOver = run !== undefined && !isOpen(run.state);
  return { run, error, isOver, waiting: describeWaiting(run?.waitsFor ?? []), noResult };
}

/** Whether that was tried which would be tried now: what was found of other addresses, or by another browser, says nothing. */
export function isTryOf(
  tried: { urls: readonly string[]; by: Measurer } | undefined,
  { urls, by }: { urls: readonly string[]; by: Measurer | undefined },
): boolean {
  return tried !== undefined && tried.urls.join('\n') === urls.join('\n') && tried.by.key === by?.key;
}

/** What became of one address. */
export interface TriedAddress {
  url: string;
  /** Null where it was loaded. */
  failure: string | null;
  /** That its page came over, as browsers name it; null where that is not known. */
  protocol: string | null;
}

/** What became of the addresses of a try that is over. */
export async function readTriedAddresses(runId: string, signal: AbortSignal): Promise<TriedAddress[]> {
  const filter = { runId, scenario: null, url: null, userAgent: null };
  const { visits } = await fetchVisitPage(filter, { after: null, signal });
  // Its schemas are large, and few editors need them.
  const { fetchVisit } = await loadPage(() => import('../../../../api/visit-requests.ts'));
  return Promise.all(visits.map(async (visit) => describeTried(visit, await fetchVisit(visit.id, signal))));
}

function describeTried({ address, code }: ListedVisit, { detail, snapshot }: VisitDetail): TriedAddress {
  return {
    url: address,
    failure: code && [code, detail].filter(Boolean).join(', '),
    protocol: snapshot?.requests.findLast(({ isMainDocument }) => isMainDocument)?.protocol ?? null,
  };
}

const protocolNames: Record<string, string> = {
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  'http/1.1': 'HTTP/1.1',
  'http/1.0': 'HTTP/1.0',
};

/** In a line: `2 of 3 addresses loaded, HTTP/2 offered by all`. */
export function summariseTries(tried: readonly TriedAddress[]): string {
  const loaded = tried.filter(({ failure }) => failure === null);
  const counts = Map.groupBy(loaded, ({ protocol }) => protocol);
  const offers = [...counts].flatMap(([protocol, { length }]) =>
    protocol === null
      ? []
      : `${protocolNames[protocol] ?? protocol} offered by ${length === loaded.length ? 'all' : `${length} of them`}`,
  );
  return [`${loaded.length} of ${tried.length} ${tried.length === 1 ? 'address' : 'addresses'} loaded`, ...offers].join(
    ', ',
  );
}
