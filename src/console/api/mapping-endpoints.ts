import { z } from 'zod';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import { checkDraft } from '../../operator/mapping/check-draft.ts';
import { mappingChoices } from '../../operator/mapping/mapping-choices.ts';
import { listMappingVersions } from '../../operator/mapping/mapping-versions.ts';
import { planMapping } from '../../operator/mapping/plan-mapping.ts';
import { publishMapping, takeMappingBack } from '../../operator/mapping/publish-mapping.ts';
import { diffMapping, mappingWith, showMapping } from '../../operator/mapping/show-mapping.ts';
import { tryMapping } from '../../operator/mapping/try-mapping.ts';
import { mappingDifference } from '../../platform/mapping-difference.ts';
import { parsePublished } from '../../platform/published-mapping.ts';
import { MAX_YAML_BYTES } from '../../platform/regular-file.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { allows, type Grant } from '../access/roles.ts';
import type { ConsolePorts } from '../ports.ts';
import {
  MAPPING,
  MAPPING_CHECK,
  MAPPING_CHOICES,
  MAPPING_DIFFERS,
  MAPPING_PLANNED,
  MAPPING_PUBLISHED,
  MAPPING_TRIED,
  MAPPING_VERSIONS,
} from './answers-of-mapping.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { FLAG, INSTANT, limit, REASON, RECORD_ID, TENANT } from './input.ts';
import { Refusal } from './refusal.ts';

const READ = { method: 'GET', effect: 'reads', role: 'viewer' } as const;
/**
 * The common settings of endpoints that read something with the help of a mapping draft, which the request contains. Their method is POST,
 * because a mapping is too long for a URL.
 */
const READ_DRAFT = { ...READ, method: 'POST', takesDraft: true } as const;
const CHANGE = { method: 'POST', effect: 'writes', role: 'administrator' } as const;

const TEXT = z.string().max(MAX_YAML_BYTES).describe('a mapping file');
const VERSION = z.coerce.number().int().min(0).max(1_000_000_000);
const BASED_ON = VERSION.describe('the version that the person compared with; 0 if none was published');
const OF_TENANT = z.object({ tenant: TENANT });
const DRAFT = z.object({ tenant: TENANT, text: TEXT });
const PERHAPS_DRAFT = z.object({ tenant: TENANT, text: TEXT.optional().describe('absent: the present mapping') });

const MOST_LISTED = 20;
/** How long the planning of a mapping draft may take, in ms. It is short, because a page waits for the result. */
const PLANNED_FOR_MS = 30_000;

/**
 * Throws a refusal if the console's file says that mappings are kept in files, so that they cannot be published in the ledger (Lockstep's
 * database).
 */
function requireLedger({ mappingsIn }: ConsolePorts): void {
  if (mappingsIn === 'file')
    throw new Refusal('not-allowed', 'Here mappings are kept in files: download the draft, and put it to review.');
}

/**
 * Paths of settings that choose only the direction or the conflict rule of a field. A draft that changes only such settings reads the same
 * fields and converts values in the same way as the mapping in use, so it cannot reveal values.
 */
const WITHOUT_VALUES = /^fields\.\w+\.(direction|rule)$/;

/**
 * Refuses a draft that reads other fields or converts values differently, unless the person may see values. Without this check, a person
 * could find out values by trying many drafts.
 */
function requireValues({ tenant, mapping }: Tenant, draft: MappingConfig, grants: readonly Grant[]): void {
  const isHarmless = mappingDifference(mapping, draft).every(({ at }) => WITHOUT_VALUES.test(at));
  if (isHarmless || allows(grants, { role: 'viewer', tenant, values: true })) return;
  throw new Refusal(
    'not-allowed',
    'To try or plan a mapping of other fields or values, you need the right to see values.',
  );
}

