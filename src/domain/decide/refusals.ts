import type { Issue } from '../record/issue.ts';
import type { VendorWrite } from '../record/plan.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { DecideInput } from './input.ts';

/** What the vendor is told, and by which version of the opportunity: refused once, it is not sent again by itself. */
export function vendorWritePayload({ intent, savedAt }: Pick<VendorWrite, 'intent' | 'savedAt'>): unknown {
  return [intent.body, savedAt];
}

type Refusal = 'vendor-refused' | 'crm-refused';

const FINGERPRINTS = {
  'vendor-refused': 'refusedFingerprint',
  'crm-refused': 'crmRefusedFingerprint',
} as const;

/**
 * Whether a side has refused this already, and is not to be asked again. A refusal that nobody is told of any more is tried
 * again; so is each after a time.
 */
export function isRefused(
  content: unknown,
  refusal: Refusal,
  { link, sendsRefusedAgain }: Pick<DecideInput, 'link' | 'sendsRefusedAgain'>,
): boolean {
  if (sendsRefusedAgain || !link.issues.some((issue) => isOfAll(issue) && issue.code === refusal))
    return false;
  return fingerprint(content) === link[FINGERPRINTS[refusal]];
}

/** These issues, and those of an earlier refusal that is met again: what was refused stays to be seen. */
export function withRefusals(issues: readonly Issue[], link: DecideInput['link']): readonly Issue[] {
  const messages = new Set(issues.map((issue) => issue.message));
  const refusals = link.issues.filter(
    (issue) => isOfAll(issue) && issue.code in FINGERPRINTS && !messages.has(issue.message),
  );
  return [...issues, ...refusals];
}

/** Whether a whole request was refused, and not one value of it. */
function isOfAll({ fingerprint }: Issue): boolean {
  return fingerprint === undefined;
}
