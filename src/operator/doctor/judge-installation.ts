import type { Link } from '../../domain/record/link.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';
import { type Judgment, ok } from './finding.ts';

/** Node that runs our sources as they are. */
const LEAST_NODE = 24;

/** `version`: such as 24.1.0. */
export function judgeNode(version: string): readonly Judgment[] {
  const major = Number(version.split('.')[0]);
  if (major >= LEAST_NODE) return [ok(`Node ${version}`)];
  const repair = `use the Node of this installation (node_modules/.bin/node), ${LEAST_NODE} or later`;
  return [{ verdict: 'fails', what: `Node ${version} is too old`, repair }];
}

/** What a Temporal server says of what Lockstep needs of it. */
export type TemporalFacts = {
  readonly address: string;
  readonly namespace: string;
  readonly missingAttributes: readonly string[];
  readonly missingSchedules: readonly string[];
  readonly pausedSchedules: readonly string[];
  /** Workers that poll, by task queue. */
  readonly pollers: Readonly<Record<string, number>>;
  /** Where the tasks of each queue go. */
  readonly routing: Readonly<Record<string, Routing>>;
  /** Requests a second that the vendor queue lets the tenant have; null where it limits none. */
  readonly vendorRate: number | null;
};

/** Worker versions as `deployment:build`; null is workers without one. */
export type Routing = { readonly to: string | null; readonly polled: readonly (string | null)[] };

/** `ratePerSecond`: what the tenant's file says of the vendor queue. */
export function judgeTemporal(facts: TemporalFacts, ratePerSecond: number): readonly Judgment[] {
  const { address, namespace, missingAttributes, missingSchedules, pausedSchedules, pollers } = facts;
  const idle = Object.entries(pollers).flatMap(([queue, count]) => (count === 0 ? [queue] : []));
  const found: readonly (readonly [readonly string[], Judgment['verdict'], string, string])[] = [
    [
      missingAttributes,
      'fails',
      'search attributes are missing',
      `start a worker, which adds them, or add them to the namespace ${namespace} as Keyword`,
    ],
    [missingSchedules, 'fails', 'schedules are missing', 'start a worker with this tenant’s file'],
    [pausedSchedules, 'warns', 'schedules are paused', 'unpause them in the Temporal UI'],
    [idle, 'fails', 'no worker polls', 'start one: lockstep worker'],
  ];
  const judgments = found.flatMap(([names, verdict, what, repair]): readonly Judgment[] =>
    names.length === 0 ? [] : [{ verdict, what: `${what}: ${names.join(', ')}`, repair }],
  );
  const all = [...judgments, ...judgeRouting(facts), ...judgeRate(facts, ratePerSecond)];
  return all.length > 0 ? all : [ok(`Temporal at ${address}, namespace ${namespace}`)];
}

/** Tasks that are routed to a version of workers that nobody runs stay where they are. */
function judgeRouting({ routing, pollers }: TemporalFacts): readonly Judgment[] {
  return Object.entries(routing).flatMap(([queue, { to, polled }]): readonly Judgment[] => {
    if (pollers[queue] === 0 || polled.includes(to)) return [];
    const version = to ?? 'workers without a version';
    const repair = `start ${to === null ? 'one' : 'workers of this version'}, or make a running version current: temporal worker deployment set-current-version`;
    return [{ verdict: 'fails', what: `tasks of ${queue} go to ${version}, and none polls`, repair }];
  });
}

function judgeRate({ vendorRate }: TemporalFacts, ratePerSecond: number): readonly Judgment[] {
  // Weights come back with the digits of a float.
  if (vendorRate !== null && Math.abs(vendorRate - ratePerSecond) < ratePerSecond / 1000) return [];
  const seen =
    vendorRate === null
      ? 'has no rate limit for the tenant'
      : `gives the tenant ${vendorRate} requests a second`;
  return [
    {
      verdict: 'warns',
      what: `the vendor queue ${seen}; its file says ${ratePerSecond}`,
      repair:
        'restart a worker with this file, which sets it; a server without fairness takes none, and the quota gate alone holds',
    },
  ];
}

/** Bytes from which a ledger is worth a look. */
const LARGE_BYTES = 50 * 1024 ** 3;

/** The ledger of this version, which opened with this key; `sizeBytes`: its database on disk. */
export function judgeLedgerSize(sizeBytes: number): readonly Judgment[] {
  const size = `${(sizeBytes / 1024 ** 2).toFixed(0)} MB`;
  if (sizeBytes < LARGE_BYTES) return [ok(`the ledger answers, ${size}`)];
  const repair = 'see which table grows; journal and plans may be moved to an archive by your own rules';
  return [{ verdict: 'warns', what: `the ledger has grown to ${size}`, repair }];
}

/** Whether what was sealed last opens with the keys of this process. */
export async function judgeKey(
  ledger: Pick<LinkLedger, 'listLinks' | 'findLink'>,
  tenant: string,
): Promise<readonly Judgment[]> {
  const [row] = await ledger.listLinks(tenant, { limit: 1 });
  if (row === undefined) return [ok('no record is sealed yet')];
  const link: Link | null = await ledger.findLink(tenant, row.key);
  return [ok(link === null ? 'no record is sealed yet' : 'the sealing key opens the newest record')];
}
