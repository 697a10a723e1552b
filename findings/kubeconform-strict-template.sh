#!/usr/bin/env bash
# GUESS: kubeconform -strict refuses keys that a schema does not know, whatever schemas it reads. An empty folder, or
#   a -skip of a misspelt kind, is an error.
# REALLY: For unknown keys, -strict only chooses another file: it fills {{.StrictSuffix}} in the address of the
#   schema. With a -schema-location without it, as for a folder of own schemas, misspelt keys pass. An empty folder
#   passes: "0 resource found", exit 0. A misspelt -skip is ignored. Duplicate keys are refused by -strict in any
#   case.
# VERSIONS: kubeconform 0.7.0 (Go module proxy).
# WHY: Charts are checked offline in CI with a folder of schemas, and a key such as `data_` or `resource:` is what the
#   check is for. A template that renders nothing leaves an empty folder.
# LIVE WITH IT: Put {{.StrictSuffix}} into the template and keep files with additionalProperties: false under that
#   name. Read the number of resources from -summary and compare it with the number expected.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
GOBIN="$dir" go install github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0 2> install.log || { cat install.log; exit 1; }
echo "kubeconform $(./kubeconform -v)"

mkdir schemas chart double empty
fields='"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"},"data":{"type":"object"}}'
echo "{\"type\":\"object\",$fields}" > schemas/configmap.json
echo "{\"type\":\"object\",\"additionalProperties\":false,$fields}" > schemas/configmap-strict.json
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: example }\ndatas: { key: value }\n' > chart/misspelt.yaml
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: example }\ndata: { key: a, key: b }\n' > double/key.yaml

run() {
  ./kubeconform -strict -summary "$@" > out.txt 2>&1 && code=0 || code=$?
  echo "kubeconform -strict $* → exit $code"
  sed 's/^/  /' out.txt
}
run -schema-location 'schemas/{{.ResourceKind}}.json' chart
[ "$code" -eq 0 ]
grep -q 'Valid: 1' out.txt
run -schema-location 'schemas/{{.ResourceKind}}{{.StrictSuffix}}.json' chart
[ "$code" -ne 0 ]
grep -q "additional properties 'datas' not allowed" out.txt
run -schema-location 'schemas/{{.ResourceKind}}{{.StrictSuffix}}.json' empty
[ "$code" -eq 0 ]
grep -q '0 resource found' out.txt
run -skip Secrets -schema-location 'schemas/{{.ResourceKind}}.json' chart
[ "$code" -eq 0 ]
run -schema-location 'schemas/{{.ResourceKind}}.json' double
[ "$code" -ne 0 ]
grep -q 'key "key" already set' out.txt
