#!/usr/bin/env bash
# GUESS: After a run, the bookmark of an incremental stream is the greatest replication key among its records.
# REALLY: Only for a sorted stream. The bookmark of an unsorted stream is never later than the start of the run, even
#   if records carry a later time. A sorted stream has no such limit: one record dated 2099 sets the bookmark to 2099.
# VERSIONS: singer-sdk 0.54.9 (PyPI).
# WHY: With a source whose clock is ahead, an unsorted tap emits the newest records again in each run until its own
#   clock has passed them. A sorted tap takes one wrong date for its position, and skips all records before it from then
#   on, without an error. Turning on is_sorted, which saves time, changes both.
# LIVE WITH IT: Let targets upsert by key. Before is_sorted is turned on, drop or cap keys that are later than now.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv py
py/bin/pip install --quiet --no-compile --disable-pip-version-check singer-sdk==0.54.9
cat > tap.py <<'PY'
import os
from singer_sdk import Stream, Tap
from singer_sdk import typing as th


class Deals(Stream):
    name = "deals"
    primary_keys = ["id"]
    replication_key = "modified"
    is_sorted = os.environ["SORTED"] == "yes"
    schema = th.PropertiesList(th.Property("id", th.StringType), th.Property("modified", th.DateTimeType)).to_dict()

    def get_records(self, context):
        yield {"id": "a", "modified": "2026-01-01T00:00:00Z"}
        yield {"id": "b", "modified": "2099-01-01T00:00:00Z"}


class TapDeals(Tap):
    name = "tap-deals"
    config_jsonschema = th.PropertiesList().to_dict()

    def discover_streams(self):
        return [Deals(tap=self)]


TapDeals.cli()
PY
cat > check.py <<'PY'
import json
import sys
from importlib.metadata import version

lines = [json.loads(line) for line in sys.stdin]
records = [line["record"]["id"] for line in lines if line["type"] == "RECORD"]
state = [line["value"] for line in lines if line["type"] == "STATE"][-1]
bookmark = state["bookmarks"]["deals"]["replication_key_value"]
print("singer-sdk", version("singer-sdk"), "sorted:", sys.argv[1], "records:", records, "bookmark:", bookmark[:10])
assert records == ["a", "b"], records
assert bookmark.startswith("2099") == (sys.argv[1] == "yes"), bookmark
PY
for sorted in no yes; do SORTED=$sorted py/bin/python tap.py 2> errors.log | py/bin/python check.py "$sorted"; done
