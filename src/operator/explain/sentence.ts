import type { Plan } from '../../domain/record/plan.ts';
import type { Explanation, Gate } from './explanation.ts';

export type SentenceInput = Pick<Explanation, 'state' | 'notObserved'> & {
  readonly plan: Plan | null;
  readonly gates: readonly Gate[];
};

/** Describes in one sentence why a record has its sync state. The sentence contains no values. Pure. */
export function sentenceOf({ state, notObserved, plan, gates }: SentenceInput): string {
  const stopped = gates.filter(({ gate }) => gate !== 'direction');
  const [first] = stopped;
  if (plan === null) {
    const known = state === 'unseen' ? 'Lockstep has not seen the record yet' : `the ledger says ${state}`;
    return `Lockstep could not read the record (${notObserved ?? 'no answer'}); ${known}${because(first)}.`;
  }
  const isOlder = gates.some(({ code }) => code === 'vendor-older');
  const doing = isOlder ? 'The vendor shows an older version than Lockstep has read before' : DOING[plan.next](plan);
  const waiting = stopped.filter(({ field }) => field !== null).length;
  const more = waiting > 1 ? ` and ${waiting - 1} more` : '';
  return `${doing}${first === undefined ? '' : `${because(first)}${first.field === null ? '' : more}`}.`;
}

/** For each kind of reason ("gate") why a change is not synced, the words that state the reason in a sentence. */
const BECAUSE: Readonly<Record<Gate['gate'], string>> = {
  pause: 'the work is paused',
  quota: 'it waits for a limit',
  scope: 'the record is not shared',
  translation: 'a value cannot be sent as it is',
  park: 'it waits for a person',
  direction: 'its changes are not synced',
  answer: 'it waits for an answer',
  'not-yet-seen': 'nothing has reported the change yet',
};

function because(gate: Gate | undefined): string {
  if (gate === undefined) return '';
  const about = gate.field === null ? '' : `${gate.field}: `;
  return `; ${about}${BECAUSE[gate.gate]} (${gate.code})`;
}

/** For each sync state in which nothing is written although CRM and vendor may differ, the words that say why. */
const UNWRITTEN: Readonly<Partial<Record<Plan['stateAfter'], string>>> = {
  conflict: 'Both sides changed a value, and a person must choose a side',
  parked: 'Some values wait for a repair; all other fields are in sync',
  pending: 'A change is on its way',
  'vendor-missing': 'The vendor no longer shows the record',
};

const DOING: Readonly<Record<Plan['next'], (plan: Plan) => string>> = {
  nothing: ({ stateAfter }) =>
    stateAfter === 'in-sync'
      ? 'In sync: both sides agree on all synced fields'
      : (UNWRITTEN[stateAfter] ?? 'Lockstep has nothing to write now'),
  parked: ({ stateAfter }) =>
    stateAfter === 'vendor-missing'
      ? 'The vendor no longer shows the record'
      : 'The record waits for a person, and none of its changes is synced',
  detached: ({ reason }) => `The record is not shared: ${reason}`,
  'read-vendor': ({ reason }) => `Lockstep must read the vendor again: ${reason}`,
  'search-vendor': () => 'A create may have been applied, so Lockstep searches for its record at the vendor',
  'create-at-vendor': () => 'The vendor does not have the record yet, and Lockstep would create it there',
  'update-at-vendor': (plan) => `The vendor lacks ${fieldsOf(plan)}`,
  'write-crm': (plan) => `The CRM lacks ${fieldsOf(plan)}`,
  'create-in-crm': () => 'Only the vendor has the record, and Lockstep would create it in the CRM',
};

const OUTGOING: ReadonlySet<string> = new Set([
  'to-vendor',
  'to-crm',
  'merged',
  'conflict-crm',
  'conflict-vendor',
  'cleared',
  'undone-at-vendor',
  'undone-in-crm',
]);

function fieldsOf(plan: Plan): string {
  const fields =
    'intent' in plan
      ? plan.intent.fields
      : plan.decisions.filter(({ verdict }) => OUTGOING.has(verdict)).map(({ field }) => field);
  return fields.length === 0 ? 'our reference' : fields.join(', ');
}
