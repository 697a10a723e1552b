#!/usr/bin/env bash
# GUESS: tsc writes the same files each time. Sources of an npm workspace that the project imports through its link
#   in node_modules are either all written, because the workspace's entry is a root file too, or never.
# REALLY: TypeScript 7 loads files in parallel, and writes nothing for a file that it has first found through
#   node_modules. Which way comes first differs from run to run: some runs write all files, others only the two root
#   files. The exit code is 0 and nothing is printed. TypeScript 6 writes all files each time.
# VERSIONS: typescript 7.0.2 and 6.0.3.
# WHY: A package that was built well for weeks is one day published, or tested, without most of its modules.
# LIVE WITH IT: Map the workspace's name to its sources with `paths` in the tsconfig of the build.
set -euo pipefail
work=$(mktemp -d) && cd "$work"
trap 'rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix . typescript7@npm:typescript@7.0.2 typescript6@npm:typescript@6.0.3
mkdir -p app parts && ln -s ../parts node_modules/parts
echo '{ "name": "parts", "version": "1.0.0", "type": "module", "exports": "./index.ts" }' >parts/package.json
echo '{ "type": "module" }' >package.json
for ((i = 1; i < 150; i += 1)); do
  echo "import { v$((i + 1)) } from './m$((i + 1)).ts'; export const v$i: number = v$((i + 1)) + 1;" >"parts/m$i.ts"
done
echo 'export const v150: number = 1;' >parts/m150.ts
echo "export { v1 } from './m1.ts';" >parts/index.ts
echo "import { v1 } from 'parts'; console.log(v1);" >app/main.ts
options='"module": "nodenext", "target": "es2024", "rewriteRelativeImportExtensions": true, "rootDir": ".", "types": []'
roots='"files": ["app/main.ts", "parts/index.ts"]'
echo "{ \"compilerOptions\": { $options, \"outDir\": \"out\" }, $roots }" >tsconfig.json
echo "{ \"extends\": \"./tsconfig.json\", \"compilerOptions\": { \"paths\": { \"parts\": [\"./parts/index.ts\"] } } }" >mapped.json
# Builds with a compiler and a configuration, so many times: the numbers of files that were written, each once.
written() {
  for _ in $(seq "$3"); do
    rm -rf out
    node "node_modules/$1/bin/tsc" -p "$2" || { echo failed; return; }
    find out -name '*.js' | wc -l
  done | sort -n | uniq | tr -d ' ' | paste -sd, -
}
check() {
  [ "$2" = "$3" ] && echo "as stated: $1: $2" || { echo "NOT AS STATED: $1: $2, not $3"; exit 1; }
}
echo "Node $(node --version), $(node node_modules/typescript7/bin/tsc --version), $(node node_modules/typescript6/bin/tsc --version)"
check 'TypeScript 7, files written in 24 builds' "$(written typescript7 tsconfig.json 24)" 2,152
check 'TypeScript 7 with paths' "$(written typescript7 mapped.json 12)" 152
check 'TypeScript 6' "$(written typescript6 tsconfig.json 4)" 152
