import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, expect, it } from 'vitest';
import { CONNECTOR_VERBS } from '../../src/cli/connector-verbs.ts';
import { programOf, runVerbs } from '../../src/cli/run-verbs.ts';
import { ENDPOINTS } from '../../src/console/api/endpoints.ts';
import { fakeContext } from '../support/cli-context.ts';
import { grant, openConsole, send, type TestConsole } from '../support/console.ts';
import { NEEDS } from '../support/console-needs.ts';

/** Command line, API and pages offer the same commands, or say why not. */

const CRM = '006Hs00001ABCDEIA5';

let console: TestConsole;
let administrator: string;
beforeAll(async () => {
  console = await openConsole();
  administrator = await console.signIn([grant('*', 'administrator', true)], 'ada');
}, 60_000);

/** Commands that the API does not have, and why. */
const NOT_OVER_HTTP: Readonly<Record<string, string>> = {
  ...{
    worker: 'a process',
    serve: 'a process',
    console: 'a process',
    mcp: 'a process',
    completion: 'for a shell',
    'console link': 'signs in',
  },
  ...{
    migrate: 'needs the owner of the tables',
    ledger: 'about the installation',
    'ledger restored': 'about the installation',
  },
  ...{ 'keys reseal': 'needs the file of sealing keys', 'tenants list': 'tenants', 'erase-person': 'takes a file' },
  ...{
    picklists: 'writes files',
    mapping: 'mapping show',
    'mapping schema': 'for an editor',
  },
};

/** The page on which a person runs each command, or sees its answer. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  '/': ['tenants'],
  '/connect': ['tenants add', 'tenants preview'],
  '/tokens': ['console tokens', 'console token', 'console revoke'],
  '/notices': ['notices', 'notices test'],
  '/audit-log': ['audit-log'],
  '/tenants/acme': ['status', 'resume', 'tenants pause', 'tenants resume'],
  '/tenants/acme/inbox': ['inbox', 'inbox retry', 'inbox correct', 'sync'],
  '/tenants/acme/conflicts': ['conflicts', 'conflicts resolve'],
  [`/tenants/acme/records/${CRM}`]: ['explain', 'history', 'link', 'unlink'],
  '/tenants/acme/plan': ['plan status', 'plan start', 'plan cancel'],
  '/tenants/acme/backfill': ['backfill', 'backfill status', 'backfill pause', 'backfill resume', 'backfill cancel'],
  '/tenants/acme/audit': ['audit', 'audit status', 'audit stop'],
  '/tenants/acme/orders': ['load-orders', 'load-orders pause', 'load-orders resume', 'find-order', 'find-order link'],
  '/tenants/acme/catalog': ['catalog', 'catalog refresh'],
  '/tenants/acme/relink': ['relink', 'relink plan'],
  '/tenants/acme/what-if': ['what-if'],
  '/tenants/acme/undo': ['undo', 'undo plan', 'undo status', 'undo cancel'],
  '/tenants/acme/mapping': [
    ...['plan', 'mapping show', 'mapping versions', 'mapping choices', 'mapping check', 'mapping diff'],
    ...['mapping try', 'mapping publish', 'mapping take-back'],
  ],
  '/tenants/acme/checks': ['doctor'],
  '/tenants/acme/keys': ['keys', 'keys set', 'keys rotate', 'keys confirm', 'keys abort'],
  '/tenants/acme/declaration': ['tenants show', 'tenants apply', 'tenants remove'],
};

/** Commands of the API that no page runs, and why. */
const WITHOUT_PAGE: Readonly<Record<string, string>> = {};

/** Commands that read or write by an argument or an option. The API has a row for each of the two. */
const BY_ARGUMENT = new Set(['keys', 'catalog', 'load-orders', 'find-order']);

function namesOf(command: Command, path: readonly string[] = []): readonly (readonly [string, Command])[] {
  return command.commands.flatMap((child) => {
    const name = [...path, child.name()];
    return [[name.join(' '), child] as const, ...namesOf(child, name)];
  });
}

it('has every command of the command line, or says why not, with the same effect', async () => {
  const commands = namesOf(await programOf(CONNECTOR_VERBS, fakeContext().context));
  const verbs = new Set(ENDPOINTS.map(({ verb }) => verb));
  expect([...verbs].toSorted(), 'commands of the API, and their roles in test/support/console-needs.ts').toEqual(
    Object.keys(NEEDS).toSorted(),
  );
  for (const [name] of commands) {
    const problem = `${name} needs an endpoint in src/console/api, or its reason in NOT_OVER_HTTP`;
    expect(verbs.has(name) !== name in NOT_OVER_HTTP, problem).toBe(true);
  }
  for (const { verb, effect, method, input } of ENDPOINTS) {
    const command = commands.find(([name]) => name === verb)?.[1];
    const hasReason = command?.options.some(({ long }) => long === '--reason') ?? false;
    // Some commands read or write by an argument or an option.
    if (command !== undefined && !BY_ARGUMENT.has(verb))
      expect([verb, effect]).toEqual([verb, hasReason ? 'writes' : 'reads']);
    expect([verb, effect]).toEqual([verb, NEEDS[verb]?.[1]]);
    // A draft of a mapping is too long for an address, and a plan is work of minutes.
    const isPost = effect === 'writes' || 'text' in input.shape || ['plan start', 'plan cancel'].includes(verb);
    expect([verb, method]).toEqual([verb, isPost ? 'POST' : 'GET']);
  }
});

it('has a page for every command of the API, or says why not', async () => {
  const folder = join(import.meta.dirname, '../../src/console/pages');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const sources = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const paged = Object.values(PAGES).flat();
  expect([...paged, ...Object.keys(WITHOUT_PAGE)].toSorted()).toEqual(Object.keys(NEEDS).toSorted());
  for (const { verb, effect } of ENDPOINTS)
    if (effect === 'writes' && paged.includes(verb)) expect(sources, verb).toContain(`'${verb}'`);
  for (const path of Object.keys(PAGES)) {
    const { status } = await send(console, path, { token: administrator });
    // The two sides and Temporal do not answer here.
    expect([path, [200, 502, 503].includes(status)]).toEqual([path, true]);
  }
}, 60_000);

it('lets no command publish a mapping where the console’s file says that mappings are kept in files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-mappings-'));
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const settings = { ...console.settings, LOCKSTEP_CONSOLE: put('console.yaml', 'mappings: file\n') };
  const mapping = put('acme.mapping.yaml', 'fields: { description: { rule: manual } }\n');
  for (const given of [`publish ${mapping} --anyway`, 'take-back 0']) {
    const { context, err } = fakeContext(settings);
    const typed = ['mapping', ...given.split(' '), '--tenant', 'acme'];
    await runVerbs(CONNECTOR_VERBS, typed, context);
    expect([given, err.join('\n')]).toEqual([given, expect.stringContaining('mappings are kept in files')]);
  }
  expect(await console.ledger.mappingVersions('acme', 10)).toEqual([]);
  rmSync(folder, { recursive: true });
}, 60_000);
