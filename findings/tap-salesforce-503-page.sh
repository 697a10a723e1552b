#!/usr/bin/env bash
# GUESS: When Salesforce answers a query with 503 and an HTML page, tap-salesforce waits and asks again, and in the
#   end names the 503.
# REALLY: It asks once and fails with "'NoneType' object has no attribute 'text'": it reads the answer's body as JSON,
#   and the error of that reading is taken for an HTTP error without an answer. A 503 with a JSON body is not repeated
#   either, but is named.
# VERSIONS: tap-salesforce 2.8.1 (PyPI).
# WHY: Salesforce can answer with an HTML page, during maintenance for example. The run ends with a message about
#   Python, and the person on duty looks for a fault in the tap's configuration.
# LIVE WITH IT: Start the run again from outside with a back-off, whatever its message says: the bookmark is where it
#   was. Treat this message as "Salesforce answered something that is not JSON".
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv py
py/bin/pip install --quiet --no-compile --disable-pip-version-check tap-salesforce==2.8.1
cat > run.py <<'PY'
import http.server, importlib.metadata, threading
from tap_salesforce import sync
from tap_salesforce.salesforce import Salesforce

answer, requests = {}, []

class Stub(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        requests.append(self.path)
        self.send_response(503)
        self.send_header("content-type", answer["type"])
        self.send_header("content-length", str(len(answer["body"])))
        self.end_headers()
        self.wfile.write(answer["body"])

stub = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
threading.Thread(target=stub.serve_forever, daemon=True).start()
api = Salesforce(refresh_token="example", sf_client_id="example", sf_client_secret="example",
                 default_start_date="2026-01-01T00:00:00Z", api_type="REST")
api.instance_url, api.access_token = f"http://127.0.0.1:{stub.server_port}", "example"
metadata = [{"breadcrumb": [], "metadata": {"replication-key": "SystemModstamp", "selected": True}},
            {"breadcrumb": ["properties", "Id"], "metadata": {"selected": True}}]
stream = {"stream": "Opportunity", "tap_stream_id": "Opportunity", "metadata": metadata,
          "schema": {"type": "object", "properties": {"Id": {"type": "string"}}}}

def failure(content_type, body):
    answer.update(type=content_type, body=body)
    requests.clear()
    try:
        sync.sync_stream(api, stream, {"bookmarks": {}})
    except Exception as error:
        return type(error).__name__, str(error)[:120], len(requests)
    raise AssertionError("no failure")

print("tap-salesforce", importlib.metadata.version("tap-salesforce"))
page = failure("text/html", b"<html><body>Service Unavailable</body></html>")
print("503 with a page:", page)
assert page == ("AttributeError", "'NoneType' object has no attribute 'text'", 1), page
json = failure("application/json", b'[{"errorCode":"SERVER_UNAVAILABLE","message":"Try again"}]')
print("503 with JSON:", json)
assert json[1].startswith("503 Server Error") and json[2] == 1, json
stub.shutdown()
PY
py/bin/python run.py 2> log.txt || { cat log.txt; exit 1; }
