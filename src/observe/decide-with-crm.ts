import { withAccountMerged } from '../domain/base/account-merged.ts';
import { decide } from '../domain/decide/decide.ts';
import type { CrmSide, DecideInput } from '../domain/decide/input.ts';
import { undatedFields } from '../domain/merge/newest.ts';
import { type Link, MANUAL_RETRY } from '../domain/record/link.ts';
import { movedTo } from '../domain/record/moved-account.ts';
import type { Plan } from '../domain/record/plan.ts';
import type { CrmReads, DecidingTenant } from './remotes.ts';

/** A decision and all that it rests on. */
export type Decided = { readonly input: DecideInput; readonly plan: Plan };

type Asked = { readonly crm: Pick<CrmReads, 'fieldChanges' | 'isMergedInto' | 'knownOffers' | 'limits'> };
type Call = { readonly signal?: AbortSignal };

/**
 * All that a decision about a link rests on, with every offer taken for known, and no ambiguity whose it is. `now`: the
 * present, ISO.
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
    config: tenant.mapping,
    sendsRefusedAgain: link.retryAt !== null && Date.parse(link.retryAt) <= Date.parse(now),
    isManual: link.retryAt === MANUAL_RETRY,
    importFromVendor: tenant.importFromVendor,
    unknownOffers: new Set(),
    crmLimits: {},
    ambiguity: null,
  };
}

/**
 * Decides, and decides again by what the CRM can hold of it: without the lines whose offers no product carries, and without
 * values that do not fit their fields, so that such a line or value waits by itself and not its record. Asks the CRM only
 * where the decision leads there; writes nothing. Throws the CRM's errors.
 */
export async function decideWithCrm(asked: Asked, first: DecideInput, call: Call = {}): Promise<Decided> {
  const { input, plan } = await decideByHistory(asked, await withMergesKnown(asked, first, call), call);
  if (plan.next !== 'write-crm' && plan.next !== 'create-in-crm') return { input, plan };
  const unknownOffers = await offersUnknown(asked, plan, input.crm, call);
  return decideWithLimits(asked, { ...input, unknownOffers }, written(plan), call);
}

/** An account that was merged into the opportunity's present one is the same customer: asked only where the account is another than before. */
async function withMergesKnown({ crm }: Asked, input: DecideInput, call: Call): Promise<DecideInput> {
  const { base } = input.link;
  if (base === null || input.crm.kind !== 'observed') return input;
  const { record, graph } = input.crm.observation;
  const [former, now] = [base.crm.customerLegalEntity?.crmAccountId, graph.account?.['Id']];
  if (former === undefined || typeof now !== 'string') return input;
  if (movedTo(base.crm, record, graph) === undefined || !(await crm.isMergedInto(former, now, call)))
    return input;
  return { ...input, link: { ...input.link, base: withAccountMerged(base, now) } };
}

/**
 * Decides, and decides again by the CRM's field history where both sides changed a field and their records' times do not
 * tell which was the later: only then it is asked.
 */
async function decideByHistory({ crm }: Asked, input: DecideInput, call: Call): Promise<Decided> {
  const plan = decide(input);
  const fields = undatedFields(plan.decisions, input.config);
  const { crmId, base } = input.link;
  if (fields.length === 0 || crmId === null) return { input, plan };
  const crmHistory = await crm.fieldChanges(crmId, fields, base?.crmVersion ?? null, call);
  const withHistory = { ...input, crmHistory };
  return { input: withHistory, plan: crmHistory.length === 0 ? plan : decide(withHistory) };
}

/** Offers of new lines that no product of the CRM carries. */
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

/** The objects that a write gives values to. */
function written(plan: Plan): readonly string[] {
  const lines = offersOf(plan).length > 0 ? ['OpportunityLineItem'] : [];
  return ['Opportunity', ...(plan.next === 'create-in-crm' ? ['Account', 'Contact'] : []), ...lines];
}

/** Nobody is told that a value does not fit by an older description than this: an admin may have mended the field. */
const FRESH_LIMITS_MS = 60_000;

const BY_LIMITS: ReadonlySet<string> = new Set(['does-not-fit', 'shortened']);

async function decideWithLimits(
  { crm }: Asked,
  input: DecideInput,
  objects: readonly string[],
  call: Call,
): Promise<Decided> {
  const limited = async (maxAge: { readonly maxAgeMs?: number }): Promise<Decided> => {
    const known = { ...input, crmLimits: await crm.limits(objects, { ...call, ...maxAge }) };
    return { input: known, plan: decide(known) };
  };
  const decided = await limited({});
  if (!decided.plan.issues.some(({ code }) => BY_LIMITS.has(code))) return decided;
  return limited({ maxAgeMs: FRESH_LIMITS_MS });
}

/** The price book and currency that the deal's new lines would be priced by. */
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
