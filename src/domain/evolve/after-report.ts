import { contested, TO_EMPTY, withChanged } from '../decide/reported.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import { type LinkState, stateOf } from '../record/link-state.ts';
import type { LinkChange } from './change.ts';
import type { ReportOutcome } from './outcome.ts';

/**
 * How the outcome of a report to CRM users (a write of the sync row and of Lockstep's own opportunity fields) changes the link (pair of CRM
 * record and vendor record, with its state). `at`: the present time, ISO.
 */
export function afterReport(link: Link, outcome: ReportOutcome, at: string): LinkChange {
  switch (outcome.type) {
    case 'reporting':
      return { reported: outcome.shows };
    case 'reported': {
      const summary = { state: link.state, answer: outcome.answer };
      return {
        reported: outcome.shows,
        ...withoutPick(link),
        journal: [{ at, kind: 'state', summary, decisions: [] }],
      };
    }
    case 'owned-changed': {
      const summary = { state: link.state, answer: `changed by others: ${outcome.fields.join(' ')}` };
      return {
        reported: withChanged(outcome.fields),
        ...(outcome.tried === null
          ? {}
          : { issues: link.issues.map((one) => (isTaken(one) ? { ...one, ...outcome.tried } : one)) }),
        journal: [{ at, kind: 'state', summary, decisions: [] }],
      };
    }
    case 'separated-id-shown':
      return { reported: TO_EMPTY };
    case 'vendor-id-reported': {
      const others = link.issues.filter((issue) => !isTaken(issue));
      const known = link.issues.find(isTaken) ?? ISSUES.vendorIdTaken();
      const issues = outcome.taken ? [...others, known] : others;
      return { issues, ...(FLOWING.has(link.state) ? { state: stateOf(issues) } : {}) };
    }
  }
}

/**
 * The change of a link (pair of CRM record and vendor record, with its state) if another worker changed the link while this worker sent a
 * report to CRM users. The report may have overwritten newer values, so what CRM users see is unknown.
 */
export function afterLateReport({ reported }: Link): LinkChange {
  return { reported: contested(reported) };
}

/**
 * The base (last agreed values) without `pickTaken`, after a report has cleared the user's pick (choice in a conflict) on the sync row
 * (`Lockstep_Sync__c`). No change if there was no pick.
 */
function withoutPick({ base }: Link): LinkChange {
  if (base?.pickTaken === undefined) return {};
  const { pickTaken: _, ...rest } = base;
  return { base: rest };
}

/** Whether the CRM refused Lockstep's last attempt to write the vendor id to the opportunity, because another opportunity has that id. */
export function isVendorIdTaken({ issues }: Pick<Link, 'issues'>): boolean {
  return issues.some(isTaken);
}

function isTaken({ code }: Issue): boolean {
  return code === 'vendor-id-taken';
}

/**
 * States of a link (pair of CRM record and vendor record) that follow only from its open issues. If a report adds or ends an issue, a link
 * in such a state gets the state that its remaining issues require. Other states stay.
 */
const FLOWING: ReadonlySet<LinkState> = new Set(['in-sync', 'conflict', 'closed-at-vendor', 'parked']);
