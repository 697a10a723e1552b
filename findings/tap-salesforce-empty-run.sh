#!/usr/bin/env bash
# GUESS: A run of tap-salesforce that finds no row leaves the bookmark of the stream where it was.
# REALLY: It sets the bookmark to the clock of the machine that the tap runs on. With rows, the bookmark is the last
#   row's SystemModstamp.
# VERSIONS: tap-salesforce 2.8.1 (PyPI).
# WHY: The next run asks for SystemModstamp >= that time. A transaction that began before and committed after the
#   empty answer has an older stamp and is never read; so is every row of the minutes by which the machine's clock
#   runs ahead of Salesforce. A quiet object, where an empty run is the usual one, is hit most.
# LIVE WITH IT: Set lookback_window to more than the longest transaction and the clock's error, and deduplicate by Id
#   and SystemModstamp. Compare counts once a day.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv py
py/bin/pip install --quiet --no-compile --disable-pip-version-check tap-salesforce==2.8.1
cat > run.py <<'PY'
import datetime, http.server, importlib.metadata, json, threading
from tap_salesforce import sync
from tap_salesforce.salesforce import Salesforce

records, queries = [], []

class Stub(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        queries.append(self.path)
        body = json.dumps({"totalSize": len(records), "done": True, "records": records}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

stub = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
threading.Thread(target=stub.serve_forever, daemon=True).start()
api = Salesforce(refresh_token="example", sf_client_id="example", sf_client_secret="example",
                 default_start_date="2026-01-01T00:00:00Z", api_type="REST")
api.instance_url, api.access_token = f"http://127.0.0.1:{stub.server_port}", "example"
fields = {"Id": {"type": "string"}, "SystemModstamp": {"type": "string", "format": "date-time"}}
metadata = [{"breadcrumb": [], "metadata": {"replication-key": "SystemModstamp", "selected": True}}]
metadata += [{"breadcrumb": ["properties", name], "metadata": {"selected": True}} for name in fields]
stream = {"stream": "Opportunity", "tap_stream_id": "Opportunity", "metadata": metadata,
          "schema": {"type": "object", "properties": fields}}
BEFORE = "2026-01-02T00:00:00.000000Z"

def bookmark_after_run():
    state = {"bookmarks": {"Opportunity": {"SystemModstamp": BEFORE}}}
    sync.sync_stream(api, stream, state)
    return state["bookmarks"]["Opportunity"]["SystemModstamp"]

print("tap-salesforce", importlib.metadata.version("tap-salesforce"))
records.append({"Id": "006000000000001AAA", "SystemModstamp": "2026-01-03T00:00:00.000+0000"})
with_row = bookmark_after_run()
records.clear()
started = datetime.datetime.now(datetime.timezone.utc)
without = bookmark_after_run()
print("query:", queries[-1])
print("bookmark before:", BEFORE, "- after a run with one row:", with_row, "- after a run without:", without)
assert with_row == "2026-01-03T00:00:00.000000Z", with_row
moved = datetime.datetime.fromisoformat(without.replace("Z", "+00:00"))
assert abs((moved - started).total_seconds()) < 60, without
stub.shutdown()
PY
py/bin/python run.py 2> log.txt || { cat log.txt; exit 1; }
