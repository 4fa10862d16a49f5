import type { RunMethod } from '#core/record/run-method.ts';

/** Which Rounds were added when and by whom, and what had changed by then. */
export function AddedRounds({ added }: Pick<RunMethod, 'added'>) {
  return added.map(({ firstBlock, blocks, requestedAt, requestedBy, startedAt, endedAt, changes }, index) => {
    const last = (added[index + 1]?.firstBlock ?? firstBlock + blocks) - 1;
    return (
      <div key={index}>
        {last < firstBlock
          ? 'No Block was measured'
          : last === firstBlock
            ? `Block ${last}`
            : `Blocks ${firstBlock} to ${last}`}
        : added on {show(requestedAt)}
        {requestedBy !== null && ` by ${requestedBy}`}, after the result had been seen
        {startedAt === null
          ? '; not started'
          : `; measured ${show(startedAt)} to ${endedAt === null ? 'now' : show(endedAt)}`}
        , UTC. {changes.join(' ')}
      </div>
    );
  });
}

const show = (time: string) => time.slice(0, 16).replace('T', ' ');
