import type { ConsolePorts } from '../../src/console/ports.ts';
import { grant, openConsole, type TestConsole } from './console.ts';
import { at, BASE, DECISION, ISSUE } from './ledger/ledger-samples.ts';
import { queryOnce } from './ledger/postgres.ts';

/** A console with two tenants. An attacker may administer acme only. Each tenant has a deal that waits in a conflict. */

export const [OWN, OTHER] = [
  { crmId: '006Hs00001ABCDEIA5', vendorId: 'LO-00000005' },
  { crmId: '006Hs00001ABCDFIA5', vendorId: 'LO-00000006' },
];
/** In texts of the other tenant's deal and mapping, and in the name of its token. */
export const SECRET = 'Secret of the other tenant';
export const SECRETS = [SECRET, 'Secret__c'];

/** The input of an endpoint, with ids, numbers and names of the other tenant wherever the endpoint takes any. */
export const INPUT: Readonly<Record<string, unknown>> = {
  ...{ ids: [OTHER.crmId, OTHER.vendorId], id: OTHER.crmId, crmId: OTHER.crmId, vendorId: OTHER.vendorId },
  ...{ code: 'vendor-refused', field: 'description', take: 'crm', value: 'x', since: '2026-01-01', version: 1 },
  ...{ orders: ['1000001'], channel: 'ops', name: 'p', key: 'k', text: '{}', basedOn: 1, reason: 'an attack' },
};

export type NeighbouredConsole = TestConsole & {
  /** What was given to Temporal since the last call. */
  readonly takeSent: () => readonly string[];
  /** Everything that the database has of the other tenant, and its program's token. */
  readonly stateOfOther: () => Promise<string>;
};

export async function openNeighbouredConsole(): Promise<NeighbouredConsole> {
  const sent: string[] = [];
  const console = await openConsole({ ports: (own) => withoutTemporal(own, sent) });
  const { ledger } = console;
  for (const [tenant, ids] of [
    ['acme', OWN],
    ['other', OTHER],
  ] as const) {
    await ledger.resolveLink(tenant, ids, at(0));
    const base = { ...BASE, held: { description: null } };
    const issues = [{ ...ISSUE, message: `${SECRET}: ${tenant}` }];
    await ledger.settle(tenant, ids.crmId, { at: at(1), state: 'conflict', base, issues } as never);
    const line = { at: at(1), kind: 'decision', summary: { next: `${SECRET}: ${tenant}` }, decisions: [DECISION] };
    await ledger.addToJournal(tenant, ids.crmId, line as never);
  }
  const text = `# ${SECRET}\nfields:\n  nextMilestone: {crm: Secret__c}\n`;
  await ledger.publishMapping('other', { text, files: '', takenBackTo: null, by: 'grace', reason: SECRET }, 0, at(2));
  await console.tokens.create({ name: SECRET, grants: [grant('other', 'viewer')], days: 1, madeBy: 'grace' });
  return {
    ...console,
    takeSent: () => sent.splice(0),
    stateOfOther: async () => {
      const tables = ['links', 'plans', 'journal', 'cursors', 'pauses', 'mapping_versions', 'tenants'];
      const rows = await Promise.all(
        tables.map((table) =>
          queryOnce(console.databaseUrl, `select t.*, t.xmin::text from ${table} t where tenant = 'other'`),
        ),
      );
      const tokens = await queryOnce(console.databaseUrl, `select * from console_tokens where name = '${SECRET}'`);
      return JSON.stringify([rows, tokens]);
    },
  };
}

/** Ports that note what Temporal would get, and remote systems that know no record. */
export function withoutTemporal(own: ConsolePorts, sent: string[] = []): ConsolePorts {
  const answer = { workflowId: 'w', isRunning: false, state: 'done' };
  const note = async (...args: readonly unknown[]) => {
    sent.push(JSON.stringify(args));
    return answer;
  };
  const temporal = async () => new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : note) }) as never;
  return {
    ...own,
    ...{ intake: temporal, guards: temporal, rotation: temporal, backfills: temporal, undos: temporal },
    ...{ audits: temporal, streamStarts: temporal },
    remote: () => ({ opportunity: async () => null, hasVendorRecord: async () => false, setInCrm: async () => {} }),
  };
}
