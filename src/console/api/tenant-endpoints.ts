import { z } from 'zod';
import {
  type ApplyOrder,
  type ApplyPorts,
  addTenant,
  applyTenants,
  type TenantsApplied,
} from '../../operator/tenants/apply-tenants.ts';
import { showTenant, takeTenantOut } from '../../operator/tenants/tenant-state.ts';
import type { Declared } from '../../platform/declared-tenant.ts';
import { declareText, GIVEN_SECRETS } from '../../platform/declared-text.ts';
import { MAX_SECRET_BYTES, MAX_YAML_BYTES } from '../../platform/regular-file.ts';
import type { ConsolePorts } from '../ports.ts';
import { DIAGNOSIS, TENANT_REMOVED, TENANT_SHOWN, TENANTS_APPLIED } from './answers-of-tenants.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { REASON, TENANT } from './input.ts';
import { Refusal } from './refusal.ts';

const SECRET = z.string().min(1).max(MAX_SECRET_BYTES).meta({ format: 'password', writeOnly: true });

const TEXTS = {
  text: z.string().max(MAX_YAML_BYTES).describe('the tenant file'),
  mapping: z.string().max(MAX_YAML_BYTES).optional().describe('the mapping file that the tenant file names'),
  secrets: z
    .strictObject(Object.fromEntries(GIVEN_SECRETS.map((place) => [place, SECRET.optional()])))
    .default({})
    .describe('values of secrets, which are stored sealed; the tenant file need not name them'),
};

type Texts = {
  readonly text: string;
  readonly mapping?: string | undefined;
  readonly secrets: Readonly<Record<string, string | undefined>>;
};

/**
 * Reads the texts of a tenant file and a mapping file that a person sent. Secrets, and a mapping text, may be left out if the registry (the
 * table of tenants in Lockstep's database) already has them. Throws `Refusal` with every problem.
 */
async function declared({ ledger, load }: ConsolePorts, { text, mapping = '', secrets }: Texts): Promise<Declared> {
  const rows = await ledger.tenantsSince(0);
  const known = (name: string) => rows.find(({ tenant }) => tenant === name)?.declaration ?? null;
  const given = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined));
  const texts = { text, mapping: mapping.trim() === '' ? null : mapping, secrets: given };
  const read = declareText(texts, known, load());
  if ('declaration' in read) return read;
  const lines = read.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  throw new Refusal('invalid', `Nothing was changed; repair this first.\n${lines.join('\n')}`);
}

function portsOf({ ledger, roster, load, now }: ConsolePorts): ApplyPorts {
  const byFile = [...roster().served.values()].flatMap(({ tenant, version }) =>
    version === null ? [tenant.tenant] : [],
  );
  return { ledger, load: load(), now, byFile };
}

async function applied(ports: ConsolePorts, texts: Texts, order: Omit<ApplyOrder, 'prune'>): Promise<TenantsApplied> {
  const answer = await applyTenants(portsOf(ports), [await declared(ports, texts)], { ...order, prune: false });
  // The registry's tenants that the request does not name are left out: the answer about one tenant must not list others.
  return { ...answer, unnamed: [] };
}

/** The tenants that were changed, for the audit log. */
function outcome({ changes }: Pick<TenantsApplied, 'changes'>) {
  const changed = changes.filter(({ action }) => action !== 'keep');
  return {
    hasFailed: false,
    tenants: changed.map(({ tenant }) => tenant),
    details: { changes: changed.map(({ tenant, action }) => `${tenant}: ${action}`) },
  };
}

const BASED_ON = z
  .int()
  .min(0)
  .optional()
  .describe(
    'the version of the declaration that the text changes; with another version in the registry, nothing is changed',
  );

const POST = { method: 'POST', role: 'administrator' } as const;

/** The endpoints about the registry of tenants, and the checks of a tenant. */
export const TENANT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...{ method: 'GET', effect: 'reads', role: 'administrator' },
    verb: 'tenants show',
    summary: 'Shows a tenant’s state and its declaration. Secrets appear only as references.',
    path: '/tenants/{tenant}/declaration',
    input: z.object({ tenant: TENANT }),
    answer: TENANT_SHOWN,
    run: async ({ ledger, roster, now }, { tenant }) => {
      return { shape: 'tenant/1', ...(await showTenant(ledger, roster(), tenant, now())) } as const;
    },
  }),
  endpoint({
    ...{ ...POST, effect: 'reads', takesSecrets: true },
    verb: 'tenants preview',
    summary: 'Shows what a tenant file would change in the registry, key by key.',
    path: '/registry/preview',
    input: z.object(TEXTS),
    answer: TENANTS_APPLIED,
    run: (ports, texts) => applied(ports, texts, { yes: false }),
  }),
  endpoint({
    ...{ ...POST, effect: 'writes', takesSecrets: true },
    verb: 'tenants add',
    summary: 'Declares a tenant by the text of its file, or restores a removed tenant.',
    path: '/registry/add',
    input: z.object({ ...TEXTS, reason: REASON }),
    answer: TENANTS_APPLIED,
    outcome,
    run: async (ports, texts) => {
      const answer = await addTenant(portsOf(ports), await declared(ports, texts));
      await ports.refreshTenants();
      return { ...answer, unnamed: [] };
    },
  }),
  endpoint({
    ...{ ...POST, effect: 'writes', takesSecrets: true },
    verb: 'tenants apply',
    summary: 'Declares a tenant by the text of its file, also if the registry has another declaration of it.',
    path: '/registry/apply',
    input: z.object({ ...TEXTS, basedOn: BASED_ON, reason: REASON }),
    answer: TENANTS_APPLIED,
    outcome,
    run: async (ports, { basedOn, ...texts }) => {
      const answer = await applied(ports, texts, { yes: true, ...(basedOn === undefined ? {} : { basedOn }) });
      await ports.refreshTenants();
      return answer;
    },
  }),
  endpoint({
    ...{ ...POST, effect: 'writes' },
    verb: 'tenants remove',
    summary: 'Takes a tenant out of service; its records stay in the ledger.',
    path: '/registry/remove',
    input: z.object({ tenant: TENANT, reason: REASON }),
    answer: TENANT_REMOVED,
    details: ({ tenant }) => ({ tenant }),
    outcome: ({ tenant }) => ({ hasFailed: false, tenants: [tenant] }),
    run: async (ports, { tenant }) => {
      const removed = await takeTenantOut(ports.ledger, ports.roster(), tenant, ports.now());
      await ports.refreshTenants();
      return removed;
    },
  }),
  endpoint({
    ...{ method: 'GET', effect: 'reads', role: 'operator', costly: true },
    verb: 'doctor',
    summary:
      'Checks sign-ins, rights, fields, key, quota and receiver of a tenant from this process; each with its repair.',
    path: '/tenants/{tenant}/doctor',
    input: z.object({ tenant: TENANT }),
    answer: DIAGNOSIS,
    run: ({ tenant: named, diagnose }, { tenant }) => diagnose(named(tenant)),
  }),
];
