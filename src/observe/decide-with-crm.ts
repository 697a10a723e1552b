import { accountsOf, withAccountMerged } from '../domain/base/account-merged.ts';
import { decide } from '../domain/decide/decide.ts';
import { dependsOnOrg } from '../domain/decide/elsewhere.ts';
import type { CrmSide, DecideInput } from '../domain/decide/input.ts';
import { limitsOfLead } from '../domain/mapping/leads/lead-limits.ts';
import { mappingOf } from '../domain/mapping/leads/lead-mapping.ts';
import { undatedFields } from '../domain/merge/newest.ts';
import type { ObjectLimits } from '../domain/record/crm-limits.ts';
import { fieldThatWaits, inOrgWords } from '../domain/record/field-labels.ts';
import { type Link, MANUAL_RETRY } from '../domain/record/link.ts';
import { lookupOf } from '../domain/record/mapping-config.ts';
import type { Plan } from '../domain/record/plan.ts';
import { isLeadId } from '../domain/record/salesforce-id.ts';
import { orgLabels } from './org-labels.ts';
import type { CrmReads, DecidingTenant } from './remotes.ts';

/** The decision about a deal (a plan), with the complete input from which it was made. */
export type Decided = { readonly input: DecideInput; readonly plan: Plan };

type Asked = {
  readonly crm: Pick<CrmReads, 'fieldChanges' | 'isMergedInto' | 'hasMadeSuch' | 'knownOffers' | 'limits'>;
};
type Call = { readonly signal?: AbortSignal };

/**
 * Makes the input for a decision about a link (the pair of a CRM and a vendor record). It does not yet have the limits of CRM fields (such
 * as lengths and picklist values), the field history and ambiguous matches; they are added later if the decision needs them. `now`: the
 * present instant, ISO.
 */
export function decideInput(
  tenant: Pick<DecidingTenant, 'mapping' | 'importFromVendor'>,
  link: Link,
  { crm, vendor }: Pick<DecideInput, 'crm' | 'vendor'>,
  now: string,
): DecideInput {
  return {
    link: { ...link, reference: link.vendorObservation?.reference ?? null },
    crm,
    vendor,
    crmHistory: null,
    config: mappingOf(tenant.mapping, link.crmId),
    sendsRefusedAgain: link.retryAt !== null && Date.parse(link.retryAt) <= Date.parse(now),
    isManual: link.retryAt === MANUAL_RETRY,
    importFromVendor: tenant.importFromVendor,
    crmLimits: {},
    ambiguity: null,
  };
}

/**
 * Decides about a link (the pair of a CRM and a vendor record). Asks the CRM only for facts that the decision depends on, such as the field
 * history. If the decision writes to the CRM, reads two things and decides again: which of the vendor's offers have a CRM product, and
 * which values fit the CRM fields. In the second plan, lines without a product and values that do not fit wait, and all other data is to be
 * written. The function itself writes nothing. Throws the CRM's errors.
 */
export async function decideWithCrm(asked: Asked, first: DecideInput, call: Call = {}): Promise<Decided> {
  const { input, plan } = await decideOnce(asked, first, call);
  if (!plan.issues.some((issue) => isOfOpportunity(fieldThatWaits(issue, input.config)))) return { input, plan };
  const labels = await labelsOf(asked, input, call);
  return { input, plan: { ...plan, issues: inOrgWords(plan.issues, input.config, labels) } };
}

async function labelsOf({ crm }: Asked, { link }: DecideInput, call: Call): Promise<ObjectLimits> {
  if (!isLeadId(link.crmId)) return orgLabels(crm, 'Opportunity', call);
  return limitsOfLead(await orgLabels(crm, 'Lead', call))['Opportunity'] ?? {};
}

const OTHERS: ReadonlySet<string> = new Set(['OpportunityLineItem', 'Account', 'Contact', 'User']);

function isOfOpportunity(field: string | null): boolean {
  return field !== null && !OTHERS.has(field) && lookupOf(field) === null;
}

async function decideOnce(asked: Asked, first: DecideInput, call: Call): Promise<Decided> {
  const { input, plan } = await decideByHistory(asked, await withMergesKnown(asked, first, call), call);
  if (plan.next !== 'write-crm' && plan.next !== 'create-in-crm') return { input, plan };
  const unknownOffers = await offersUnknown(asked, plan, input.crm, call);
  return decideWithLimits(asked, { ...input, unknownOffers }, written(plan, input.config), call);
}

/**
 * Adapts the input of a decision to merged accounts: an account that Salesforce users merged into the opportunity's account counts as the
 * same customer. Asks the CRM about merges only if the opportunity's account has changed since both sides last agreed.
 */
