import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { ImportAssignment, OwnerRule } from '../domain/record/import-assignment.ts';
import { fingerprint } from '../domain/values/fingerprint.ts';
import { idOf } from './answers.ts';
import { crmError } from './classify.ts';
import type { RestRecord } from './options.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { listLiteral, textLiteral } from './soql.ts';

/** How long, in milliseconds, Lockstep caches the ids of the users and record types that the tenant's rules name for new records. */
const KEPT_FOR_MS = 10 * 60_000;

export interface Assignment {
  /**
   * The fields `OwnerId` and `RecordTypeId` for a new opportunity, by the tenant's rules; a field without a rule is absent. Throws
   * `permanent` UNKNOWN_OWNER if the tenant file names a user that is not active in the org, or a queue without active members. Throws
   * `permanent` UNKNOWN_RECORD_TYPE if the org has no active record type with the name in the tenant file.
   */
  of(deal: { readonly vendorId: string; readonly accountId: string | null }, call: RestCall): Promise<CrmFields>;
  /**
   * The field `RecordTypeId` for a new account, by the tenant's rule; absent without a rule. Throws `permanent` UNKNOWN_ACCOUNT_RECORD_TYPE
   * if the org has no active record type with the name in the tenant file.
   */
  ofAccount(call: RestCall): Promise<CrmFields>;
}

export function createAssignment(
  session: Session,
  { owner, recordType, accountRecordType = null }: ImportAssignment,
  now: () => number,
): Assignment {
  const idsOf = remembered(session, now);

  async function userIds(rule: Exclude<OwnerRule, { by: 'account' }>, call: RestCall): Promise<readonly string[]> {
    if (rule.by === 'user') return idsOf(`${ACTIVE_USERS} AND Username = ${textLiteral(rule.username)}`, call);
    const members = await idsOf(membersOf(rule.name), call);
    return members.length === 0 ? [] : idsOf(`${ACTIVE_USERS} AND Id IN ${listLiteral(members)} ORDER BY Id`, call);
  }

  async function ownerId(vendorId: string, accountId: string | null, call: RestCall): Promise<string | null> {
    if (owner === null) return null;
    if (owner.by === 'account') return accountId === null ? null : ownerOfAccount(session, accountId, call);
    const ids = await userIds(owner, call);
    // The deal's vendor id chooses the member of the queue. So repeated attempts for one deal choose the same member, and many deals are
    // spread over all members.
    const id = ids[Number(BigInt(`0x${fingerprint(vendorId)}`) % BigInt(Math.max(1, ids.length)))];
    if (id === undefined) throw crmError('permanent', 'UNKNOWN_OWNER', { fields: ['OwnerId'] });
    return id;
  }

  async function recordTypeId(of: 'Opportunity' | 'Account', name: string | null, call: RestCall) {
    if (name === null) return {};
    const [id] = await idsOf(
      `SELECT Id FROM RecordType WHERE SobjectType = '${of}' AND IsActive = true AND DeveloperName = ${textLiteral(name)}`,
      call,
    );
    const code = of === 'Account' ? 'UNKNOWN_ACCOUNT_RECORD_TYPE' : 'UNKNOWN_RECORD_TYPE';
    if (id === undefined) throw crmError('permanent', code, { fields: ['RecordTypeId'] });
    return { RecordTypeId: id };
  }

  return {
    async of({ vendorId, accountId }, call) {
      const OwnerId = await ownerId(vendorId, accountId, call);
      return {
        ...(OwnerId === null ? {} : { OwnerId }),
        ...(await recordTypeId('Opportunity', recordType, call)),
      };
    },
    ofAccount: (call) => recordTypeId('Account', accountRecordType, call),
  };
}

const ACTIVE_USERS = 'SELECT Id FROM User WHERE IsActive = true';

function membersOf(queue: string): string {
  return `SELECT UserOrGroupId FROM GroupMember WHERE Group.Type = 'Queue' AND Group.DeveloperName = ${textLiteral(queue)}`;
}

/**
 * The owner of an account, who also becomes the owner of its new opportunity. Null if that user is inactive, because an inactive user
 * cannot own a new record.
 */
async function ownerOfAccount(session: Session, accountId: string, call: RestCall): Promise<string | null> {
  const soql = `SELECT OwnerId FROM Account WHERE Owner.IsActive = true AND Id = ${textLiteral(accountId)}`;
  const [row] = (await queryRows(session, soql, call)).rows;
  return row === undefined ? null : idOf(row['OwnerId']);
}

/**
 * Makes a function that runs a SOQL query and returns the ids of the rows. A result with at least one id is cached for ten minutes, by the
 * text of the query.
 */
function remembered(session: Session, now: () => number) {
  const kept = new Map<string, { readonly ids: readonly string[]; readonly atMs: number }>();
  return async (soql: string, call: RestCall): Promise<readonly string[]> => {
    const known = kept.get(soql);
    if (known !== undefined && now() - known.atMs < KEPT_FOR_MS) return known.ids;
    const atMs = now();
    const ids = (await queryRows(session, soql, call)).rows.map(idIn);
    // An empty result is not cached: an administrator may create the missing user or record type at any moment.
    if (ids.length > 0) kept.set(soql, { ids, atMs });
    return ids;
  };
}

function idIn(row: RestRecord): string {
  return idOf(row['Id'] ?? row['UserOrGroupId']);
}