const READS: readonly Endpoint[] = [
  endpoint({
    ...READ,
    verb: 'mapping show',
    summary: 'Shows the tenant’s whole mapping as a mapping file.',
    path: '/tenants/{tenant}/mapping',
    input: OF_TENANT,
    answer: MAPPING,
    run: async ({ tenant: named }, { tenant }) => showMapping(named(tenant), null),
  }),
  endpoint({
    ...READ,
    verb: 'mapping versions',
    summary: 'Lists the tenant’s published mappings, newest first, and what each changed.',
    path: '/tenants/{tenant}/mapping/versions',
    input: z.object({ tenant: TENANT, limit: limit(MOST_LISTED) }),
    answer: MAPPING_VERSIONS,
    run: ({ ledger, tenant: named }, { tenant, limit }) => listMappingVersions(ledger, named(tenant), limit),
  }),
  endpoint({
    ...READ_DRAFT,
    verb: 'mapping choices',
    summary: 'Lists the org’s fields and the values of both sides that a mapping can name.',
    path: '/tenants/{tenant}/mapping/choices',
    input: PERHAPS_DRAFT,
    answer: MAPPING_CHOICES,
    run: async ({ ledger, tenant: named, org }, { tenant: name, text }) => {
      const tenant = named(name);
      const mapping = text === undefined ? tenant.mapping : mappingWith(tenant, parsePublished(null, text));
      return mappingChoices({ ledger, crm: org(tenant) }, tenant, mapping);
    },
  }),
  endpoint({
    ...READ_DRAFT,
    verb: 'mapping check',
    summary: 'Checks a mapping against the org; its description is at most a minute old.',
    path: '/tenants/{tenant}/mapping/check',
    input: PERHAPS_DRAFT,
    answer: MAPPING_CHECK,
    run: async ({ tenant: named, org }, { tenant: name, text }) => {
      const tenant = named(name);
      return checkDraft({ crm: org(tenant) }, tenant, text ?? null);
    },
  }),
  endpoint({
    ...READ_DRAFT,
    verb: 'mapping diff',
    summary: 'Compares a mapping with the present one.',
    path: '/tenants/{tenant}/mapping/diff',
    input: DRAFT,
    answer: MAPPING_DIFFERS,
    run: async ({ tenant: named }, { tenant, text }) => diffMapping(named(tenant), parsePublished(null, text)),
  }),
  endpoint({
    ...READ_DRAFT,
    verb: 'plan',
    summary: 'Counts the deals changed since an instant that a mapping would treat otherwise, within half a minute.',
    path: '/tenants/{tenant}/mapping/plan',
    costly: true,
    input: z.object({ tenant: TENANT, text: TEXT, since: INSTANT }),
    answer: MAPPING_PLANNED,
    run: async (ports, { tenant: name, text, since }, grants) => {
      const tenant = ports.tenant(name);
      const draft = mappingWith(tenant, parsePublished(null, text));
      requireValues(tenant, draft, grants);
      const { ledger, now, pause } = ports;
      const { remotes, close } = ports.readableWith(tenant, draft);
      const order = { since, longestMs: PLANNED_FOR_MS };
      try {
        return await planMapping({ remotes, ledger, now, pause }, tenant, draft, order);
      } finally {
        await close();
      }
    },
  }),
  endpoint({
    ...READ_DRAFT,
    verb: 'mapping try',
    summary: 'Reads both sides of a deal, and says what a mapping would do with it. Writes nothing.',
    path: '/tenants/{tenant}/records/{id}/mapping-try',
    costly: true,
    input: z.object({ tenant: TENANT, id: RECORD_ID, text: TEXT, values: FLAG }),
    answer: MAPPING_TRIED,
    showsValues: ({ values }) => values,
    details: ({ id }) => ({ id, fields: 'all' }),
    run: async (ports, { tenant: name, id, text, values }, grants) => {
      const tenant = ports.tenant(name);
      const draft = mappingWith(tenant, parsePublished(null, text));
      requireValues(tenant, draft, grants);
      const { ledger, now } = ports;
      const { remotes, close } = ports.readableWith(tenant, draft);
      const own = { ledger, remotes, addresses: ports.addresses(tenant), now };
      try {
        return await tryMapping(own, tenant, draft, { id, withValues: values });
      } finally {
        await close();
      }
    },
  }),
];

const CHANGES: readonly Endpoint[] = [
  endpoint({
    ...CHANGE,
    verb: 'mapping publish',
    summary:
      'Publishes a mapping; workers take it within seconds. Refused after a publication that the person has not seen.',
    path: '/tenants/{tenant}/mapping/publish',
    costly: true,
    takesDraft: true,
    input: z.object({
      tenant: TENANT,
      text: TEXT,
      basedOn: BASED_ON,
      anyway: FLAG.describe('also if the mapping does not fit the org'),
      reason: REASON,
    }),
    answer: MAPPING_PUBLISHED,
    details: ({ basedOn, anyway }) => ({ basedOn, anyway }),
    outcome: ({ version }) => ({ hasFailed: false, details: { version } }),
    run: async (ports, { tenant: name, text, basedOn, anyway, reason }, _, user) => {
      requireLedger(ports);
      const tenant = ports.tenant(name);
      const own = { ledger: ports.ledger, org: async () => ports.readable(tenant), now: ports.now };
      const published = await publishMapping(own, tenant, { text, basedOn, anyway, by: user, reason });
      await ports.refreshTenants();
      return published;
    },
  }),
  endpoint({
    ...CHANGE,
    verb: 'mapping take-back',
    summary: 'Publishes an earlier version of the mapping again, or (0) lets the tenant’s own files apply again.',
    path: '/tenants/{tenant}/mapping/take-back',
    input: z.object({ tenant: TENANT, version: VERSION, basedOn: BASED_ON, reason: REASON }),
    answer: MAPPING_PUBLISHED,
    details: ({ version, basedOn }) => ({ version, basedOn }),
    outcome: ({ version }) => ({ hasFailed: false, details: { published: version } }),
    run: async (ports, { tenant: name, version, basedOn, reason }, _, user) => {
      requireLedger(ports);
      const own = { ledger: ports.ledger, now: ports.now };
      const published = await takeMappingBack(own, ports.tenant(name), { version, basedOn, by: user, reason });
      await ports.refreshTenants();
      return published;
    },
  }),
];

export const MAPPING_ENDPOINTS: readonly Endpoint[] = [...READS, ...CHANGES];
