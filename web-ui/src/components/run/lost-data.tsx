import { useQuery } from '@tanstack/react-query';
import type { RunContents } from '#core/protocol/api/run-contents.ts';
import { fetchContents, type Deleted } from '../../api/deletion-requests.ts';
import { problemOf } from '../../api/request.ts';
import { formatCount, formatBytes } from '../../format/format-numbers.ts';

/** What is lost with a Run, or with an Evaluation and its Runs. */
export function LostData({ what, id }: { what: Deleted; id: string }) {
  const query = useQuery({
    queryKey: [what, id, 'contents'],
    queryFn: ({ signal }) => fetchContents(what, id, signal),
    gcTime: 0,
  });
  if (query.error)
    return <>What would be lost cannot be shown: {problemOf(query.error).message.replace(/\.$/, '')}. </>;
  if (!query.data) return <>Counting what would be lost …</>;
  const lost = listLost(what, query.data);
  return (
    <>
      This deletes {lost.length > 1 ? `${lost.slice(0, -1).join(', ')} and ${lost.at(-1)!}` : lost[0]}, with Snapshots
      and pictures. It cannot be undone. To keep a copy, export a bundle first.
    </>
  );
}

function listLost(what: Deleted, { runs, rounds, visits, traces, traceBytes, shares }: RunContents): string[] {
  return [
    what === 'runs' ? 'the Run' : `the Evaluation and its ${formatCount(runs, 'Run')}`,
    formatCount(rounds, 'Round'),
    formatCount(visits, 'Visit'),
    ...(traces > 0 ? [`${formatCount(traces, 'trace')} (${formatBytes(traceBytes)})`] : []),
    ...(shares > 0 ? [formatCount(shares, 'shared link')] : []),
  ];
}
