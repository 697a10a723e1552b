import type { Link } from '../../domain/record/link.ts';
import type { Ledger } from '../../ledger/ledger.ts';
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
};

export function judgeTemporal(facts: TemporalFacts): readonly Judgment[] {
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
  return judgments.length > 0 ? judgments : [ok(`Temporal at ${address}, namespace ${namespace}`)];
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
  ledger: Pick<Ledger, 'listLinks' | 'findLink'>,
  tenant: string,
): Promise<readonly Judgment[]> {
  const [row] = await ledger.listLinks(tenant, { limit: 1 });
  if (row === undefined) return [ok('nothing is sealed yet')];
  const link: Link | null = await ledger.findLink(tenant, row.key);
  return [ok(link === null ? 'nothing is sealed yet' : 'the sealing key opens the newest record')];
}
