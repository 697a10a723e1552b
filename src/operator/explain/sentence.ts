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
    const known = state === 'unseen' ? 'Lockstep has not seen it yet' : `the ledger says ${state}`;
    return `Lockstep could not read it (${notObserved ?? 'no answer'}); ${known}${because(first)}.`;
  }
  const isOlder = gates.some(({ code }) => code === 'vendor-older');
  const doing = isOlder ? 'What the vendor shows is older than what was read of it' : DOING[plan.next](plan);
  const waiting = stopped.filter(({ field }) => field !== null).length;
  const more = waiting > 1 ? ` and ${waiting - 1} more` : '';
  return `${doing}${first === undefined ? '' : `${because(first)}${first.field === null ? '' : more}`}.`;
}

/** For each kind of reason ("gate") why a change is not synced, the words that state the reason in a sentence. */
const BECAUSE: Readonly<Record<Gate['gate'], string>> = {
  pause: 'its work is paused',
  quota: 'it waits for a limit',
  scope: 'it is not shared',
  translation: 'a value cannot be sent as it is',
  park: 'it waits for somebody',
  direction: 'its changes do not travel',
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
  conflict: 'The two sides disagree, and somebody has to choose a side',
  parked: 'A part of it waits for a repair, and everything else is in sync',
  pending: 'A change is on its way',
  'vendor-missing': 'The vendor no longer shows its record',
};

const DOING: Readonly<Record<Plan['next'], (plan: Plan) => string>> = {
  nothing: ({ stateAfter }) =>
    stateAfter === 'in-sync'
      ? 'In sync: both sides agree in all that travels'
      : (UNWRITTEN[stateAfter] ?? 'Nothing is to be written now'),
  parked: ({ stateAfter }) =>
    stateAfter === 'vendor-missing'
      ? 'The vendor no longer shows its record'
      : 'It waits for somebody, and nothing of it travels',
  detached: ({ reason }) => `It is not shared: ${reason}`,
  'read-vendor': ({ reason }) => `The vendor has to be read again: ${reason}`,
  'search-vendor': () => 'A create may have been applied, and its record is looked for at the vendor',
  'create-at-vendor': () => 'It is not yet at the vendor, and would be created there',
  'update-at-vendor': (plan) => `The vendor lacks ${fieldsOf(plan)}`,
  'write-crm': (plan) => `The CRM lacks ${fieldsOf(plan)}`,
  'create-in-crm': () => 'It is at the vendor only, and would be created in the CRM',
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
