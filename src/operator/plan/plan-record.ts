import type { LinkLedger } from '../../ledger/links/link-ledger.ts';
import { unseenLink } from '../../observe/unseen-link.ts';
import { findLinkOf, idsOf } from '../records/find-link.ts';
import type { Observer } from '../records/observer.ts';
import { UnknownRecord } from '../records/remote-records.ts';
import { type PlannedRecord, plannedRecord } from './planned-record.ts';

export type PlanRecordPorts = {
  readonly observer: Observer;
  readonly ledger: Pick<LinkLedger, 'findLink' | 'findLinkByIds'>;
  readonly now: () => string;
};

/**
 * Plans what a sync would do with one record, after reading it in the CRM and at the vendor. Throws UnknownRecord, and the errors of the
 * remote systems.
 */
export async function planRecord(
  { observer, ledger, now }: PlanRecordPorts,
  tenant: string,
  id: string,
): Promise<PlannedRecord> {
  const known = await findLinkOf(ledger, tenant, id);
  const deal = await observer.observeDeal(known ?? unseenLink(tenant, idsOf(id), now()));
  const isNowhere = deal.link.crmId === null ? deal.vendor.kind === 'missing' : deal.crm.kind === 'missing';
  if (known === null && isNowhere) throw new UnknownRecord(`${id} is no record of ${tenant}: neither side shows it.`);
  return plannedRecord(deal);
}
