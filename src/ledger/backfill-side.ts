import { sql } from 'kysely';
import type { BackfillSide } from '../domain/backfill/backfill.ts';

/** Of a link `l`, the id of this side. */
export function idOf(side: BackfillSide) {
  return sql.ref(side === 'crm' ? 'l.crm_id' : 'l.vendor_id');
}
