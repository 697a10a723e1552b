import { z } from 'zod';
import { DEFAULT_MASS_CHANGE_GUARD as GUARD } from '../domain/decide/mass-change.ts';
import { DEFAULT_MATCH_KEYS, MATCH_KEYS } from '../domain/decide/match-deal.ts';
import { DEFAULT_API_SHARE } from '../domain/loop/crm-budget.ts';
import { ACCOUNT_KEYS, type AccountKey } from '../domain/record/order-accounts.ts';
import { OWNER_NOTICES } from '../domain/record/owner-notices.ts';
import { DEFAULT_RETENTION, LEAST_DELIVERIES_MS } from '../domain/record/retention.ts';
import { toId18 } from '../domain/record/salesforce-id.ts';
import { parseDuration } from './duration.ts';
import { keyHeader } from './key-header.ts';
import { leads } from './lead-section.ts';
import { offerRules } from './offer-rule-schema.ts';
import { partnerIdRules } from './partner-id-schema.ts';
import type { Problem } from './problems.ts';
import { pubSub } from './pub-sub-section.ts';
import { renewalOpportunities } from './renewal-section.ts';
import { checkAgainst } from './schema-problems.ts';
import { headerSafe, plainOrReference, type SecretContext, secret, text } from './secret-fields.ts';
import { CHANGES_BY } from './tenant.ts';
import { lists, values } from './tenant-values-schema.ts';
import { checkBaseUrl } from './web-address.ts';
import type { YamlFile } from './yaml-file.ts';

// Every message completes a sentence that begins with the key: "vendor.apiKey must be ...".
const section = { error: 'must be a section with its keys indented below it' };
const flag = z.boolean({ error: 'must be true or false' });

const baseUrl = text('must be an address such as https://api.example.com').transform((value, context) => {
  const checked = checkBaseUrl(value);
  if ('url' in checked) return checked.url;
  context.addIssue({ code: 'custom', message: checked.problem });
  return z.NEVER;
});

const duration = text('must be a duration such as 60s, 5m or 1h').transform((value, context) => {
  const milliseconds = parseDuration(value);
  if (milliseconds !== null && milliseconds >= 1000) return milliseconds;
  context.addIssue({
    code: 'custom',
    message: 'must be a duration of a second or more, such as 60s, 5m or 1h',
  });
  return z.NEVER;
});

function rhythm(every: string, overlap: string) {
  return z
    .strictObject(
      { every: duration.prefault(every), overlap: duration.prefault(overlap), idle: duration.optional() },
      section,
    )
    .transform(({ every: everyMs, overlap: overlapMs, idle }) => ({
      ...{ everyMs, overlapMs },
      // An idle stream is never read more often than a busy one.
      ...(idle !== undefined && { idleMs: Math.max(idle, everyMs) }),
    }));
}

const pathSafe = (value: string): boolean => /^[\w.~-]{16,256}$/.test(value);

function signingKey(value: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  const bytes = Buffer.from(value.slice('whsec_'.length), 'base64').length;
  return bytes >= 24 && bytes <= 64;
}

const currencyError = 'must be a currency of three capital letters, such as EUR';
const currency = text(currencyError).regex(/^[A-Z]{3}$/, { error: currencyError });

const revenueType = text("must be the vendor's code, in quotes");

/**
 * Schema of the section about the vendor's catalog: how often the whole catalog is read, the currencies of price books, and which revenue
 * type is preferred for a product's price.
 */
const catalog = z
  .strictObject(
    {
      every: duration.prefault('6h'),
      currencies: z.array(currency, { error: 'must be a list of currencies, such as [EUR]' }).nullable().default(null),
      revenueTypes: z.array(revenueType, { error: 'must be a list of codes, such as [YLC, PLC]' }).default([]),
    },
    section,
  )
  .transform(({ every, ...rest }) => ({ everyMs: every, ...rest }));

function vendor(from: SecretContext) {
  return z.strictObject(
    {
      baseUrl: baseUrl.optional(),
      salesBaseUrl: baseUrl.optional(),
      orderBaseUrl: baseUrl.optional(),
      apiKey: secret(from, headerSafe, 'a key on one line without spaces'),
      keyHeader: keyHeader.default('X-API-Key'),
      apiVersion: z.enum(['v0', 'v1'], { error: 'must be v0 or v1' }).default('v1'),
      partnerId: text('must be your partner id at the vendor, in quotes if it is a number'),
      partnerIds: partnerIdRules.optional(),
      sharedKey: flag.default(false),
      poll: rhythm('60s', '5m').prefault({}),
      ordersEvery: duration.prefault('5m'),
      ordersSince: z.iso.date({ error: 'must be a day such as 2021-01-31' }).optional(),
      catalog: catalog.prefault({}),
      ratePerSecond: z
        .number({ error: 'must be a number of requests a second, such as 5' })
        .positive({ error: 'must be greater than 0' })
        .max(1000, { error: 'must be 1000 or less' })
        .optional(),
      values: values.prefault({}),
      lists: lists.optional(),
    },
    section,
  );
}

