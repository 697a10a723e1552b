import { isOlderThanKnown } from '../../domain/base/after-restore.ts';
import { mappingOf } from '../../domain/mapping/leads/lead-mapping.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { CrmFieldChange } from '../../domain/record/crm-graph.ts';
import { FIELD_NAMES } from '../../domain/record/fields.ts';
import { formerLeads } from '../../domain/record/former-ids.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { Link } from '../../domain/record/link.ts';
import { shownState } from '../../domain/record/link-state.ts';
import { linkedByWords } from '../../domain/record/linked-by.ts';
import { type CrmNames, crmFieldOf, lookupOf } from '../../domain/record/mapping-config.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ObservedDeal } from '../../observe/observe-deal.ts';
import { remoteFailure } from '../../observe/remote-failure.ts';
import type { CrmReads } from '../../observe/remotes.ts';
import { unseenLink } from '../../observe/unseen-link.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { findLinkOf, idsOf } from '../records/find-link.ts';
import type { Observer } from '../records/observer.ts';
import { UnknownRecord } from '../records/remote-records.ts';
import type { Explanation } from './explanation.ts';
import { explainFields } from './fields.ts';
import { gatesOf } from './gates.ts';
import { sentenceOf } from './sentence.ts';

/** The beginnings of the web addresses at which operators can view a record in the CRM and at the vendor, and its runs in Temporal. */
export type Addresses = {
  readonly crm: string;
  readonly vendor: string;
  /** The address of the Temporal UI, including the namespace; null if unknown. */
  readonly temporal: string | null;
};

export type ExplainPorts = {
  readonly observer: Observer;
  readonly crm: Pick<CrmReads, 'fieldChanges'>;
  readonly ledger: Pick<Ledger, 'findLink' | 'findLinkByIds' | 'journal' | 'addToJournal' | 'pauses' | 'quotas'>;
  readonly addresses: Addresses;
  /**
   * Returns the Temporal runs in which Lockstep worked on the record, newest first. `at`: when Lockstep worked on the record, ISO. The
   * result contains the runs of the record's own workflow. For times at which no run of that workflow existed, it also contains the runs of
   * the tenant's lane (the workflow for many records). Empty if Temporal does not answer.
   */
  readonly runs: (key: string, at: readonly string[]) => Promise<readonly { readonly url: string | null }[]>;
  readonly now: () => string;
};

export type ExplainOrder = {
  /** An opportunity's or lead's 18-character id, a vendor id, or the key of a link (stored pair of CRM record and vendor record). */
  readonly id: string;
  /** The only field to explain; null for all fields. */
  readonly field: FieldName | null;
  /** Whether to show values of fields. If so, the record's journal first gets a line about it, because views of values are logged. */
  readonly withValues: boolean;
  /** The name of the command that shows the values, for the record's journal; by default `explain`. */
  readonly verb?: string;
};

type ExplainTenant = Pick<Tenant, 'tenant' | 'mapping' | 'salesforce'>;

/** The maximum number of journal lines that an explanation reads. */
const MOST_LINES = 500;

/**
 * Explains why a record has its sync state. Reads the CRM and the vendor and decides as a sync would, without writing. If either cannot be
 * read, uses only the ledger (Lockstep's database). Throws UnknownRecord.
 */
export async function explainRecord(
  ports: ExplainPorts,
  tenant: ExplainTenant,
  order: ExplainOrder,
): Promise<Explanation> {
  const { ledger } = ports;
  const known = await findLinkOf(ledger, tenant.tenant, order.id);
  const link = known ?? unseenLink(tenant.tenant, idsOf(order.id), ports.now());
  const { deal, notObserved } = await observe(ports.observer, link);
  if (known === null && deal !== null && isNowhere(deal))
    throw new UnknownRecord(`${order.id} is no record of ${tenant.tenant}: neither side shows it.`);
  if (order.withValues) await noteLook(ports, tenant.tenant, link.key, order);
  const mapping = mappingOf(tenant.mapping, deal?.link.crmId ?? link.crmId);
  const history = deal === null ? [] : await historyOf(ports.crm, deal, mapping);
  const journal = await ledger.journal(tenant.tenant, link.key, MOST_LINES);
  const plan = deal?.plan ?? null;
  const gates = gatesOf({
    link: known,
    plan,
    pauses: await ledger.pauses(tenant.tenant),
    quotaUntil: await quotaUntil(ports, tenant.tenant),
    sweepEveryMs: tenant.salesforce.sweep.everyMs,
    isVendorOlder: showsOlder(deal, mapping),
    id: order.id,
    tenant: tenant.tenant,
    withValues: order.withValues,
  });
  const seen = deal?.link ?? link;
  const state = known === null ? 'unseen' : shownState(known.state, known.generation !== known.observedGeneration);
  const { field: only, withValues } = order;
  const shown = only === null ? gates : gates.filter(({ field }) => field === null || field === only);
  return {
    shape: 'explain/1',
    tenant: tenant.tenant,
    key: link.key,
    ...recordsOf(seen),
    ...howLinked(known, deal),
    state,
    sentence: sentenceOf({ state, notObserved, plan, gates }),
    observedAt: deal === null ? null : ports.now(),
    notObserved,
    next: plan === null ? null : { step: plan.next, reason: plan.reason },
    gates: shown,
    fields: explainFields({ deal, history, journal, config: mapping, only, withValues }),
    links: { ...linksOf(ports.addresses, seen), temporal: await runLink(ports, link.key, journal) },
  };
}

