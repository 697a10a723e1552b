import { resolve } from 'node:path';
import { DEFAULT_VENDOR_RATE } from '../../temporal.config.ts';
import { DEFAULT_API_SHARE } from '../domain/loop/crm-budget.ts';
import { stagesBesideLeads } from '../domain/mapping/leads/lead-mapping.ts';
import { DEFAULT_STAGES } from '../domain/mapping/stages.ts';
import type { MappingConfig } from '../domain/record/mapping-config.ts';
import { type MappingOverrides, parseMappingFile, readMappingFile } from './mapping-file.ts';
import { foreignMapping } from './mapping-scope.ts';
import type { Problem } from './problems.ts';
import { problemAt } from './schema-problems.ts';
import type { Secret } from './secret.ts';
import type { SecretScope } from './secret-scope.ts';
import type { SalesforceAuth, SalesforceConnection, Tenant, VendorConnection, WebhookAccess } from './tenant.ts';
import type { TenantInput } from './tenant-schema.ts';
import type { YamlFile } from './yaml-file.ts';

type Values = MappingConfig['values'];

/** The connections of running simulators. They replace missing `vendor` and `salesforce` sections of a tenant file. */
export type SimulatorDefaults = {
  readonly vendor?: {
    readonly baseUrl: string;
    readonly apiKey: Secret;
    readonly partnerId: string;
    /** Codes that the vendor simulator invents for values whose codes are not in the vendor's documents. */
    readonly values?: Partial<Values>;
    readonly pollEveryMs?: number;
    readonly ordersEveryMs?: number;
  };
  readonly salesforce?: {
    readonly loginUrl: string;
    readonly organizationId: string | null;
    readonly auth: SalesforceAuth;
    readonly currency: string;
    readonly sweepEveryMs?: number;
    /** The webhook access for a tenant whose file has no `webhooks` section. */
    readonly webhooks?: WebhookAccess;
  };
};

/** Where a mapping file comes from: a folder that contains the file of the given name, or the text itself. */
export type MappingFrom = { readonly folder: string } | { readonly text: string };

/**
 * How often the vendor's catalog is read if the tenant file does not say it, in milliseconds (six hours). Prices change a few times a year,
 * and a full read takes a request for each hundred rows.
 */
const DEFAULT_CATALOG_MS = 21_600_000;

const NO_VALUES: Values = {
  status: {},
  forecastCategory: {},
  reasonWon: {},
  reasonLost: {},
  revenueType: {},
};
const NO_WEBHOOKS: WebhookAccess = { paths: [], keys: [], actionIds: [] };

/**
 * Builds a tenant from its checked file, the defaults for simulators, and the mapping file that the tenant file names. Returns the problems
 * of the mapping file if it cannot be used.
 */
export function buildTenant(
  input: TenantInput,
  from: {
    readonly yaml: YamlFile;
    readonly mapping: MappingFrom;
    readonly simulators: SimulatorDefaults;
    readonly scope: SecretScope;
  },
): { readonly tenant: Tenant } | { readonly problems: readonly Problem[] } {
  const vendor = vendorConnection(input, from.simulators);
  const salesforce = salesforceConnection(input, from.simulators);
  const file = input.mapping === 'default' ? null : mappingFile(input, from);
  if (file !== null && 'problems' in file) return file;
  const mappingWith = (overrides: MappingOverrides | null) => mappingConfig(input, from.simulators, overrides);
  // A missing section has already been reported by `crossChecks`.
  if (vendor === null || salesforce === null) return { problems: [] };
  const ofVendor = {
    partnerId: vendor.partnerId,
    ...(vendor.apiVersion === 'v0' ? ({ apiVersion: 'v0' } as const) : {}),
  };
  return {
    tenant: {
      tenant: input.tenant,
      vendor,
      salesforce,
      webhooks: webhookAccess(input, from.simulators),
      mapping: { ...mappingWith(file?.overrides ?? null), ...ofVendor },
      ...(file === null ? {} : { plainMapping: { ...mappingWith(null), ...ofVendor } }),
      ...(input.mapping === 'default' || 'text' in from.mapping
        ? {}
        : { mappingFile: resolve(from.mapping.folder, input.mapping) }),
      importFromVendor: input.importFromVendor,
      imports: {
        owner: input.imports.owner,
        recordType: input.imports.recordType,
        accountRecordType: input.imports.accountRecordType,
      },
      matching: input.matching,
      notify: input.notify,
      orders: { ...input.orders, notifyOwner: input.orders.notifyOwner ?? input.notify.owner },
      guards: input.guards,
      audit: input.audit,
      retention: input.retention,
    },
  };
}

function vendorConnection(input: TenantInput, simulators: SimulatorDefaults): VendorConnection | null {
  const given = input.vendor;
  if (given === undefined) return simulatedVendor(simulators.vendor);
  const salesBaseUrl = given.salesBaseUrl ?? given.baseUrl;
  const orderBaseUrl = given.orderBaseUrl ?? given.baseUrl;
  if (salesBaseUrl === undefined || orderBaseUrl === undefined) return null;
  const { apiKey, keyHeader, apiVersion, partnerId, poll, ordersSince = null, catalog } = given;
  const asked = { poll, ...rateOf(given), ordersSince, ordersEveryMs: given.ordersEvery, catalog };
  return { salesBaseUrl, orderBaseUrl, apiKey, keyHeader, apiVersion, partnerId, ...asked };
}

