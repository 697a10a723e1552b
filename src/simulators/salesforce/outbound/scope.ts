import type { Change } from '../store/row.ts';
import type { Store } from '../store/store.ts';

const SHARE = 'Vendor_Share__c';
const VIA_PARENT = new Set(['OpportunityLineItem', 'OpportunityContactRole']);

/**
 * The opportunities that a transaction's changes send a message for: those shared with the vendor, and those whose
 * sharing changed, as the package's record-triggered flow has it; lines and contact roles count for their opportunity.
 * Rows that a merge of their parents moved cause none, nor does a user without the permission "Send Outbound Messages".
 */
export function opportunitiesToSend(
  store: Store,
  changes: readonly Change[],
  isSilentUser: (userId: string) => boolean,
): readonly string[] {
  const ids = new Set<string>();
  for (const change of changes) {
    if (change.before?.['SystemModstamp'] === change.after['SystemModstamp']) continue;
    if (isSilentUser(String(change.after['LastModifiedById']))) continue;
    if (change.type === 'Opportunity' && isInScope(change)) ids.add(change.id);
    if (!VIA_PARENT.has(change.type)) continue;
    const parentId = String(change.after['OpportunityId']);
    if (store.get('Opportunity', parentId)?.[SHARE] === true) ids.add(parentId);
  }
  return [...ids];
}

function isInScope({ before, after }: Change): boolean {
  return after[SHARE] === true || before?.[SHARE] === true;
}
