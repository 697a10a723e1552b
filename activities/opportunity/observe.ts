import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { decide } from '../../src/domain/decide/decide.ts';
import type { Ambiguity, CrmSide, DecideInput, VendorSide } from '../../src/domain/decide/input.ts';
import { observeCrm } from '../../src/domain/mapping/index.ts';
import { untoldByTime } from '../../src/domain/merge/newest.ts';
import { type Link, ON_A_PERSONS_WORD } from '../../src/domain/record/link.ts';
import type { Plan } from '../../src/domain/record/plan.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';

/** The link of a record; a workflow is only ever started for one that the ledger has. */
export async function linkOf(deps: ActivityDeps, tenant: string, key: string): Promise<Link> {
  const link = await deps.ledger.findLink(tenant, key);
  if (link === null) throw failure('BUG', `no link for ${tenant}/${key}`);
  return link;
}

/** Reads the CRM's half of a deal. */
export async function readCrm(runtime: TenantRuntime, link: Link): Promise<CrmSide> {
  if (link.crmId === null) return { kind: 'unlinked' };
  try {
    const signal = cancellationSignal();
    // A local activity holds its workflow task up: in a burst the ordinary one follows, and waits for company.
    const mayWait = !activityInfo().isLocal;
    const graph = await runtime.crm.readGraph(link.crmId, { signal, mayWait });
    if (graph === null) return { kind: 'missing' };
    return { kind: 'observed', observation: observeCrm(graph, runtime.tenant.mapping) };
  } catch (error) {
    throw toFailure(error);
  }
}

/**
 * Decides, and decides again by what the CRM can hold of it: without the lines whose offers no product carries, and without
 * values that do not fit their fields, so that such a line or value waits by itself and not its record.
 */
export async function decideWithCrm(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  crm: CrmSide,
  vendor: VendorSide,
  ambiguity: Ambiguity | null = null,
): Promise<Plan> {
  const { input, plan } = await decideByHistory(runtime, {
    ...decideInput(deps, runtime, link, { crm, vendor }),
    ambiguity,
  });
  if (plan.next !== 'write-crm' && plan.next !== 'create-in-crm') return plan;
  try {
    const unknownOffers = await offersUnknown(runtime, plan, crm);
    return await decideWithLimits(runtime, { ...input, unknownOffers }, written(plan));
  } catch (error) {
    throw error instanceof ApplicationFailure ? error : toFailure(error);
  }
}

/**
 * Decides, and decides again by the CRM's field history where both sides changed a field and their records' times do not
 * tell which was the later: only then it is asked.
 */
async function decideByHistory(
  runtime: TenantRuntime,
  input: DecideInput,
): Promise<{ readonly input: DecideInput; readonly plan: Plan }> {
  const plan = decide(input);
  const fields = untoldByTime(plan.decisions);
  const { crmId, base } = input.link;
  if (fields.length === 0 || crmId === null) return { input, plan };
  try {
    const call = { signal: cancellationSignal() };
    const crmHistory = await runtime.crm.fieldChanges(crmId, fields, base?.crmVersion ?? null, call);
    const told = { ...input, crmHistory };
    return { input: told, plan: crmHistory.length === 0 ? plan : decide(told) };
  } catch (error) {
    throw toFailure(error);
  }
}

/** Offers of new lines that no product of the CRM carries. */
async function offersUnknown(
  { crm: adapter }: TenantRuntime,
  plan: Plan,
  crm: CrmSide,
): Promise<ReadonlySet<string>> {
  const offers = offersOf(plan);
  if (offers.length === 0) return new Set();
  const known = await adapter.knownOffers(offers, { ...pricing(crm), signal: cancellationSignal() });
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
  { crm }: TenantRuntime,
  input: DecideInput,
  objects: readonly string[],
): Promise<Plan> {
  const signal = cancellationSignal();
  const limits = (maxAgeMs?: number) =>
    crm.limits(objects, { signal, ...(maxAgeMs === undefined ? {} : { maxAgeMs }) });
  const plan = decide({ ...input, crmLimits: await limits() });
  if (!plan.issues.some(({ code }) => BY_LIMITS.has(code))) return plan;
  return decide({ ...input, crmLimits: await limits(FRESH_LIMITS_MS) });
}

/** All that a decision about a link rests on, with every offer taken for known, and no ambiguity whose it is. */
export function decideInput(
  deps: ActivityDeps,
  { tenant }: TenantRuntime,
  link: Link,
  { crm, vendor }: Pick<DecideInput, 'crm' | 'vendor'>,
): DecideInput {
  return {
    link: { ...link, reference: link.vendorObservation?.reference ?? null },
    crm,
    vendor,
    crmHistory: null,
    config: tenant.mapping,
    sendsRefusedAgain: link.retryAt !== null && Date.parse(link.retryAt) <= Date.parse(deps.now()),
    isPersonsWord: link.retryAt === ON_A_PERSONS_WORD,
    importFromVendor: tenant.importFromVendor,
    unknownOffers: new Set(),
    crmLimits: {},
    ambiguity: null,
  };
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
