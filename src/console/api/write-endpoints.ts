import { z } from 'zod';
import { resolveConflict } from '../../operator/records/resolve-conflict.ts';
import { retryRecords } from '../../operator/records/retry-records.ts';
import { syncRecords } from '../../operator/records/sync-record.ts';
import { retryStreams } from '../../operator/status/stopped-streams.ts';
import { abortKey, confirmKey, type KeyPorts, type KeyStatus, rotateKey, setKey } from '../../operator/tenants/keys.ts';
import { resumeTenant } from '../../operator/tenants/resume-tenant.ts';
import { pauseTenant, resumePaused, type TenantTurned } from '../../operator/tenants/tenant-state.ts';
import type { Roster } from '../../platform/tenant-roster.ts';
import type { ConsolePorts } from '../ports.ts';
import { KEYS, RESOLVED, RESUMED, RETRIED, SYNCED, TURNED } from './answers.ts';
import { chosenField } from './chosen-field.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { CODE, FIELD, FLAG, isOpportunityId, limit, REASON, RECORD_ID, TENANT } from './input.ts';

const POST = { method: 'POST', effect: 'writes', role: 'operator' } as const;
const WAIT = z.coerce.number().int().min(0).max(60).default(0).describe('seconds to wait for the result');
const MOST_IDS = 1_000;

async function sync(ports: ConsolePorts, name: string, ids: readonly string[], wait: number) {
  const tenant = ports.tenant(name);
  const own = { ...ports, intake: await ports.intake(), remote: ports.remote(tenant) };
  const order = {
    crmIds: ids.filter(isOpportunityId),
    others: ids.filter((id) => !isOpportunityId(id)),
    allParked: false,
    waitMs: 1_000 * wait,
  };
  return syncRecords(own, tenant.tenant, order, ports.now());
}

/** Makes the endpoint for one step of the rotation of a tenant's vendor API key. Only an administrator of the tenant may call it. */
function keyStep(word: string, summary: string, step: (ports: KeyPorts, tenant: string) => Promise<KeyStatus>) {
  return endpoint({
    ...POST,
    verb: `keys ${word}`,
    summary,
    path: `/tenants/{tenant}/keys/${word}`,
    role: 'administrator',
    input: z.object({ tenant: TENANT, reason: REASON }),
    answer: KEYS,
    run: async ({ ledger, rotation, pause, tenant: named }, { tenant }) => {
      const { tenant: name } = named(tenant);
      return { shape: 'keys/1', ...(await step({ ledger, rotation: await rotation(), pause }, name)) } as const;
    },
  });
}

type ChangeGiven = [ledger: ConsolePorts['ledger'], files: Roster, name: string, now: string];

/**
 * Makes the endpoint that pauses or resumes a tenant. `word`: the command, `pause` or `resume`. `change`: stores the change in the ledger
 * (Lockstep's database).
 */
function turn(word: string, summary: string, change: (...given: ChangeGiven) => Promise<TenantTurned>) {
  return endpoint({
    ...POST,
    verb: `tenants ${word}`,
    summary,
    path: `/tenants/{tenant}/${word === 'pause' ? 'pause' : 'unpause'}`,
    role: 'administrator',
    input: z.object({ tenant: TENANT, reason: REASON }),
    answer: TURNED,
    run: ({ ledger, roster, now }, { tenant }) => change(ledger, roster(), tenant, now()),
  });
}

