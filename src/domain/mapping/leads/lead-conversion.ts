import type { Link } from '../../record/link.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { isLeadId } from '../../record/salesforce-id.ts';
import { inboundStage, STATUSES, statusName } from '../../values/status.ts';
import { leadMapping } from './lead-mapping.ts';

/**
 * Whether Lockstep must convert the deal's lead to an opportunity. True if the tenant wants conversions, and the vendor's status in the
 * last read is that of an open opportunity or of a won deal. False if the tenant maps this status to a lead. A lost deal stays a lead.
 * Pure.
 */
export function isToBeConverted(
  { crmId, vendorId, vendorObservation }: Pick<Link, 'crmId' | 'vendorId' | 'vendorObservation'>,
  mapping: MappingConfig,
): boolean {
  if (mapping.leads?.convert !== true || !isLeadId(crmId) || vendorId === null) return false;
  const status = vendorObservation?.record.status;
  if (typeof status !== 'string' || inboundStage(status, leadMapping(mapping)) !== null) return false;
  const name = statusName(status, mapping);
  return name !== null && (STATUSES[name].phase === 'opportunity' || name === 'WON');
}
