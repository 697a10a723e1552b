import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { decide } from '../../src/domain/decide/decide.ts';
import type { CrmObservation, Plan, VendorObservation } from '../../src/domain/decide/plan.ts';
import { observeCrm } from '../../src/domain/mapping/index.ts';
import type { Link } from '../../src/ledger/ledger.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';

/** The link of a record; a workflow is only ever started for one that the ledger has. */
export async function linkOf(deps: ActivityDeps, tenant: string, key: string): Promise<Link> {
  const link = await deps.ledger.findLink(tenant, key);
  if (link === null) throw failure('BUG', `no link for ${tenant}/${key}`);
  return link;
}

/** Reads the CRM's half of a deal. */
export async function readCrm(
  runtime: TenantRuntime,
  link: Link,
): Promise<CrmObservation | 'missing' | 'none'> {
  if (link.crmId === null) return 'none';
  try {
    const signal = cancellationSignal();
    // A local activity holds its workflow task up: in a burst the ordinary one follows, and waits for company.
    const mayWait = !activityInfo().isLocal;
    const graph = await runtime.crm.readGraph(link.crmId, { signal, mayWait });
    return graph === null ? 'missing' : observeCrm(graph, runtime.tenant.mapping);
  } catch (error) {
    throw toFailure(error);
  }
}

/**
 * The link with its vendor id, where the opportunity carries one that the link lacks: the answer to whoever wrote it
 * was lost. Without this the deal would be created at the vendor a second time.
 */
export async function identified(
  deps: ActivityDeps,
  link: Link,
  crm: CrmObservation | 'missing' | 'none',
): Promise<Link> {
  if (link.vendorId !== null || link.crmId === null || typeof crm === 'string') return link;
  const vendorId = crm.graph.opportunity['Vendor_Id__c'];
  if (typeof vendorId !== 'string' || vendorId === '') return link;
  return (await deps.ledger.resolveLink(link.tenant, { crmId: link.crmId, vendorId }, deps.now())).link;
}

/**
 * Decides, and decides again without the lines whose offers no product of the CRM carries, so that an unknown offer
 * parks its line and not the record.
 */
export async function decideWithOffers(
  runtime: TenantRuntime,
  link: Link,
  crm: CrmObservation | 'missing' | 'none',
  vendor: VendorObservation | 'unread' | 'missing',
): Promise<Plan> {
  const input = {
    link: { ...link, reference: link.vendorObservation?.reference ?? null },
    crm,
    vendor,
    config: runtime.tenant.mapping,
    importFromVendor: runtime.tenant.importFromVendor,
  };
  const plan = decide({ ...input, unknownOffers: new Set() });
  const offers = offersOf(plan);
  if (offers.length === 0) return plan;
  try {
    const known = await runtime.crm.knownOffers(offers, {
      ...pricing(crm),
      signal: cancellationSignal(),
    });
    const unknown = offers.filter((offer) => !known.has(offer));
    return unknown.length === 0 ? plan : decide({ ...input, unknownOffers: new Set(unknown) });
  } catch (error) {
    throw error instanceof ApplicationFailure ? error : toFailure(error);
  }
}

/** The price book and currency that the deal's new lines would be priced by. */
function pricing(crm: CrmObservation | 'missing' | 'none'): {
  readonly pricebookId?: string;
  readonly currency?: string;
} {
  if (typeof crm === 'string') return {};
  const { Pricebook2Id: pricebookId, CurrencyIsoCode: currency } = crm.graph.opportunity;
  return {
    ...(typeof pricebookId === 'string' ? { pricebookId } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
  };
}

function offersOf(plan: Plan): readonly string[] {
  const rows = [...(plan.toCrm?.lines.create ?? []), ...(plan.createInCrm?.lines ?? [])];
  return [...new Set(rows.map((row) => String(row['Product2.Vendor_Offer_Id__c'])))];
}