export const WRITE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...POST,
    verb: 'sync',
    summary: 'Syncs records now, and sends refused values again.',
    path: '/tenants/{tenant}/sync',
    input: z.object({ tenant: TENANT, ids: z.array(RECORD_ID).min(1).max(MOST_IDS), wait: WAIT, reason: REASON }),
    answer: SYNCED,
    details: ({ ids }) => ({ ids }),
    run: (ports, { tenant, ids, wait }) => sync(ports, tenant, ids, wait),
  }),
  endpoint({
    ...POST,
    verb: 'inbox retry',
    summary: 'Sends the records of one cause again, the last changed ones first.',
    path: '/tenants/{tenant}/inbox/retry',
    input: z.object({ tenant: TENANT, code: CODE, limit: limit(100), reason: REASON }),
    answer: RETRIED,
    details: ({ code, limit }) => ({ code, limit }),
    run: ({ ledger, intake, tenant: named, now }, { tenant, code, limit }) =>
      retryRecords({ ledger, intake }, named(tenant).tenant, { code, limit, isOrdered: true }, now()),
  }),
  endpoint({
    ...POST,
    verb: 'conflicts resolve',
    summary: 'Decides one conflict: keeps one side’s value, or sets another value on both sides.',
    path: '/tenants/{tenant}/records/{id}/resolve',
    input: z.object({
      tenant: TENANT,
      id: RECORD_ID,
      field: FIELD,
      take: z.enum(['crm', 'vendor', 'value']),
      value: z.string().min(1).max(32_000).optional().describe('with take=value: the value as Salesforce stores it'),
      wait: WAIT,
      reason: REASON,
    }),
    answer: RESOLVED,
    changes: ({ take }) => (take === 'value' ? 1 : 0),
    details: ({ id, field, take }) => ({ id, field, take: take === 'value' ? 'a value' : take }),
    outcome: ({ outcome }) => ({ hasFailed: outcome?.ended === false }),
    run: async (ports, { tenant: name, id, field, take, value = '', wait }) => {
      const tenant = ports.tenant(name);
      const { ledger, pause, now } = ports;
      const { setInCrm } = ports.remote(tenant);
      const own = { intake: await ports.intake(), ledger, setInCrm, mapping: tenant.mapping, pause };
      const order = {
        ...{ id, field: chosenField(field, tenant.mapping), waitMs: 1_000 * wait },
        take: take === 'value' ? { value } : take,
      };
      return resolveConflict(own, tenant.tenant, order, now());
    },
  }),
  endpoint({
    ...POST,
    verb: 'resume',
    summary: 'Lifts every pause of a tenant, and retries its stopped streams and refused rows.',
    path: '/tenants/{tenant}/resume',
    input: z.object({ tenant: TENANT, now: FLAG.describe('also end automatic waits'), reason: REASON }),
    answer: RESUMED,
    details: ({ now }) => ({ now }),
    run: async (ports, { tenant: name, now: isNow }) => {
      const tenant = ports.tenant(name);
      const { ledger, guards, now } = ports;
      const retried = await retryStreams(ledger, tenant.tenant, now());
      const resumed = await resumeTenant(ledger, tenant, now(), guards, isNow);
      return { shape: 'resume/1', ...resumed, ...retried } as const;
    },
  }),
  turn('pause', 'Pauses a tenant’s work until somebody resumes it; incoming changes are recorded.', pauseTenant),
  turn('resume', 'Lifts the pause that an administrator set, and no other pause.', resumePaused),
  keyStep('rotate', 'Requests a new vendor API key, and shows its hash for the vendor’s administrators.', rotateKey),
  keyStep('confirm', 'Tests the new key in both domains of the vendor’s API, and puts it in use.', confirmKey),
  keyStep('abort', 'Discards the new key.', abortKey),
  endpoint({
    ...POST,
    verb: 'keys set',
    summary: 'Puts in use a key that the vendor issued, from the next request on.',
    path: '/tenants/{tenant}/keys/set',
    role: 'administrator',
    takesSecrets: true,
    input: z.object({
      tenant: TENANT,
      key: z.string().trim().min(1).max(1_000).meta({ format: 'password', writeOnly: true }).describe('the key'),
      reason: REASON,
    }),
    answer: KEYS,
    run: async ({ ledger, rotation, pause, tenant: named, now }, { tenant, key }) => {
      const ports = { ledger, rotation: await rotation(), pause };
      return { shape: 'keys/1', ...(await setKey(ports, named(tenant).tenant, key, now())) } as const;
    },
  }),
];
