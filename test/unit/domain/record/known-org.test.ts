import { expect, test } from 'vitest';
import { type OrgsKnown, type SignedInOrg, whyNotOrg } from '../../../../src/domain/record/known-org.ts';

const [ORG, OTHER] = ['00D000000000001AAA', '00D000000000002AAA'];
const production: SignedInOrg = { organizationId: ORG, isSandbox: false, hasSyncedDeals: true };
const copy = { ...production, isSandbox: true };
const NEW: OrgsKnown = { declared: null, accepted: null, hasSynced: false };

test.each<[string, SignedInOrg, Partial<OrgsKnown>, ReturnType<typeof whyNotOrg>]>([
  ['a first org', production, {}, null],
  ['the accepted org again', production, { accepted: ORG }, null],
  ['another org than the accepted one', production, { accepted: OTHER }, 'OTHER_ORGANIZATION'],
  ['another org, that the tenant file declares', production, { accepted: OTHER, declared: ORG }, null],
  ['a sandbox that was copied from a synced org', copy, {}, 'SANDBOX_COPY'],
  ['such a copy, that the tenant file declares', copy, { declared: ORG }, null],
  ['an empty sandbox', { ...copy, hasSyncedDeals: false }, {}, null],
  ['a sandbox that the tenant has synced before', copy, { hasSynced: true }, null],
  ['a refreshed sandbox', copy, { accepted: OTHER, hasSynced: true }, 'OTHER_ORGANIZATION'],
])('%s', (_, org, known, refusal) => {
  expect(whyNotOrg(org, { ...NEW, ...known })).toBe(refusal);
});
