import { DerivationPool } from '#controller/ingest/derivation-pool.ts';
import { compressSnapshot } from '#controller/visits/compressed-snapshot.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';
import { describeBomb, pack, type Bomb } from './snapshot-bombs.ts';

const good = {
  snapshot: compressSnapshot(makeSnapshot({ url: 'http://origin.test/', totalMs: 300 })),
  filmstrip: null,
};

export interface Detonation {
  /** How many Snapshots were refused because the process that read them ended, and for any other reason. */
  ended: number;
  refused: number;
  /** Where a promise was broken. */
  problems: string[];
}

/**
 * Has a pool read Snapshots that are bombs, as the Controller would, each beside a good one. That process is this one: where it ends, no test passes. The heap of the
 * processes is smaller than that of a Controller's, so that smaller bombs fill it.
 */
export async function detonate(
  bombs: readonly Bomb[],
  { atATime = 2, packed = pack }: { atATime?: number; packed?: typeof pack } = {},
): Promise<Detonation> {
  await using pool = new DerivationPool({ mostHeapMegabytes: 64 });
  const result: Detonation = { ended: 0, refused: 0, problems: [] };
  const waiting = [...bombs];
  const work = async () => {
    for (let bomb = waiting.pop(); bomb; bomb = waiting.pop()) {
      const [read, beside] = await pool.derive([{ snapshot: packed(bomb), filmstrip: null }, good]);
      if (read?.kind !== 'refused') result.problems.push(`It is taken for a Snapshot: ${describeBomb(bomb)}`);
      else if (read.problem.startsWith('The process')) result.ended++;
      else result.refused++;
      if (beside?.kind !== 'derived') result.problems.push(`The one beside it is lost: ${describeBomb(bomb)}`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return result;
}
