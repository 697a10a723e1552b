#!/usr/bin/env bash
# GUESS: format_soql refuses a datetime without a time zone, or takes it as UTC, as Salesforce stores it.
# REALLY: It takes it as local time of the machine and converts it: datetime(2026, 1, 1) becomes
#   2026-01-01T05:00:00+00:00 in New York and 2026-01-01T00:00:00+00:00 in a container on UTC. No warning.
# VERSIONS: simple-salesforce 1.12.10 (PyPI).
# WHY: datetime.utcnow() and stamps read from a database column without a zone are naive UTC. The query moves by the
#   machine's offset: west of Greenwich it begins hours late and rows are never read. In CI and in containers, which
#   run on UTC, nothing shows.
# LIVE WITH IT: Pass aware values alone (datetime.now(timezone.utc)), and run one test with TZ set to another zone.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv py
py/bin/pip install --quiet --no-compile --disable-pip-version-check simple-salesforce==1.12.10
cat > run.py <<'PY'
import os
from datetime import datetime, timezone
from importlib.metadata import version
from simple_salesforce import format_soql

naive = format_soql("{}", datetime(2026, 1, 1))
aware = format_soql("{}", datetime(2026, 1, 1, tzinfo=timezone.utc))
print("simple-salesforce", version("simple-salesforce"), "TZ", os.environ["TZ"], "naive:", naive, "aware:", aware)
assert naive == os.environ["EXPECTED"], naive
assert aware == "2026-01-01T00:00:00+00:00", aware
PY
TZ=UTC EXPECTED=2026-01-01T00:00:00+00:00 py/bin/python run.py
TZ=America/New_York EXPECTED=2026-01-01T05:00:00+00:00 py/bin/python run.py