function auth(from: SecretContext) {
  const clientId = plainOrReference(from, "must be the consumer key of the org's External Client App");
  const jwt = z.strictObject({
    flow: z.literal('jwt'),
    clientId,
    username: plainOrReference(from, "must be the integration user's name in the org"),
    privateKey: secret(from, (value) => value.includes('PRIVATE KEY-----'), 'a private key in PEM form'),
    audience: baseUrl.optional(),
  });
  const clientCredentials = z.strictObject({
    flow: z.literal('client-credentials'),
    clientId,
    clientSecret: secret(from, headerSafe, 'a secret on one line without spaces'),
  });
  return z.discriminatedUnion('flow', [jwt, clientCredentials], {
    error: 'must be a section whose flow is jwt or client-credentials',
  });
}

const id = (prefix: string, what: string) =>
  text(`must be ${what}`).transform((value, context) => {
    const long = value.startsWith(prefix) ? toId18(value) : null;
    if (long !== null) return long;
    context.addIssue({ code: 'custom', message: `must be ${what}` });
    return z.NEVER;
  });

const apiShare = { error: 'must be a share greater than 0 and up to 1, such as 0.25' };

function salesforce(from: SecretContext) {
  return z.strictObject(
    {
      loginUrl: baseUrl.refine((url) => new URL(url).pathname === '/', {
        error: 'must be an address without a path, such as https://acme.my.salesforce.com',
      }),
      // YAML reads an unquoted 67.0 as the number 67.
      apiVersion: z
        .preprocess(
          (value) => (Number.isInteger(value) ? `${value}.0` : value),
          text('must be a version such as "67.0"'),
        )
        .refine((value) => /^\d{2,3}\.0$/.test(value), { error: 'must be a version such as "67.0"' })
        .default('67.0'),
      organizationId: id('00D', "the org's id: 15 or 18 characters that begin with 00D").nullable().default(null),
      auth: auth(from),
      sweep: rhythm('5m', '15m').prefault({}),
      changes: z.enum(CHANGES_BY, { error: `must be one of ${CHANGES_BY.join(', ')}` }).default('outbound'),
      pubSub: pubSub.optional(),
      apiShare: z.number(apiShare).gt(0, apiShare).max(1, apiShare).default(DEFAULT_API_SHARE),
      maxRows: z.record(z.string(), z.int().min(1).max(200)).default({}),
      multiCurrency: flag.default(false),
      allowDuplicates: flag.default(false),
    },
    section,
  );
}

/** Schema of a secret that has one value, or two while it is being changed. A single value need not be written as a list. */
function liveValues<S extends z.ZodType>(value: S) {
  return z.preprocess(
    (given) => (typeof given === 'string' ? [given] : given),
    z
      .array(value, { error: 'must be env:NAME or file:PATH, or a list of one or two of them' })
      .max(2, { error: 'must hold at most two live values' }),
  );
}

