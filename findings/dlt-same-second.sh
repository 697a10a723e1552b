#!/usr/bin/env bash
# GUESS: dlt's incremental cursor loads a row again when it comes with the stamp of the last run but other content;
#   only an unchanged row counts as seen.
# REALLY: With a primary key, seen rows at the last stamp are known by that key alone. A row whose second save has the
#   same stamp is dropped, also with write_disposition merge: the destination keeps the first value. Without a primary
#   key the content counts.
# VERSIONS: dlt 1.31.0 with DuckDB (PyPI).
# WHY: Salesforce's SystemModstamp has whole seconds, and a flow or trigger can save a record twice within one.
#   If the run reads between the two saves, the second is lost until somebody edits the record again.
# LIVE WITH IT: Give the cursor a lag (`incremental("SystemModstamp", lag=60)`) with write_disposition merge, as the
#   third case shows.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv py
py/bin/pip install --quiet --no-compile --disable-pip-version-check 'dlt[duckdb]==1.31.0'
cat > run.py <<'PY'
import dlt

print("dlt", dlt.__version__)
pipeline = dlt.pipeline("finding", destination=dlt.destinations.duckdb("out.duckdb"), pipelines_dir="state", dataset_name="crm")
STAMP = "2026-01-01T00:00:00.000+0000"
rows = []

def resource(name, cursor, **options):
    def read(stamp=cursor):
        yield from rows
    return dlt.resource(read, name=name, **options)

def amounts(name, cursor, **options):
    for amount in (100.0, 250.0):
        rows[:] = [{"Id": "006000000000001AAA", "SystemModstamp": STAMP, "Amount": amount}]
        pipeline.run(resource(name, cursor(), **options))
    with pipeline.sql_client() as client:
        return [row[0] for row in client.execute_sql(f"SELECT amount FROM {name} ORDER BY amount")]

plain = lambda: dlt.sources.incremental("SystemModstamp")
lagging = lambda: dlt.sources.incremental("SystemModstamp", lag=60)
seen = {
    "merge by primary key": amounts("merged", plain, primary_key="Id", write_disposition="merge"),
    "append, no primary key": amounts("appended", plain, write_disposition="append"),
    "merge by primary key, lag of 60 s": amounts("lagged", lagging, primary_key="Id", write_disposition="merge"),
}
for case, value in seen.items():
    print(f"saved as 100, run, saved as 250 in the same second, run - {case}: {value}")
assert list(seen.values()) == [[100.0], [100.0, 250.0], [250.0]], seen
PY
RUNTIME__DLTHUB_TELEMETRY=false py/bin/python run.py
