import { causesVersion } from '#core/causes/causes.ts';
import type { Queryable } from '../database/queryable.ts';

/** The columns of latencies; they are null where the Visit failed. */
export const latencyColumns = { baseMs: 'base_ms', viewportMs: 'viewport_ms', totalMs: 'total_ms' } as const;

/** What is true or not of a Visit, as SQL. */
export const visitTraits = {
  isFailed: `status = 'failed'`,
  isTimedOut: `code = 'timeout'`,
  isExcluded: 'id = any($2::uuid[])',
  isUnsettled: 'not is_settled',
  isHidden: 'is_hidden',
  lacksLatency: `status = 'ok' and (base_ms is null or viewport_ms is null or total_ms is null)`,
  hasCauses: `causes_version = ${causesVersion} and causes is not null`,
} as const;
type Trait = keyof typeof visitTraits;
const traits = Object.keys(visitTraits) as Trait[];
const bitOf = Object.fromEntries(traits.map((trait, index) => [trait, 1 << index])) as Record<Trait, number>;

/** The traits of a Visit are sent as one character: this one where none is true. */
const noTraits = 128;
const selectTraits = traits.map((trait) => `case when ${visitTraits[trait]} then ${bitOf[trait]} else 0 end`);

const bytesOfNumber = 8;

/** The Visits of a Pass that count, in the order of execution. Each has a place, from 0. */
export class PassVisits {
  readonly block: number;
  readonly scenario: string;
  readonly userAgent: string;
  /** Of each Visit. One text for all that are the same, in other Passes too. */
  readonly urls: readonly string[];
  readonly aggregates: readonly unknown[];
  readonly #traits: string;
  readonly #numbers: DataView;
  readonly #names: readonly string[];

  constructor(
    { block, scenario, userAgent }: Omit<PassRow, 'id'>,
    { urls, names, row }: { urls: readonly string[]; names: readonly string[]; row: VisitsRow },
  ) {
    const [, , shown, { buffer, byteOffset, byteLength }, ...aggregates] = row;
    this.block = block;
    this.scenario = scenario;
    this.userAgent = userAgent;
    this.urls = urls;
    this.aggregates = aggregates;
    this.#traits = shown;
    this.#numbers = new DataView(buffer, byteOffset, byteLength);
    this.#names = names;
  }

  is(trait: Trait, place: number): boolean {
    return ((this.#traits.charCodeAt(place) - noTraits) & bitOf[trait]) !== 0;
  }

  /** A function that gives this number of the Visit at a place; null where the Visit has none, and where nobody asked for it. */
  reader(name: string): (place: number) => number | null {
    const index = this.#names.indexOf(name);
    if (index === -1) return () => null;
    const numbers = this.#numbers;
    const bytesOfVisit = this.#names.length * bytesOfNumber;
    return (place) => {
      const value = numbers.getFloat64(place * bytesOfVisit + index * bytesOfNumber);
      return Number.isNaN(value) ? null : value;
    };
  }
}

interface AskedVisits {
  runId: string;
  /** Null for all. */
  userAgent?: string | null;
  /** What is read of each Visit, by name, as SQL of this program. */
  numbers: Readonly<Record<string, string>>;
  /** What is read of the Visits of a Pass together, as SQL. */
  aggregates?: readonly string[];
  /** What is joined to `visit`, with other columns than it has. */
  joined?: string;
}

interface PassRow {
  id: string;
  block: number;
  scenario: string;
  userAgent: string;
}

/** The URLs are null where a Pass has no Visit that counts. */
type VisitsRow = [passId: string, urls: string | null, traits: string, numbers: Buffer, ...aggregates: unknown[]];

/** Passes whose Visits one statement reads. */
const passesAtOnce = 400;

/**
 * The Visits of a Run that count, in the order of execution: those of completed Rounds that are no warm-up, without unmeasured first loads. PostgreSQL sends a row for each Pass, its
 * numbers as bytes: to read a row of text for each Visit would take most of the time of a report.
 */
export async function readVisitsByPass(
  db: Queryable,
  { runId, userAgent = null, numbers, aggregates = [], joined = '' }: AskedVisits,
): Promise<PassVisits[]> {
  const { rows: passes } = await db.query<PassRow>(
    `select pass.id, block, scenario, user_agent as "userAgent" from round join pass on pass.round_id = round.id
     where run_id = $1 and round.state = 'completed' and not warm_up and ($2::text is null or user_agent = $2) order by index, user_agent`,
    [runId, userAgent],
  );
  const { rows: excluded } = await db.query<{ id: string }>(
    `select visit_id as id from exclusion join visit on visit.id = visit_id join pass on pass.id = pass_id join round on round.id = round_id
     where run_id = $1 and reversed_at is null`,
    [runId],
  );
  const packed = Object.values(numbers).map((sql) => `float8send(coalesce((${sql})::float8, 'NaN'))`);
  const columns = [
    'json_agg(url)::text',
    `string_agg(chr(${[noTraits, ...selectTraits].join(' + ')}), '')`,
    `string_agg(${packed.join(' || ')}, '')`,
    ...aggregates,
  ];
  const text = `select pass_id, read.* from unnest($1::uuid[]) as asked (pass_id) cross join lateral (
      select ${columns.join()}
      from (select * from visit ${joined} where visit.pass_id = asked.pass_id and repetition > 0 order by sequence, id) as visit) as read`;
  const rowOf = new Map<string, VisitsRow>();
  for (let first = 0; first < passes.length; first += passesAtOnce) {
    const ids = passes.slice(first, first + passesAtOnce).map(({ id }) => id);
    const values = [ids, excluded.map(({ id }) => id)];
    const { rows } = await db.query<VisitsRow>({ text, values, rowMode: 'array' });
    for (const row of rows) rowOf.set(row[0], row);
  }
  const names = Object.keys(numbers);
  const share = shareTexts();
  const known = new Map<string, string[]>();
  return passes.flatMap(({ id, block, scenario, userAgent: ofUser }) => {
    const row = rowOf.get(id)!;
    if (row[1] === null) return [];
    const urls = known.get(row[1]) ?? (JSON.parse(row[1]) as string[]).map(share);
    known.set(row[1], urls);
    return new PassVisits({ block, scenario: share(scenario), userAgent: share(ofUser) }, { urls, names, row });
  });
}

function shareTexts(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => known.get(text) ?? (known.set(text, text), text);
}
