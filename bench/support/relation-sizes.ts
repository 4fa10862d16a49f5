import type { Pool } from 'pg';

export interface RelationSize {
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
export async function readRelationSizes(pool: Pool, tables: readonly string[]): Promise<RelationSize[]> {
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
