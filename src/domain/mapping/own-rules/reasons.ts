import type { Codes } from '../../record/canonical.ts';
import { ISSUES } from '../../record/issues.ts';
import { EMPTY_CODE, type ReasonField, readReason, unsendableReasons } from '../../values/reasons.ts';
import { codesLens } from '../kinds/codes.ts';
import type { Lens } from '../lens.ts';

/**
 * Translates the reasons why a deal was won or lost between the CRM and the vendor (sales spec 2.4). If the tenant file has the vendor's
 * code of a reason, this code is sent; otherwise the CRM's value is sent unchanged. A reason that the spec names without its code (such as
 * `NO_PROJECT`) is not sent until the tenant file has the code.
 */
export function reasons(field: ReasonField): Lens<Codes> {
  return codesLens({
    meaning: (member, { config }) => (member === EMPTY_CODE ? '' : readReason(field, member, config)),
    withheld: (codes, { config }) => {
      const names = unsendableReasons(field, codes, config);
      return names.length === 0 ? null : ISSUES.reasonWithoutCode(field);
    },
  });
}
