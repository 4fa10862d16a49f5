import { listLooks } from '#core/record/list-looks.ts';
import { listAddedRounds, listCountedBlocks } from './store-added-rounds.ts';
import type { Queryable } from '../connection/queryable.ts';

/** How many Blocks a Run had each time that its result could be seen; none where no Rounds were added. */
export async function readLooks(db: Queryable, runId: string): Promise<number[]> {
  const added = await listAddedRounds(db, runId);
  return added.length === 0 ? [] : listLooks(added, await listCountedBlocks(db, runId));
}