function simulatedVendor(simulator: SimulatorDefaults['vendor']): VendorConnection | null {
  if (simulator === undefined) return null;
  return {
    salesBaseUrl: simulator.baseUrl,
    orderBaseUrl: simulator.baseUrl,
    apiKey: simulator.apiKey,
    keyHeader: 'X-API-Key',
    partnerId: simulator.partnerId,
    poll: { ...rhythm(simulator.pollEveryMs, 60_000), overlapMs: 300_000 },
    ordersEveryMs: simulator.ordersEveryMs ?? 300_000,
    ordersSince: null,
    catalog: { everyMs: DEFAULT_CATALOG_MS, currencies: null, revenueTypes: [] },
    ...rateOf({}),
  };
}

function rateOf(given: {
  readonly ratePerSecond?: number | undefined;
}): Pick<VendorConnection, 'ratePerSecond' | 'rateByQuota'> {
  const { ratePerSecond } = given;
  return ratePerSecond === undefined ? { ratePerSecond: DEFAULT_VENDOR_RATE, rateByQuota: true } : { ratePerSecond };
}

/**
 * The intervals, in milliseconds, at which a simulator's stream (a source of changes) is polled: `everyMs` while the stream finds changes,
 * and `idleMs` while it finds none. If the simulator's settings contain an interval (`asked`), both are `asked`. Otherwise `everyMs` is the
 * given default, and `idleMs` is absent.
 */
function rhythm(asked: number | undefined, everyMs: number): { everyMs: number; idleMs?: number } {
  return asked === undefined ? { everyMs } : { everyMs: asked, idleMs: asked };
}

function salesforceConnection(input: TenantInput, simulators: SimulatorDefaults): SalesforceConnection | null {
  if (input.salesforce !== undefined) return input.salesforce;
  const simulator = simulators.salesforce;
  if (simulator === undefined) return null;
  return {
    loginUrl: simulator.loginUrl,
    apiVersion: '67.0',
    organizationId: simulator.organizationId,
    auth: simulator.auth,
    sweep: { ...rhythm(simulator.sweepEveryMs, 300_000), overlapMs: 900_000 },
    apiShare: DEFAULT_API_SHARE,
    maxRows: {},
    multiCurrency: false,
    allowDuplicates: false,
  };
}

function webhookAccess(input: TenantInput, simulators: SimulatorDefaults): WebhookAccess {
  const given = input.webhooks;
  if (given !== undefined) return { paths: given.path, keys: given.keys, actionIds: given.actionIds };
  if (input.salesforce !== undefined) return NO_WEBHOOKS;
  return simulators.salesforce?.webhooks ?? NO_WEBHOOKS;
}

function mappingConfig(
  input: TenantInput,
  simulators: SimulatorDefaults,
  overrides: MappingOverrides | null,
): Omit<MappingConfig, 'partnerId'> {
  const stages = overrides?.stages ?? DEFAULT_STAGES;
  const simulated = input.vendor === undefined ? simulators.vendor?.values : undefined;
  return {
    currency: input.currency ?? simulators.salesforce?.currency ?? '',
    zone: input.dates.zone,
    stages: input.leads === undefined ? stages : stagesBesideLeads(stages),
    values: mergeValues(NO_VALUES, simulated, input.vendor?.values, overrides?.values),
    ...(input.vendor?.partnerIds && { partnerIds: input.vendor.partnerIds }),
    ...(input.vendor?.sharedKey && { sharedKey: true as const }),
    ...(input.vendor?.lists && { lists: input.vendor.lists }),
    closeFromVendor: input.closeFromVendor,
    prefer: input.prefer,
    ...(input.imports.stage !== null && { importStage: input.imports.stage }),
    ...(input.leads && { leads: input.leads }),
    ...(input.offers.length > 0 && { offers: input.offers }),
    ...(overrides?.directions && { directions: overrides.directions }),
    ...(overrides?.rules && { rules: overrides.rules }),
    ...(overrides?.fields && { fields: overrides.fields }),
  };
}

function mappingFile(
  { tenant, mapping: name }: TenantInput,
  {
    mapping: from,
    scope,
    yaml,
  }: { readonly yaml: YamlFile; readonly mapping: MappingFrom; readonly scope: SecretScope },
): ReturnType<typeof parseMappingFile> {
  if ('text' in from) return parseMappingFile(name, from.text);
  const refusal = foreignMapping(name, { tenant, baseDir: from.folder, scope });
  if (refusal !== null) return { problems: [problemAt(yaml, ['mapping'], refusal)] };
  return readMappingFile(resolve(from.folder, name));
}

/** Merges code tables. If several tables have a code for one name, the code of the last table counts. */
function mergeValues(...layers: readonly (Partial<Values> | undefined)[]): Values {
  const names = Object.keys(NO_VALUES) as (keyof Values)[];
  const merged = names.map((name) => [name, Object.assign({}, ...layers.map((layer) => layer?.[name]))] as const);
  return Object.fromEntries(merged) as Values;
}
