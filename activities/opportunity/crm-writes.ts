import { withInDoubtCrmWrite } from '../../src/domain/base/in-doubt-writes.ts';
import { goesOnAfterRefusal } from '../../src/domain/evolve/after-refusal.ts';
import type { WaitClass } from '../../src/domain/evolve/retry-schedule.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import type { ObjectLimits } from '../../src/domain/record/crm-limits.ts';
import { orgLabels } from '../../src/observe/org-labels.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { markSent, type PlannedWrite } from './load-write.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';

export type PlannedCrmWrite = PlannedWrite<'write-crm' | 'create-in-crm'>;

/**
 * Stores the values of a CRM write in the ledger (Lockstep's database) before the request is sent. If the answer is lost, these values
 * distinguish the write from a user's edit.
 */
export async function noteSending(deps: ActivityDeps, { link, plan, stored }: PlannedCrmWrite): Promise<void> {
  const mapping = mappingOf(deps.runtime(link.tenant).tenant.mapping, link.crmId);
  const base = withInDoubtCrmWrite(plan, mapping, stored.graph);
  await markSent(deps, stored, null);
  await settle(deps, link, { type: 'crm-write-sending', base, plan });
}

const REFUSALS: ReadonlySet<string> = new Set(['permanent', 'schema-mismatch']);

/**
 * Kinds of CRM errors after which a retry schedule sends the write again. The value is the class of the wait: `passing` for a temporary
 * refusal, `unknown` for an undocumented answer.
 */
const TRIED_AGAIN: ReadonlyMap<string, WaitClass> = new Map([
  ['busy', 'passing'],
  ['governor', 'passing'],
  ['unknown', 'unknown'],
]);

/**
 * Handles a failed CRM write, and returns the next step. Parks the record (it waits for a person) after a permanent refusal, leaves a
 * temporary refusal to the retry schedule, and throws every other failure.
 */
export async function crmWriteFailed(deps: ActivityDeps, write: PlannedCrmWrite, error: unknown): Promise<SyncSummary> {
  if (!(error instanceof CrmError)) throw toFailure(error);
  const { link, planId, plan, generation } = write;
  const waits = TRIED_AGAIN.get(error.kind);
  if (waits !== undefined) return refusedForNow(deps, write, error, waits);
  if (!REFUSALS.has(error.kind)) {
    // An update is in doubt only if its answer was lost. A failed import may have been applied in part.
    if (plan.next === 'write-crm' && error.kind !== 'transient')
      await settle(deps, link, { type: 'crm-write-not-applied' });
    throw toFailure(error);
  }
  const { code, fields, part } = error;
  const words = await wordsOf(deps, link.tenant, error);
  const refused = { type: 'crm-refused', plan, generation, code, fields, part, ...words } as const;
  const settled = await settle(deps, link, refused, planId);
  const next = goesOnAfterRefusal(refused) ? 'plan-again' : 'parked';
  return summarise(settled, { next }, `refused ${code}`);
}

async function refusedForNow(
  deps: ActivityDeps,
  { link, planId, plan, generation }: PlannedCrmWrite,
  error: CrmError,
  waits: WaitClass,
): Promise<SyncSummary> {
  const { code, fields, kind } = error;
  // An undocumented answer may come from a gateway that lost Salesforce's answer.
  const applied = kind === 'unknown' ? 'unknown' : 'no';
  const outcome = {
    type: 'refused-for-now',
    side: 'crm',
    waits,
    code,
    fields,
    applied,
    plan,
    generation,
    ...(await wordsOf(deps, link.tenant, error)),
  } as const;
  const isAutomation = kind === 'governor' ? ({ isAutomation: true } as const) : {};
  const settled = await settle(deps, link, { ...outcome, ...isAutomation }, planId);
  return summarise(settled, { next: 'parked' }, `refused for now ${code}`);
}

const OBJECTS = { account: 'Account', line: 'OpportunityLineItem', contact: 'Contact' } as const;

/** The message with which Salesforce explained a refusal, and the labels of the refused object's fields, for messages to users. */
async function wordsOf(
  deps: ActivityDeps,
  tenant: string,
  { crmMessage: said, fields, part }: CrmError,
): Promise<{ readonly said: string | null; readonly labels: ObjectLimits }> {
  const object = part === null ? 'Opportunity' : OBJECTS[part.of];
  return { said, labels: fields.length === 0 ? {} : await orgLabels(deps.runtime(tenant).crm, object) };
}