async function withMergesKnown({ crm }: Asked, input: DecideInput, call: Call): Promise<DecideInput> {
  const { base } = input.link;
  if (base === null || input.crm.kind !== 'observed') return input;
  const now = input.crm.observation.graph.account?.['Id'];
  if (typeof now !== 'string') return input;
  let known = base;
  for (const former of accountsOf(base)) {
    if (former !== now && (await crm.isMergedInto(former, now, call))) known = withAccountMerged(known, former, now);
  }
  return { ...input, link: { ...input.link, base: known } };
}

/**
 * Makes a decision. An opportunity that the CRM does not have may belong to another org. If the decision depends on the org, asks the CRM
 * whether this org can have created the opportunity's id. If not, decides again with `isOfAnotherOrg`. The record then waits for no person,
 * because the opportunity belongs to another org.
 */
async function decideWhere({ crm }: Asked, input: DecideInput, call: Call): Promise<Decided> {
  const plan = decide(input);
  const { crmId } = input.link;
  if (crmId === null || !dependsOnOrg(plan, input)) return { input, plan };
  if (await crm.hasMadeSuch(crmId, call)) return { input, plan };
  const known = { ...input, isOfAnotherOrg: true } as const;
  return { input: known, plan: decide(known) };
}

/**
 * Makes a decision. If the versions of the records do not show which of two changes is later, reads the CRM's field history and decides
 * again.
 */
async function decideByHistory(asked: Asked, first: DecideInput, call: Call): Promise<Decided> {
  const { crm } = asked;
  const { input, plan } = await decideWhere(asked, first, call);
  const fields = undatedFields(plan.decisions, input.config);
  const { crmId, base } = input.link;
  if (fields.length === 0 || crmId === null) return { input, plan };
  const crmHistory = await crm.fieldChanges(crmId, fields, base?.crmVersion ?? null, call);
  const withHistory = { ...input, crmHistory };
  return { input: withHistory, plan: crmHistory.length === 0 ? plan : decide(withHistory) };
}

/** Of the vendor's offers in a plan's new lines (opportunity products), those that have no product in the CRM. */
async function offersUnknown(
  { crm: adapter }: Asked,
  plan: Plan,
  crm: CrmSide,
  call: Call,
): Promise<ReadonlySet<string>> {
  const offers = offersOf(plan);
  if (offers.length === 0) return new Set();
  const known = await adapter.knownOffers(offers, { ...pricing(crm), ...call });
  return new Set(offers.filter((offer) => !known.has(offer)));
}

/** The CRM objects whose fields a plan writes. Their descriptions say whether the plan's values fit the fields. */
function written(plan: Plan, { of }: DecideInput['config']): readonly string[] {
  if (of === 'lead' || (plan.next === 'create-in-crm' && plan.create.as === 'lead')) return ['Lead'];
  const lines = offersOf(plan).length > 0 ? ['OpportunityLineItem'] : [];
  return ['Opportunity', ...(plan.next === 'create-in-crm' ? ['Account', 'Contact'] : []), ...lines];
}

/**
 * If a value does not fit its CRM field, Lockstep reads the description (metadata) of the field's object again, unless its cached
 * description is younger than this, in ms. An administrator may just have changed the field.
 */
const FRESH_LIMITS_MS = 60_000;

const BY_LIMITS: ReadonlySet<string> = new Set(['does-not-fit', 'shortened']);

async function decideWithLimits(
  { crm }: Asked,
  input: DecideInput,
  objects: readonly string[],
  call: Call,
): Promise<Decided> {
  const isLead = objects.includes('Lead');
  const limited = async (maxAge: { readonly maxAgeMs?: number }): Promise<Decided> => {
    const shown = await crm.limits(objects, { ...call, ...maxAge });
    const known = { ...input, crmLimits: isLead ? limitsOfLead(shown['Lead'] ?? {}) : shown };
    return { input: known, plan: decide(known) };
  };
  const decided = await limited({});
  if (!decided.plan.issues.some(({ code }) => BY_LIMITS.has(code))) return decided;
  return limited({ maxAgeMs: FRESH_LIMITS_MS });
}

/** The price book and currency that new lines of the opportunity get. */
function pricing(crm: CrmSide): {
  readonly pricebookId?: string;
  readonly currency?: string;
} {
  if (crm.kind !== 'observed') return {};
  const { Pricebook2Id: pricebookId, CurrencyIsoCode: currency } = crm.observation.graph.opportunity;
  return {
    ...(typeof pricebookId === 'string' ? { pricebookId } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
  };
}

function offersOf(plan: Plan): readonly string[] {
  const rows = 'write' in plan ? plan.write.lines.create : 'create' in plan ? plan.create.lines : [];
  return [...new Set(rows.map((row) => String(row['Product2.Vendor_Offer_Id__c'])))];
}
