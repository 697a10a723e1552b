import { randomBytes, randomInt } from 'node:crypto';
import type { OrgIdentity } from './org.ts';
import { makeId, normalizeId } from './store/ids.ts';

/** The values that make one org's ids differ from another's. */
export type OrgOrigin = {
  readonly identity: OrgIdentity;
  readonly pod: string;
  readonly firstNumber: number;
};

/** The limit of the first id number, which leaves room for hundreds of millions of rows of an object. */
const FIRST_NUMBER_LIMIT = 62 ** 5;

/** A new org's ids, its organization id given or made. Throws if the given text is no organization id. */
export function newOrigin(organizationId: string | undefined): OrgOrigin {
  const pod = randomBytes(8)
    .toString('base64')
    .replace(/[^A-Za-z]/g, '')
    .slice(0, 2)
    .padEnd(2, 'X');
  const firstNumber = randomInt(FIRST_NUMBER_LIMIT);
  const make = (prefix: string, count: number) => makeId(prefix, pod, firstNumber + count);
  return {
    pod,
    firstNumber,
    identity: {
      organizationId: organizationId === undefined ? make('00D', 0) : checkOrganization(organizationId),
      salesUserId: make('005', -1),
      integrationUserId: make('005', -2),
      outboundActionId: make('04k', 0),
    },
  };
}

function checkOrganization(organizationId: string): string {
  const id = normalizeId(organizationId);
  if (id?.startsWith('00D')) return id;
  throw new Error('The organization id must be 15 or 18 characters that begin with 00D.');
}