function webhooks(from: SecretContext) {
  const path = secret(
    from,
    pathSafe,
    'a path segment of 16 to 256 letters, digits, . _ ~ or - (make one with: openssl rand -hex 32)',
  );
  const key = secret(from, signingKey, 'a signing key: whsec_ and 24 to 64 bytes in base64');
  return z.strictObject(
    {
      path: liveValues(path).default([]),
      keys: liveValues(key).default([]),
      actionIds: z
        .array(id('', 'an action id of 15 or 18 characters'), { error: 'must be a list of action ids' })
        .default([]),
    },
    section,
  );
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

const zone = text('must be a time zone such as UTC or Europe/Paris').refine(isZone, {
  error: 'must be a time zone such as UTC or Europe/Paris',
});

const matching = z.strictObject(
  {
    keys: z
      .array(z.enum(MATCH_KEYS, { error: `must be one of ${MATCH_KEYS.join(', ')}` }), {
        error: 'must be a list of keys',
      })
      .default([...DEFAULT_MATCH_KEYS]),
  },
  section,
);

const owners = 'must be account, or user or queue with a name';

/** Schema of the section about opportunities that are created from vendor records: their owner, record type and stage. */
const imports = z.strictObject(
  {
    owner: z
      .union(
        [
          z.literal('account').transform(() => ({ by: 'account' }) as const),
          z
            .strictObject({ user: text("must be the user's name in the org") })
            .transform(({ user }) => ({ by: 'user', username: user }) as const),
          z
            .strictObject({ queue: text('must be the developer name of a queue') })
            .transform(({ queue }) => ({ by: 'queue', name: queue }) as const),
        ],
        { error: owners },
      )
      .nullable()
      .default(null),
    recordType: text('must be the developer name of a record type').nullable().default(null),
    accountRecordType: text('must be the developer name of a record type').nullable().default(null),
    stage: text('must be a stage').nullable().default(null),
  },
  section,
);

const accountKeys = z
  .array(
    z.union([z.enum(ACCOUNT_KEYS), z.string().regex(/^[A-Za-z]\w{0,39}__c$/)], {
      error: `must be one of ${ACCOUNT_KEYS.join(', ')}, or a field of the account such as ERP_Site__c`,
    }),
    { error: 'must be a list of keys' },
  )
  .transform((keys) => keys as readonly AccountKey[]);

const ownerNotice = z.enum(OWNER_NOTICES, { error: `must be one of ${OWNER_NOTICES.join(', ')}` });
const notify = z.strictObject({ owner: ownerNotice.default('none') }, section);

const orders = z.strictObject(
  {
    accounts: z
      .strictObject({ soldTo: accountKeys.default(['site-id']), billTo: accountKeys.default(['site-id']) }, section)
      .prefault({}),
    poReference: z
      .string()
      .regex(/^[A-Za-z]\w{0,79}$/, { error: 'must be a field of the opportunity, such as Customer_PO__c' })
      .nullable()
      .default(null),
    notifyOwner: ownerNotice.optional(),
    renewalOpportunities: renewalOpportunities.nullable().default(null),
  },
  section,
);

const share = { error: 'must be a share from 0 to 1, such as 0.2' };
const count = { error: 'must be a whole number of records, 1 or more' };

const guards = z
  .strictObject(
    {
      maxDetachShare: z.number(share).min(0, share).max(1, share).default(GUARD.maxDetachShare),
      minimum: z.int(count).min(1, count).default(GUARD.minimum),
      window: duration.prefault('1h'),
    },
    section,
  )
  .transform(({ window, ...rest }) => ({ ...rest, windowMs: window }));

const audit = z
  .strictObject({ every: duration.prefault('1d') }, section)
  .transform(({ every }) => ({ everyMs: every }));

const DAY_MS = 86_400_000;
const ten = 'must be a duration from a day to ten years, such as 90d or 730d';
const kept = (ms: number): string => `${ms / 3_600_000}h`;
const days = duration.refine((ms) => ms >= DAY_MS && ms <= 3_653 * DAY_MS, { error: ten });

/** Schema of the section that says how long the ledger (Lockstep's PostgreSQL database) keeps old rows. */
const retention = z
  .strictObject(
    {
      journal: days.prefault(kept(DEFAULT_RETENTION.journalDays * DAY_MS)),
      plans: days.prefault(kept(DEFAULT_RETENTION.plansMs)),
      deliveries: duration
        .refine((ms) => ms >= LEAST_DELIVERIES_MS && ms <= 3_653 * DAY_MS, {
          error: 'must be a duration of 25h or more: Salesforce sends a message again for a day',
        })
        .prefault(kept(DEFAULT_RETENTION.deliveriesMs)),
    },
    section,
  )
  .transform(({ journal, plans, deliveries }) => ({
    journalDays: Math.ceil(journal / DAY_MS),
    plansMs: plans,
    deliveriesMs: deliveries,
  }));

function schemaOf(from: SecretContext) {
  return z.strictObject(
    {
      tenant: text('must be a name such as acme').regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
        error: 'must be a name of lower-case letters, digits and hyphens, at most 63 characters',
      }),
      vendor: vendor(from).optional(),
      salesforce: salesforce(from).optional(),
      webhooks: webhooks(from).optional(),
      dates: z.strictObject({ zone: zone.default('UTC') }, section).prefault({}),
      currency: currency.optional(),
      mapping: text('must be default, or the path of a mapping file').default('default'),
      closeFromVendor: flag.default(false),
      prefer: z.enum(['later', 'crm', 'vendor'], { error: 'must be later, crm or vendor' }).default('later'),
      importFromVendor: flag.default(true),
      imports: imports.prefault({}),
      matching: matching.prefault({}),
      notify: notify.prefault({}),
      leads: leads.optional(),
      orders: orders.prefault({}),
      offers: offerRules,
      guards: guards.prefault({}),
      audit: audit.prefault({}),
      retention: retention.prefault({}),
    },
    section,
  );
}

export type TenantInput = z.output<ReturnType<typeof schemaOf>>;

/** Where the secrets of the tenant file that is being checked are found. Checks are synchronous, so there is only one at a time. */
let reading: SecretContext | null = null;

function beingRead(): SecretContext {
  if (reading === null) throw new TypeError('a secret of a tenant file is resolved while none is read');
  return reading;
}

let schema: ReturnType<typeof schemaOf> | null = null;

/**
 * Returns the schema of a tenant file. The schema is built only once, because building it takes longer than reading a file, and a fleet has
 * a thousand files.
 */
export function tenantSchema(): ReturnType<typeof schemaOf> {
  schema ??= schemaOf({
    get env() {
      return beingRead().env;
    },
    get baseDir() {
      return beingRead().baseDir;
    },
    get tenant() {
      return beingRead().tenant;
    },
    get scope() {
      return beingRead().scope;
    },
    get sealed() {
      return beingRead().sealed;
    },
  });
  return schema;
}

/** Checks the shape of a tenant file and resolves its secrets. Unknown keys are refused. */
export function checkShape(
  yaml: YamlFile,
  from: SecretContext,
): { readonly value: TenantInput } | { readonly problems: readonly Problem[] } {
  reading = from;
  try {
    return checkAgainst(tenantSchema(), yaml);
  } finally {
    reading = null;
  }
}
