import type { Issue } from '../record/issue.ts';
import type { CrmObservation } from '../record/observation.ts';
import type { DecideInput } from './input.ts';

/**
 * What is still told of a country or state that a vendor-created deal's account was made without: until somebody has chosen
 * one. The mark of such an issue is the account's field.
 */
export function placesStillMissing(
  { link }: Pick<DecideInput, 'link'>,
  { graph: { account } }: CrmObservation,
): readonly Issue[] {
  const isMissing = ({ fingerprint = '' }: Issue): boolean =>
    account !== null && (account[fingerprint] === undefined || account[fingerprint] === null);
  return link.issues.filter(
    (issue) => issue.code === 'does-not-fit' && issue.field === 'customerLegalEntity' && isMissing(issue),
  );
}
