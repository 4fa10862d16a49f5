"""What DuckDB, which shares no code with HTTP-AE, finds in an export: FOLDER of Parquet files, CSV of the same Run, SQL of an example."""
import json
import sys

import duckdb

folder, csv, script = sys.argv[1:]
connection = duckdb.connect()


def rows(sql):
    return connection.execute(sql).fetchall()


visits = f"read_parquet('{folder}/visits.parquet')"
readings = f"read_parquet('{folder}/readings.parquet')"
types = {name: kind for name, kind, *_ in rows(f"describe select * from {visits}")}
columns = "{" + ", ".join(f"'{name}': '{kind}'" for name, kind in types.items()) + "}"
text = f"read_csv('{csv}', header = true, columns = {columns}, nullstr = '', quote = '\"', escape = '\"')"


def is_different(name):
    """CSV has four decimals."""
    if types[name] == "DOUBLE":
        condition = f'abs(own."{name}" - other."{name}") > 0.00006 or (own."{name}" is null) <> (other."{name}" is null)'
    else:
        condition = f'own."{name}" is distinct from other."{name}"'
    return rows(f"select count(*) from {visits} as own join {text} as other using (visit_id) where {condition}") != [(0,)]


connection.execute(f"set variable folder = '{folder}'")
connection.execute("set variable baseline = 'direct'")
print(json.dumps({
    "types": types,
    "metadata": {key.decode(): json.loads(value) for key, value in rows(f"select key, value from parquet_kv_metadata('{folder}/visits.parquet')")},
    "different": [name for name in types if name != "visit_id" and is_different(name)],
    "counts": [rows(f"select count(*), count(distinct visit_id) from {visits}")[0], rows(f"select count(*), count(distinct visit_id) from {text}")[0]],
    "codecs": rows(f"select distinct compression from parquet_metadata('{folder}/visits.parquet')"),
    "groups": rows(f"select count(distinct row_group_id) from parquet_metadata('{folder}/visits.parquet')"),
    "readings": rows(f"select count(value), count(absence), count(*) from {readings}"),
    "unequal": rows(f"select count(*) from {readings} join {visits} as own using (visit_id) where metric = 'totalMs' and value is distinct from total_ms"),
    "captures": rows(f"select user_agent, capture_point, absence, packets, bytes, sent_bytes + received_bytes, tcp_opened, handshake_rtt_mean_ms from read_parquet('{folder}/captures.parquet') order by user_agent, absence nulls first"),
    "compared": rows(open(script, encoding="utf-8").read()),
}))
