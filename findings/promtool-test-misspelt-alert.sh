#!/usr/bin/env bash
# GUESS: `promtool test rules` refuses a test of an alert that no rule defines, at the least with a warning.
# REALLY: A test with `exp_alerts: []` for a misspelt or removed alert passes, without a word. So does one whose input
#   series no rule reads. Only a test that expects the alert to fire finds the wrong name.
# VERSIONS: promtool 2.42.0 (Debian 12's prometheus 2.42.0+ds-5+deb12u1).
# WHY: "Does not fire on a healthy system" is the test that guards against false alarms. After a rule is renamed it
#   guards nothing and stays green.
# LIVE WITH IT: For each name in a test of silence have one that expects the alert to fire, and compare the names of
#   rules and tests with a few lines of script in CI.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
if ! apt-get download --quiet=2 prometheus=2.42.0+ds-5+deb12u1 2> /dev/null; then
  apt-get update --quiet=2
  apt-get download --quiet=2 prometheus=2.42.0+ds-5+deb12u1 2> /dev/null
fi
dpkg-deb --extract prometheus_*.deb unpacked
promtool=unpacked/usr/bin/promtool
"$promtool" --version | head -1

cat > rules.yaml <<'YAML'
groups:
  - name: example
    rules:
      - { alert: StreamStopped, expr: stream_age_seconds > 600, for: 1m }
YAML
tests() {
  cat <<YAML
rule_files: [rules.yaml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series: [{ series: '$1', values: '900x10' }]
    alert_rule_test: [{ alertname: $2, eval_time: 5m, exp_alerts: $3 }]
YAML
}
run() {
  tests "$@" > tests.yaml
  "$promtool" test rules tests.yaml > out.txt 2>&1 && code=0 || code=$?
  echo "series $1, alert $2, expected $3: exit $code, $(grep -c -i 'warn' out.txt || true) warnings"
}
run stream_age_seconds StreamStopped '[]'
[ "$code" -ne 0 ] # It fires, so a test of silence with the right name fails.
run stream_age_seconds StreamStoped '[]'
[ "$code" -eq 0 ]
run stream_age_secs StreamStopped '[]'
[ "$code" -eq 0 ]
run stream_age_seconds StreamStoped '[{}]'
[ "$code" -ne 0 ]
echo "A misspelt alert passes a test of silence."
