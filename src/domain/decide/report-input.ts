import type { Link } from '../record/link.ts';
import { heldWords, overruledWords } from './conflict-words.ts';
import { filledWords } from './filled-words.ts';
import { type ReportInput, vendorStatusOf } from './report.ts';

/** What of a link the report to the CRM's users is made of. */
export function reportInput(link: Link): ReportInput {
  return {
    crmId: link.crmId,
    vendorId: link.vendorId,
    state: link.state,
    issues: link.issues,
    conflicts: [...heldWords(link.base), ...overruledWords(link.base)],
    isPickTaken: link.base?.pickTaken === true,
    filled: filledWords(link.base),
    vendorObservation: link.vendorObservation,
    vendorStatus: link.vendorId === null ? null : vendorStatusOf(link.base, link.vendorObservation),
    reported: link.reported,
  };
}