function recordsOf(link: Link): Pick<Explanation, 'crmId' | 'vendorId' | 'formerLeads'> {
  return { crmId: link.crmId, vendorId: link.vendorId, formerLeads: formerLeads(link) };
}

/** How and when the CRM record and the vendor record were linked. If they are not linked yet: how it is known that they belong together. */
function howLinked(link: Link | null, deal: ObservedDeal | null): Pick<Explanation, 'linkedBy' | 'linked'> {
  const linkedBy = link?.linkedBy;
  if (linkedBy === undefined) return { linkedBy: deal?.proof ?? null, linked: null };
  return { linkedBy: linkedBy.way, linked: { at: linkedBy.at, words: linkedByWords(linkedBy) } };
}

/**
 * Whether the vendor shows an older version of the record than Lockstep has read before. A sync ignores such a version. False if the older
 * version has the values on which CRM and vendor last agreed, because then nothing needs an explanation.
 */
function showsOlder(deal: ObservedDeal | null, config: ExplainTenant['mapping']): boolean {
  if (deal === null || deal.vendor.kind !== 'observed' || deal.link.base === null) return false;
  if (!isOlderThanKnown(deal.link.base, deal.vendor.observation)) return false;
  const fields = explainFields({ deal, history: [], journal: [], config, only: null, withValues: false });
  return fields.some(({ vendor }) => vendor.changed === true);
}

async function observe(
  observer: Observer,
  link: Link,
): Promise<{ readonly deal: ObservedDeal | null; readonly notObserved: string | null }> {
  try {
    return { deal: await observer.observeDeal(link), notObserved: null };
  } catch (error) {
    const notObserved = remoteFailure(error);
    if (notObserved === null) throw error;
    return { deal: null, notObserved };
  }
}

function isNowhere({ crm, vendor, link }: ObservedDeal): boolean {
  return link.crmId === null ? vendor.kind === 'missing' : crm.kind === 'missing';
}

/** Adds a line to the record's journal which says that an operator views its values. Must be called before the values are shown. */
function noteLook(
  { ledger, now }: ExplainPorts,
  tenant: string,
  key: string,
  { field, verb = 'explain' }: ExplainOrder,
): Promise<void> {
  const summary = { verb, fields: field ?? 'all' };
  return ledger.addToJournal(tenant, key, { at: now(), kind: 'view', summary, decisions: [] });
}

const OBJECTS: ReadonlySet<string> = new Set(['OpportunityLineItem', 'Account', 'Contact', 'User']);

/**
 * API names of the mapped fields that are fields of the opportunity itself. Salesforce keeps an opportunity's field history only for these.
 */
function fieldsWithHistory(mapping: CrmNames): readonly string[] {
  return FIELD_NAMES.map((field) => crmFieldOf(field, mapping)).filter(
    (name) => !OBJECTS.has(name) && lookupOf(name) === null,
  );
}

/**
 * Changes of the opportunity's fields since CRM and vendor last agreed, from Salesforce's field history. Empty if the org does not track
 * the fields or does not answer.
 */
async function historyOf(
  crm: ExplainPorts['crm'],
  { link }: ObservedDeal,
  mapping: CrmNames,
): Promise<readonly CrmFieldChange[]> {
  if (link.crmId === null) return [];
  return crm
    .fieldChanges(link.crmId, fieldsWithHistory(mapping), link.base?.crmVersion ?? null)
    .catch((error: unknown) => {
      if (remoteFailure(error) === null) throw error;
      return [];
    });
}

async function quotaUntil({ ledger, now }: ExplainPorts, tenant: string): Promise<string | null> {
  const known = (await ledger.quotas(tenant)).find(({ quota }) => quota === 'vendor-sales');
  return known?.remaining === 0 && known.until > now() ? known.until : null;
}

/**
 * The web address of the newest Temporal run in which Lockstep worked on the record; null if there is none, or if the address of Temporal's
 * UI is unknown.
 */
async function runLink(
  { addresses, runs }: ExplainPorts,
  key: string,
  journal: readonly JournalEntry[],
): Promise<string | null> {
  if (addresses.temporal === null) return null;
  const worked = journal.filter(({ kind }) => kind !== 'view').map(({ at }) => at);
  return (await runs(key, worked))[0]?.url ?? null;
}

function linksOf({ crm, vendor }: Addresses, { crmId, vendorId }: Link): Pick<Explanation['links'], 'crm' | 'vendor'> {
  return {
    crm: crmId === null ? null : `${crm}/${crmId}`,
    vendor: vendorId === null ? null : `${vendor}/${encodeURIComponent(vendorId)}`,
  };
}
