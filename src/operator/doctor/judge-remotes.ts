import { ENGINE_FIELDS } from '../../domain/mapping/index.ts';
import type { CrmLimits } from '../../domain/record/crm-limits.ts';
import { grantOf, isInPackage } from '../../domain/record/permission-sets.ts';
import { type CrmCallsToday, heldPurposes } from '../status/crm-calls.ts';
import { type Judgment, ok } from './finding.ts';

/** The largest difference of two clocks, in ms, with which Lockstep can still tell which of two edits was later. */
const MOST_SKEW_MS = 60_000;

/**
 * Judges the clock of a remote system by comparing its time with this machine's. `theirs` and `ours` are ISO instants; `theirs` is null if
 * the remote system sends no time.
 */
export function judgeClock(side: string, theirs: string | null, ours: string): readonly Judgment[] {
  if (theirs === null) return [{ verdict: 'skipped', what: `${side} reports no time`, repair: null }];
  const skewMs = Date.parse(theirs) - Date.parse(ours);
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return [ok(`the clock of ${side} is ${seconds} s off ours`)];
  const which = skewMs > 0 ? 'ahead of' : 'behind';
  return [
    {
      verdict: 'warns',
      what: `the clock of ${side} is ${seconds} s ${which} ours`,
      repair: 'keep the clocks of this machine by NTP; Lockstep reads periods by the remote’s clock',
    },
  ];
}

/** How many calls are allowed in a period, and how many are left. */
export type Allowance = { readonly limit: number; readonly remaining: number };

const LOW_SHARE = 0.1;

export function judgeAllowance(what: string, allowance: Allowance | null): readonly Judgment[] {
  if (allowance === null) return [{ verdict: 'skipped', what: `${what}: not reported`, repair: null }];
  const { limit, remaining } = allowance;
  const words = `${what}: ${remaining} of ${limit} left`;
  if (remaining > limit * LOW_SHARE) return [ok(words)];
  return [{ verdict: 'warns', what: words, repair: 'find out who else uses it, or have the limit raised' }];
}

/**
 * Judges whether the integration user may subscribe to the channel of change events, and whether the org may deliver enough further events
 * today. `events`: the org's daily number of events, and how many of them are left; null if the org does not report them.
 */
export function judgeChanges(channel: string, maySubscribe: boolean, events: Allowance | null): readonly Judgment[] {
  const may: Judgment = maySubscribe
    ? ok(`we may subscribe to ${channel}, by one of the org's concurrent subscribers`)
    : {
        verdict: 'fails',
        what: `we may not subscribe to ${channel}`,
        repair: `${grantOf([])}: it gives "View All" on each object of the channel`,
      };
  return [may, ...judgeAllowance('events that the org delivers in a day', events)];
}

/**
 * Judges whether Lockstep's API calls to an org, over all processes, stay within the part of the org's daily limit that Lockstep may use.
 */
export function judgeCalls(calls: CrmCallsToday | null): readonly Judgment[] {
  if (calls === null)
    return [{ verdict: 'skipped', what: 'our calls to the org: not reported within a day', repair: null }];
  const words = `our calls to the org within a day: ${calls.own} of ${calls.allowed}`;
  const held = heldPurposes(calls);
  if (held.length === 0) return [ok(words)];
  return [
    {
      verdict: 'warns',
      what: `${words}; ${held.join(', ')}`,
      repair: 'wait for a day to pass, raise salesforce.apiShare of the tenant file, or have the limit raised',
    },
  ];
}

/** The fields of one Salesforce object that Lockstep reads and writes, by API name. */
export type FieldNeeds = {
  readonly object: string;
  readonly reads: readonly string[];
  /** Fields that Lockstep needs for every decision about a record. If one of them cannot be read, Lockstep decides nothing. */
  readonly essential: readonly string[];
  /** CRM fields that Lockstep writes: those that take the vendor's values, and fields for Lockstep's own data, such as the vendor id. */
  readonly writes: readonly string[];
};

/** Judges whether the org has each object and field, and whether the integration user may read and write it. */
export function judgeFields(needs: readonly FieldNeeds[], described: CrmLimits): readonly Judgment[] {
  const judgments = needs.flatMap((need) => judgeObject(need, described));
  const count = needs.reduce((sum, { reads }) => sum + reads.length, 0);
  return judgments.length > 0 ? judgments : [ok(`${count} fields of ${needs.length} objects are there for us`)];
}

function judgeObject({ object, reads, essential, writes }: FieldNeeds, described: CrmLimits): readonly Judgment[] {
  const fields = described[object];
  if (fields === undefined)
    return [
      {
        verdict: 'fails',
        what: `${object} is not there, or hidden from us`,
        repair: `deploy the package, and ${grantOf([])}`,
      },
    ];
  const hidden = reads.filter((name) => fields[name] === undefined);
  const named = (names: readonly string[]) => names.map((name) => `${object}.${name}`).join(', ');
  const [fatal, others] = [
    hidden.filter((name) => essential.includes(name)),
    hidden.filter((name) => !essential.includes(name)),
  ];
  const locked = writes.filter((name) => fields[name]?.updateable === false);
  const found: readonly (readonly [readonly string[], Judgment['verdict'], string])[] = [
    [fatal, 'fails', 'cannot be read, and nothing can be decided without it'],
    [others, 'warns', 'cannot be read, so it does not travel'],
    [locked, 'warns', 'cannot be written, so what the vendor says of it waits'],
  ];
  return found.flatMap(([names, verdict, what]): readonly Judgment[] =>
    names.length === 0 ? [] : [{ verdict, what: `${named(names)}: ${what}`, repair: repairOf(object, names) }],
  );
}

/**
 * What the operator must do if the integration user lacks access to fields. The CRM package's permission set gives access to the package's
 * own fields. Other mapped fields need a permission set of the org.
 */
function repairOf(object: string, names: readonly string[]): string {
  const engine: readonly string[] = ENGINE_FIELDS;
  const mapped = object === 'Opportunity' ? names.filter((name) => !engine.includes(name)) : [];
  const grant = grantOf(mapped);
  const isOfPackage = mapped.length < names.length || mapped.some(isInPackage);
  return isOfPackage ? `deploy the package, and ${grant}` : grant;
}
