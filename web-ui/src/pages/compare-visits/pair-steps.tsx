import { Button, Group, Select, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import type { VisitPair, VisitPairs } from '#core/protocol/api/visit-pairs.ts';
import { pairAddress, pairsQuery, type PairFilter } from '../../api/pair-search.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { formatMs } from '../../format/format-times.ts';

interface PairStepsProps extends Pick<PairFilter, 'userAgent' | 'metric'> {
  first: VisitDetail;
  second: VisitDetail;
}

const median = 'median';

/** Which two Visits are shown, and the way to the others: by button, by list, and by the keys ← and →. */
export function PairSteps({ first, second, userAgent, metric }: PairStepsProps) {
  const { runId, url } = first;
  const isPaired = url === second.url && runId === second.runId && first.scenario !== second.scenario;
  const query = useQuery({
    ...pairsQuery({ runId, url, first: first.scenario, second: second.scenario, userAgent, metric }),
    enabled: isPaired,
  });
  if (!isPaired) return null;
  if (query.error) return <ProblemAlert title="The other Visits cannot be shown" error={query.error} />;
  return (
    <Steps
      found={query.data ?? { pairs: [], hasMore: false, median: null, filmed: null }}
      {...{ first, second, userAgent, metric }}
    />
  );
}

function Steps({ found, first, second, userAgent, metric }: PairStepsProps & { found: VisitPairs }) {
  const navigate = useNavigate();
  const go = (pair: Pick<VisitPair, 'first' | 'second'> | null | undefined) => {
    if (pair)
      void navigate(pairAddress(first.runId, { first: pair.first.id, second: pair.second.id, userAgent, metric }), {
        replace: true,
      });
  };
  const { pairs } = found;
  const isShown = (pair: Pick<VisitPair, 'first' | 'second'> | null) =>
    pair !== null && pair.first.id === first.id && pair.second.id === second.id;
  const index = pairs.findIndex(isShown);
  // From the median Visits, which are of different Blocks, → leads to the first Block.
  const before = index > 0 ? pairs[index - 1] : undefined;
  const after = pairs[index + 1];
  const goByKey = (pair: VisitPair | undefined) => (event: KeyboardEvent) => {
    // Sliders and frames that scroll have a use of their own for these keys.
    if (!(event.target as Element).matches('[role="slider"], [role="region"]')) go(pair);
  };
  useHotkeys([
    ['ArrowLeft', goByKey(before), { preventDefault: false }],
    ['ArrowRight', goByKey(after), { preventDefault: false }],
  ]);
  const choices = [
    ...(found.median ? [{ value: median, label: describe('Median Visits', found.median) }] : []),
    ...pairs.map((pair, place) => ({ value: String(place), label: describe(nameOf(pair, userAgent), pair) })),
  ];
  return (
    <Group gap="xs" align="end" className="no-print">
      <Button variant="default" disabled={!before} onClick={() => go(before)} title="← on the keyboard">
        ← {before ? `Block ${before.block}` : 'Block before'}
      </Button>
      <Select
        aria-label="The two Visits"
        data={choices}
        value={index >= 0 ? String(index) : isShown(found.median) ? median : null}
        placeholder="Visits of different Blocks"
        onChange={(value) => go(value === median ? found.median : pairs[Number(value)])}
        allowDeselect={false}
        searchable
        limit={200}
        flex="0 1 26rem"
      />
      <Button variant="default" disabled={!after} onClick={() => go(after)} title="→ on the keyboard">
        {after ? `Block ${after.block}` : 'Block after'} →
      </Button>
      <Text size="sm" c="dimmed">
        {formatCount(pairs.length, 'pair')}
        {found.hasMore && ', and more'}
      </Text>
    </Group>
  );
}

function nameOf({ block, userAgent: own, repetition }: VisitPair, userAgent: string | null): string {
  return [
    `Block ${block}`,
    ...(userAgent === null ? [own] : []),
    ...(repetition > 1 ? [`repetition ${repetition}`] : []),
  ].join(' · ');
}

function describe(name: string, { first, second }: Pick<VisitPair, 'first' | 'second'>): string {
  return `${name}: ${formatMs(first.valueMs)} and ${formatMs(second.valueMs)}`;
}
