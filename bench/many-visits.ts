import { loadavg } from 'node:os';
import { openBenchPool, startBenchPostgres } from './support/bench-parts.ts';
import { explainStatements } from './support/explain-statements.ts';
import { makeHotQueries } from './support/hot-queries.ts';
import { readMedian } from './support/read-quantile.ts';
import { storeManyRuns } from './support/store-many-runs.ts';
import type { Pool } from 'pg';

/**
 * How the queries that a Controller often runs behave with many stored Visits: `node bench/many-visits.ts [MILLIONS]`, 10 unless given. Each is measured with a tenth of the Visits and then with all. Its
 * ratio is near 1 where it does not depend on how much is stored. Only the lists of Runs answer with more: all Runs, up to 200. The Runs have 100,000 Visits each: 100 URLs × 2 Scenarios × 10 User Agents
 * × 50 Blocks. Stored Visits have no Snapshots, so that the disk holds them; docs/scale.md has the bytes of those. Then comes the plan of each statement, with a warning where one reads a whole table.
 * The last part is the bytes per Visit of tables and indexes. 10 million Visits take 21 GB in the folder for temporary files, and half an hour.
 */
const millions = Number(process.argv[2] ?? 10);
const size = { urls: 100, scenarios: 2, userAgents: 10, blocks: 50 };
const visitsOfRun = size.urls * size.scenarios * size.userAgents * size.blocks;
/** A slow query is repeated less often. */
const fewestRepetitions = 3;
const longestMs = 60_000;
const allRuns = Math.max(2, Math.round((millions * 1e6) / visitsOfRun));
const fewRuns = Math.max(1, Math.round(allRuns / 10));
if (!Number.isFinite(allRuns)) throw new Error(`Not a number of millions: ${process.argv[2]}`);

await using postgres = await startBenchPostgres();
await using pool = await openBenchPool(postgres);

let runIds: string[] = [];
const measured = new Map<string, { few: number[]; all: number[] }>();
for (const [which, count] of [
  ['few', fewRuns],
  ['all', allRuns],
] as const) {
  const startMs = performance.now();
  runIds = await storeManyRuns(pool, { place: postgres, size, count, before: runIds });
  console.log(
    `${count} Runs with ${count * visitsOfRun} Visits are stored; the last took ${((performance.now() - startMs) / 1000).toFixed(0)} s; load of the machine ${loadavg()[0]!.toFixed(0)}`,
  );
  for (const { name, repetitions, prepare, run } of await makeHotQueries(pool, { runIds, blocks: size.blocks })) {
    const times: number[] = [];
    const beganMs = performance.now();
    for (let index = 0; index <= repetitions; index++) {
      await prepare?.();
      const askedMs = performance.now();
      await run(pool);
      if (index === 0) continue; // it reads catalogues, and compiles
      times.push(performance.now() - askedMs);
      if (times.length >= fewestRepetitions && performance.now() - beganMs > longestMs) break;
    }
    measured.set(name, { few: [], all: [], ...measured.get(name), [which]: times });
  }
}

console.log(`Milliseconds with ${fewRuns * visitsOfRun} and with ${allRuns * visitsOfRun} Visits`);
console.table(
  Object.fromEntries(
    [...measured].map(([name, { few, all }]) => [
      name,
      {
        repetitions: all.length,
        'few, median': readMedian(few).toFixed(1),
        'few, longest': Math.max(...few).toFixed(1),
        'all, median': readMedian(all).toFixed(1),
        'all, longest': Math.max(...all).toFixed(1),
        'ratio of medians': (readMedian(all) / readMedian(few)).toFixed(2),
      },
    ]),
  ),
);

console.log('Plans with all Visits');
const warnings: string[] = [];
for (const { name, prepare, run } of await makeHotQueries(pool, { runIds, blocks: size.blocks })) {
  await prepare?.();
  console.log(`\n${name}`);
  for (const [index, { text, times, plan }] of (await explainStatements(pool, run)).entries()) {
    const { milliseconds, buffersHit, buffersRead, buffersSpilled, isCompiled, scans, wholeScans } = plan;
    console.log(`  ${index + 1}. ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 100)}`);
    console.log(
      `     ${milliseconds.toFixed(1)} ms, buffers: ${buffersHit} hit, ${buffersRead} read${buffersSpilled > 0 ? `, ${buffersSpilled} spilled` : ''}${isCompiled ? ', compiled' : ''}${times > 1 ? `; runs ${times} times` : ''}`,
    );
    for (const scan of scans) console.log(`     - ${scan}`);
    warnings.push(...wholeScans.map((scan) => `${name}, statement ${index + 1}: ${scan}`));
  }
}
console.log(
  warnings.length === 0
    ? '\nNone reads all of visit, snapshot or pass'
    : `\nThese read a whole table:\n${warnings.join('\n')}`,
);

console.log('\nBytes per Visit');
const tables = ['visit', 'pass', 'round', 'cell_rollup', 'block_rollup', 'http_version_rollup'];
const perVisit = (bytes: number | null) => (bytes === null ? '' : (bytes / (allRuns * visitsOfRun)).toFixed(2));
console.table(
  Object.fromEntries(
    (await readRelationSizes(pool, tables)).map(({ name, bytes, tableBytes, indexBytes }) => [
      name,
      {
        itself: perVisit(bytes),
        'with TOAST': perVisit(tableBytes),
        'its indexes': perVisit(indexBytes),
        'MB in all': (bytes / 1e6).toFixed(1),
      },
    ]),
  ),
);

interface RelationSize {
  /** A table, or an index below its table. */
  name: string;
  /** Without TOAST. */
  bytes: number;
  /** Of a table, with TOAST and maps. */
  tableBytes: number | null;
  /** Of a table, all of them. */
  indexBytes: number | null;
}

/** The size on disk of these tables and of each of their indexes. */
async function readRelationSizes(pool: Pool, tables: readonly string[]): Promise<RelationSize[]> {
  const { rows } = await pool.query<RelationSize>(
    `select case when place.is_table then place.name else '  ' || place.name end as name, pg_relation_size(oid)::float8 as bytes,
       case when is_table then pg_table_size(oid) end::float8 as "tableBytes", case when is_table then pg_indexes_size(oid) end::float8 as "indexBytes"
     from unnest($1::text[]) with ordinality as wanted (table_name, number)
     cross join lateral (
       select table_name as name, table_name::regclass as oid, true as is_table
       union all
       select indexrelid::regclass::text, indexrelid, false from pg_index where indrelid = table_name::regclass) place
     order by number, is_table desc, name`,
    [tables],
  );
  return rows;
}
