import type { Link } from '../../domain/record/link.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';
import { type Judgment, ok } from './finding.ts';

/** The lowest major version of Node with which Lockstep works. It runs the TypeScript sources without a build. */
const LEAST_NODE = 24;

/** Judges whether the Node version fits. `version`: such as `24.1.0`. */
export function judgeNode(version: string): readonly Judgment[] {
  const major = Number(version.split('.')[0]);
  if (major >= LEAST_NODE) return [ok(`Node ${version}`)];
  const repair = `use the Node of this installation (node_modules/.bin/node), ${LEAST_NODE} or later`;
  return [{ verdict: 'fails', what: `Node ${version} is too old`, repair }];
}

/** The facts about a Temporal server that the checks examine. */
export type TemporalFacts = {
  readonly address: string;
  readonly namespace: string;
  readonly missingAttributes: readonly string[];
  readonly missingSchedules: readonly string[];
  readonly pausedSchedules: readonly string[];
  /** The number of workers that poll each task queue. */
  readonly pollers: Readonly<Record<string, number>>;
  /** For each task queue: the worker version to which Temporal sends its tasks, and the versions of the workers that poll it. */
  readonly routing: Readonly<Record<string, Routing>>;
  /** The tenant's rate limit on the vendor task queue, in requests a second; null if the queue has no limit. */
  readonly vendorRate: number | null;
  /**
   * The number of partitions of the vendor task queue, among which Temporal divides its rate limits; null if the server does not report it.
   */
  readonly vendorPartitions: number | null;
};

/**
 * Worker versions of a task queue, each as `deployment:build`. `to`: the version to which Temporal sends the tasks. `polled`: the versions
 * of the workers that run. Null means workers without a version.
 */
export type Routing = { readonly to: string | null; readonly polled: readonly (string | null)[] };

/**
 * Judges a Temporal server. `ratePerSecond`: the limit for vendor requests in the tenant file, which the vendor task queue should have too.
 */
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
  const all = [...judgments, ...judgeRouting(facts), ...judgeRate(facts, ratePerSecond), ...judgePartitions(facts)];
  return all.length > 0 ? all : [ok(`Temporal at ${address}, namespace ${namespace}`)];
}

/** Finds the task queues whose tasks go to a worker version without running workers. These tasks wait until such a worker starts. */
function judgeRouting({ routing, pollers }: TemporalFacts): readonly Judgment[] {
  return Object.entries(routing).flatMap(([queue, { to, polled }]): readonly Judgment[] => {
    if (pollers[queue] === 0 || polled.includes(to)) return [];
    const version = to ?? 'workers without a version';
    const repair = `start ${to === null ? 'one' : 'workers of this version'}, or make a running version current: temporal worker deployment set-current-version`;
    return [{ verdict: 'fails', what: `tasks of ${queue} go to ${version}, and none polls`, repair }];
  });
}

function judgeRate({ vendorRate }: TemporalFacts, ratePerSecond: number): readonly Judgment[] {
  // Compares with a tolerance, because Temporal returns weights as rounded floating-point numbers.
  if (vendorRate !== null && Math.abs(vendorRate - ratePerSecond) < ratePerSecond / 1000) return [];
  const seen =
    vendorRate === null ? 'has no rate limit for the tenant' : `gives the tenant ${vendorRate} requests a second`;
  return [
    {
      verdict: 'warns',
      what: `the vendor queue ${seen}; its file says ${ratePerSecond}`,
      repair:
        'restart a worker with this file, which sets it; a server without fairness takes none, and the quota gate alone holds',
    },
  ];
}

/**
 * Warns if the vendor task queue has several partitions: Temporal gives each partition an equal part of a tenant's rate, so requests wait
 * longer than necessary.
 */
function judgePartitions({ vendorPartitions }: TemporalFacts): readonly Judgment[] {
  if (vendorPartitions === null || vendorPartitions <= 1) return [];
  return [
    {
      verdict: 'warns',
      what: `the vendor queue has ${vendorPartitions} partitions, and each lets through a part of the tenant's rate`,
      repair:
        'set matching.numTaskqueueReadPartitions and matching.numTaskqueueWritePartitions to 1 for this queue, in the dynamic configuration of the Temporal server',
    },
  ];
}

/** The database size from which the check warns, in bytes. */
const LARGE_BYTES = 50 * 1024 ** 3;

/** Judges the size on disk of the ledger (Lockstep's database), in bytes. */
export function judgeLedgerSize(sizeBytes: number): readonly Judgment[] {
  const size = `${(sizeBytes / 1024 ** 2).toFixed(0)} MB`;
  if (sizeBytes < LARGE_BYTES) return [ok(`the ledger answers, ${size}`)];
  const repair = 'see which table grows; journal and plans may be moved to an archive by your own rules';
  return [{ verdict: 'warns', what: `the ledger has grown to ${size}`, repair }];
}

/**
 * Checks that this process's sealing keys (encryption keys) can decrypt the most recently changed record. Throws the ledger's error if they
 * cannot.
 */
export async function judgeKey(
  ledger: Pick<LinkLedger, 'listLinks' | 'findLink'>,
  tenant: string,
): Promise<readonly Judgment[]> {
  const [row] = await ledger.listLinks(tenant, { limit: 1 });
  if (row === undefined) return [ok('no record is sealed yet')];
  const link: Link | null = await ledger.findLink(tenant, row.key);
  return [ok(link === null ? 'no record is sealed yet' : 'the sealing key opens the newest record')];
}
