import { boundedCount } from '../domain/values/remote-number.ts';
import { flagOf, listOf, objectOf, textOf } from './answers.ts';
import { CrmError } from './errors.ts';
import type { RestRecord } from './options.ts';
import { queryRows } from './query.ts';
import type { RestAnswer, RestCall, Session } from './session.ts';
import { listLiteral, textLiteral } from './soql.ts';

/** Settings of an org that affect Lockstep. A setting is null if the integration user may not see it. */
export type CrmSetup = {
  /** The state of each requested flow, by the flow's API name. Null if the integration user may not see the org's flows. */
  readonly flows: ReadonlyMap<string, FlowState> | null;
  /**
   * Permission sets and profiles that let the integration user send Outbound Messages. Empty if none of the user's sets and profiles does.
   * Null if the integration user may not see them, or if its id is unknown.
   */
  readonly sendingSets: readonly { readonly name: string; readonly isProfile: boolean }[] | null;
  readonly duplicateRules: readonly { readonly object: string; readonly name: string }[] | null;
  readonly validationRules: readonly CrmValidationRule[] | null;
};

/** Whether a flow has an active version; `missing` if it does not exist. */
export type FlowState = 'active' | 'inactive' | 'missing';

/** An active validation rule of the org. `formula` is null if Lockstep did not read it, or may not see it. */
export type CrmValidationRule = {
  readonly object: string;
  readonly name: string;
  readonly formula: string | null;
};

/**
 * The maximum number of validation rules whose formulas are read, because each takes one request (Tooling API: ValidationRule, `Metadata`).
 */
const MOST_FORMULAS = 30;

/**
 * Reads the org's setup, as far as the integration user may see it with "View Setup and Configuration". Flows, permission sets and
 * duplicate rules come from the REST API, validation rules from the Tooling API. Sends one request for each of the first 30 validation
 * rules (`MOST_FORMULAS`), and a few more.
 */
export async function readSetup(session: Session, flows: readonly string[], call: RestCall): Promise<CrmSetup> {
  return {
    flows: await flowStates(session, flows, call),
    sendingSets: await sendingSets(session, call),
    duplicateRules: await duplicateRules(session, call),
    validationRules: await validationRules(session, call),
  };
}

/** Reads the states of all flows with one query. */
async function flowStates(session: Session, names: readonly string[], call: RestCall): Promise<CrmSetup['flows']> {
  const soql = `SELECT ApiName, ActiveVersionId FROM FlowDefinitionView WHERE ApiName IN ${listLiteral(names)}`;
  const answer = await ifShown(() => queryRows(session, soql, call));
  if (answer === null) return null;
  const found = new Map(answer.rows.map((row) => [textOf(row['ApiName']), row['ActiveVersionId']]));
  return new Map(names.map((name) => [name, stateOf(found.get(name))]));
}

/** The state of a flow. `activeVersionId` is null if no version is active, and undefined if the org does not have the flow. */
function stateOf(activeVersionId: unknown): FlowState {
  if (activeVersionId === undefined) return 'missing';
  return activeVersionId === null ? 'inactive' : 'active';
}

/**
 * Finds the permission sets that let the integration user send Outbound Messages (`EnableNotifications`). The user's profile counts too,
 * because it has a permission set of its own.
 */
async function sendingSets(session: Session, call: RestCall): Promise<CrmSetup['sendingSets']> {
  const me = (await queryRows(session, 'SELECT Id FROM Organization LIMIT 1', call)).userId;
  if (me === null) return null;
  const set = 'PermissionSet.Name, PermissionSet.IsOwnedByProfile';
  const soql = `SELECT ${set} FROM PermissionSetAssignment WHERE AssigneeId = ${textLiteral(me)} AND PermissionSet.PermissionsEnableNotifications = TRUE`;
  const answer = await ifShown(() => queryRows(session, soql, call));
  if (answer === null) return null;
  return answer.rows.map((row) => {
    const { Name, IsOwnedByProfile } = objectOf(row['PermissionSet']);
    return { name: textOf(Name), isProfile: flagOf(IsOwnedByProfile) };
  });
}

async function duplicateRules(session: Session, call: RestCall): Promise<CrmSetup['duplicateRules']> {
  const soql = 'SELECT DeveloperName, SobjectType FROM DuplicateRule WHERE IsActive = TRUE';
  const answer = await ifShown(() => queryRows(session, soql, call));
  return (
    answer?.rows.map((row) => ({ object: textOf(row['SobjectType']), name: textOf(row['DeveloperName']) })) ?? null
  );
}

async function validationRules(session: Session, call: RestCall): Promise<CrmSetup['validationRules']> {
  const soql = 'SELECT Id, ValidationName, EntityDefinition.QualifiedApiName FROM ValidationRule WHERE Active = TRUE';
  const rows = await ifShown(() => toolingRows(session, soql, call));
  if (rows === null) return null;
  const found: CrmValidationRule[] = [];
  for (const [place, row] of rows.entries()) {
    const object = textOf(objectOf(row['EntityDefinition'])['QualifiedApiName']);
    const formula = place < MOST_FORMULAS ? await formulaOf(session, textOf(row['Id']), call) : null;
    found.push({ object, name: textOf(row['ValidationName']), formula });
  }
  return found;
}

async function formulaOf(session: Session, id: string, call: RestCall): Promise<string | null> {
  const soql = `SELECT Metadata FROM ValidationRule WHERE Id = ${textLiteral(id)}`;
  const [row] = (await ifShown(() => toolingRows(session, soql, call))) ?? [];
  if (row === undefined) return null;
  const formula = objectOf(row['Metadata'])['errorConditionFormula'];
  return typeof formula === 'string' ? formula : null;
}

/** Reads rows from the Tooling API. It reads one page only, because a page has room for more validation rules than an org may have. */
async function toolingRows(session: Session, soql: string, call: RestCall): Promise<readonly RestRecord[]> {
  const path = `/tooling/query?q=${encodeURIComponent(soql)}`;
  const { body }: RestAnswer = await session.request({ method: 'GET', path }, call);
  return listOf(objectOf(body)['records']).map((row) => objectOf(row) as RestRecord);
}

/**
 * Codes of answers about setup that the integration user may not see. Most orgs answer as if the setup did not exist; some orgs answer that
 * access is denied.
 */
const HIDDEN: ReadonlySet<string> = new Set([
  'INVALID_TYPE',
  'INVALID_FIELD',
  'NOT_FOUND',
  'FUNCTIONALITY_NOT_ENABLED',
  'INSUFFICIENT_ACCESS',
]);

async function ifShown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CrmError && HIDDEN.has(error.code)) return null;
    throw error;
  }
}

/**
 * How many platform and change events the org delivers in a day, and how many are left (REST API: Limits, `DailyDeliveredPlatformEvents`);
 * null if the org does not say.
 */
export async function eventAllowance(
  session: Session,
  call: RestCall,
): Promise<{ readonly limit: number; readonly remaining: number } | null> {
  const { body } = await session.request({ method: 'GET', path: '/limits' }, call);
  const { Max, Remaining } = objectOf(objectOf(body)['DailyDeliveredPlatformEvents'] ?? {});
  if (typeof Max !== 'number' || typeof Remaining !== 'number') return null;
  return { limit: boundedCount(Max), remaining: boundedCount(Remaining) };
}
