import type { Queryable } from '#controller/database/queryable.ts';

interface Table {
  name: string;
  columns: { name: string; definition: string }[];
  constraints: string[];
  indexes: string[];
}

const tablesSql = `
  select c.relname as name,
    (select jsonb_agg(jsonb_build_object('name', a.attname, 'definition',
        format_type(a.atttypid, a.atttypmod)
        || case when a.attnotnull then ' not null' else '' end
        || case when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity' else '' end
        || case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end) order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    coalesce((select jsonb_agg(pg_get_constraintdef(o.oid) order by o.contype, o.conname) from pg_constraint o where o.conrelid = c.oid and o.contype <> 'n'), '[]') as constraints,
    coalesce((select jsonb_agg(pg_get_indexdef(i.indexrelid) order by i.indexrelid::regclass::text) from pg_index i
      where i.indrelid = c.oid and not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.conrelid = c.oid)), '[]') as indexes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> 'pgmigrations' order by c.relname`;

const othersSql = `
  select pg_get_functiondef(p.oid) as definition from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public' order by p.proname`;
const viewsSql = `select viewname as name, definition from pg_views where schemaname = 'public' order by viewname`;
const triggersSql = `
  select pg_get_triggerdef(t.oid) as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and not t.tgisinternal order by t.tgname`;

/** The tables, views, functions and triggers of a migrated database as SQL, in the same words by every version of PostgreSQL from 14 on. */
export async function describeSchema(database: Queryable): Promise<string> {
  const { rows: tables } = await database.query<Table>(tablesSql);
  const { rows: views } = await database.query<{ name: string; definition: string }>(viewsSql);
  const { rows: others } = await database.query<{ definition: string }>(othersSql);
  const { rows: triggers } = await database.query<{ definition: string }>(triggersSql);
  return [
    '-- The database schema after all migrations, to read. Written by "node tests/db/write-schema.ts"; the migrations make the tables.',
    ...tables.map(formatTable),
    ...views.map(({ name, definition }) => `create view ${name} as\n${definition}`),
    ...others.map(({ definition }) => `${definition.trim()};`),
    ...triggers.map(({ definition }) => `${lowerKeywords(definition)};`),
  ]
    .join('\n\n')
    .concat('\n');
}

function formatTable({ name, columns, constraints, indexes }: Table): string {
  const lines = [
    ...columns.map((column) => `${column.name} ${lowerKeywords(column.definition)}`),
    ...constraints.map((constraint) => lowerKeywords(constraint)),
  ];
  return [
    `create table ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`,
    ...indexes.map((index) => `${lowerKeywords(index).replace(' on public.', ' on ').replace(' using btree ', ' ')};`),
  ].join('\n');
}

/** PostgreSQL prints its keywords in capitals; text in quotes stays. */
function lowerKeywords(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|\b[A-Z]{2,}\b/g, (part) => (part.startsWith("'") ? part : part.toLowerCase()));
}
