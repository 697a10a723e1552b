#!/usr/bin/env bash
# GUESS: dlt widens a column when a later value does not fit: a text column that first held date-times becomes text, a
#   whole-number column becomes a decimal one.
# REALLY: The first row decides for good. A text that looks like a date-time makes a timestamp column; the later "n/a"
#   goes to a second column, note__c__v_text, and note__c of that row is NULL. 100 and then 100.5 give amount and
#   amount__v_double the same way. The load reports no failed job.
# VERSIONS: dlt 1.31.0 with DuckDB (PyPI).
# WHY: Reports read the column they know. Amounts and notes disappear from them row by row, and which column is right
#   depends on which record was loaded first.
# LIVE WITH IT: Give the types of the describe call as column hints, or freeze them after the first load with
#   schema_contract={"data_type": "freeze"}, which makes the load fail instead.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv py
py/bin/pip install --quiet --no-compile --disable-pip-version-check 'dlt[duckdb]==1.31.0'
cat > run.py <<'PY'
import dlt
from dlt.pipeline.exceptions import PipelineStepFailed

print("dlt", dlt.__version__)
pipeline = dlt.pipeline("finding", destination=dlt.destinations.duckdb("out.duckdb"), pipelines_dir="state", dataset_name="crm")
for row in ({"Note__c": "2026-01-01T00:00:00Z", "Amount": 100}, {"Note__c": "n/a", "Amount": 100.5}):
    info = pipeline.run([row], table_name="opportunity")
    assert not info.has_failed_jobs
columns = "note__c::DATE::VARCHAR, note__c__v_text, amount, amount__v_double"
with pipeline.sql_client() as client:
    rows = client.execute_sql(f"SELECT {columns} FROM opportunity ORDER BY _dlt_load_id")
print(columns)
for row in rows:
    print(row)
assert [tuple(row) for row in rows] == [("2026-01-01", None, 100, None), (None, "n/a", None, 100.5)], rows

pipeline.run([{"Note__c": "2026-01-01T00:00:00Z"}], table_name="frozen")
try:
    pipeline.run([{"Note__c": "n/a"}], table_name="frozen", schema_contract={"data_type": "freeze"})
except PipelineStepFailed as error:
    print("with a frozen schema:", type(error.__context__).__name__, "is raised")
else:
    raise SystemExit("the frozen load did not fail")
PY
RUNTIME__DLTHUB_TELEMETRY=false py/bin/python run.py
